// What an agent prints, on its way to people: each line becomes events, events go to the transcript, and the last of them is
// what the attempt is doing now.

import { NO_USAGE, type Reading } from "../../../agents/adapter.ts";
import { type AgentEvent, noteEvent } from "../../../agents/event.ts";
import type { ActivityWait } from "../../../core/activity.ts";
import type { EpochMs, Usage } from "../../../core/facts.ts";
import type { AttemptId } from "../../../core/ids.ts";
import { name, path, type Sentence, sentence } from "../../../core/text/sentence.ts";
import { openLog } from "../../../process/attempt-log.ts";
import type { RunContext } from "../run-context.ts";
import type { RunFolder } from "../run-folder.ts";

export type Heard = {
  readonly line: (text: string) => Promise<void>;
  /** What plait itself has to say about the attempt. */
  readonly note: (text: string) => Promise<void>;
  /** What the attempt waits for before its program starts; null: the wait is over. */
  readonly waiting: (wait: ActivityWait | null) => void;
  /** Whether the model has answered. */
  readonly hasAnswer: () => boolean;
  /** All that was understood so far. */
  readonly reading: () => Reading;
  readonly close: () => Promise<void>;
};

type Hearing = {
  readonly reading: Reading;
  readonly now: () => EpochMs;
  /** The model used a tool: it answers. */
  readonly onAnswer?: () => void;
};

export async function listen(
  { folder, tell }: Pick<RunContext, "tell"> & { readonly folder: Pick<RunFolder, "transcript"> },
  attempt: AttemptId,
  { reading: first, now, onAnswer }: Hearing,
): Promise<Heard> {
  const opened = await openLog(folder.transcript(attempt), { marker: cutEvent });
  const transcript = opened.ok ? opened.log : null; // a full disk costs the transcript, not the attempt
  let reading = first;
  let action: Sentence | null = null;
  let hasAnswer = false;
  let usage: Usage = NO_USAGE;
  const show = (at: EpochMs, wait: ActivityWait | null): void =>
    tell({ attempt, at, action, usage, ...(wait === null ? {} : { wait }) });
  show(now(), null);
  const write = async (at: EpochMs, events: readonly AgentEvent[]): Promise<void> => {
    const lines = events.map((event) => `${JSON.stringify({ at, ...event })}\n`).join("");
    await transcript?.write(Buffer.from(lines));
  };
  return {
    line: async (text) => {
      const { next, events } = reading.read(text);
      reading = next;
      const at = now();
      if (events.length === 0) return;
      for (const event of events) {
        action = describeAction(event) ?? action;
        hasAnswer ||= event.kind === "text" || event.kind === "tool";
        if (event.kind === "usage") usage = event.usage;
        if (event.kind === "tool") onAnswer?.();
      }
      show(at, findWait(events.at(-1), at));
      await write(at, events);
    },
    note: (text) => write(now(), [noteEvent(text)]),
    waiting: (wait) => show(now(), wait),
    hasAnswer: () => hasAnswer,
    reading: () => reading,
    close: async () => {
      await transcript?.close();
    },
  };
}

/** In place of the middle of a long transcript: a line of JSON like all others. */
function cutEvent(bytes: number): string {
  return `\n{"kind":"cut","bytes":"${String(bytes).padStart(15)}"}\n`;
}

const LONGEST_ACTION = 120;

function describeAction(event: AgentEvent): Sentence | null {
  switch (event.kind) {
    case "tool": {
      const { name: tool, target } = event;
      if (target === null) return tool;
      return sentence`${tool} ${/^\S*\/\S*$/.test(target) ? path(target) : name(target)}`;
    }
    case "text":
      return firstLine(event.text);
    case "retry":
      return formatRetry(event);
    default:
      return null;
  }
}

type RetryEvent = Extract<AgentEvent, { kind: "retry" }>;

const formatRetry = ({ status }: RetryEvent): string =>
  status === null ? "retrying a request" : `retrying a request after status ${status}`;

/** An agent that retries does nothing else meanwhile. */
function findWait(event: AgentEvent | undefined, at: EpochMs): ActivityWait | null {
  if (event?.kind !== "retry") return null;
  const until = event.delayMs === null ? null : at + event.delayMs;
  return { kind: "agent", reason: formatRetry(event), until };
}

function firstLine(text: string): string | null {
  const line = text.trim().split("\n", 1)[0]?.slice(0, LONGEST_ACTION) ?? "";
  return line === "" ? null : line;
}
