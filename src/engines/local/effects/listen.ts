// What an agent prints, on its way to people: each line becomes events, events go to the transcript, and the last of them is
// what the attempt is doing now.

import type { Reading } from "../../../agents/adapter.ts";
import { NO_USAGE } from "../../../agents/adapter.ts";
import { type AgentEvent, noteEvent } from "../../../agents/event.ts";
import type { EpochMs, Usage } from "../../../core/facts.ts";
import type { AttemptId } from "../../../core/ids.ts";
import { openLog } from "../../../process/attempt-log.ts";
import type { RunFolder } from "../run-folder.ts";
import type { Site } from "../site.ts";

export type Heard = {
  readonly line: (text: string) => Promise<void>;
  /** What plait itself has to say about the attempt. */
  readonly note: (text: string) => Promise<void>;
  /** All that was understood so far. */
  readonly reading: () => Reading;
  readonly close: () => Promise<void>;
};

export async function listen(
  { folder, tell }: Pick<Site, "tell"> & { readonly folder: Pick<RunFolder, "transcript"> },
  attempt: AttemptId,
  { reading: first, now }: { readonly reading: Reading; readonly now: () => EpochMs },
): Promise<Heard> {
  const opened = await openLog(folder.transcript(attempt), { marker: cutEvent });
  const transcript = opened.ok ? opened.log : null; // a full disk costs the transcript, not the attempt
  let reading = first;
  let action: string | null = null;
  let usage: Usage = NO_USAGE;
  tell({ attempt, at: now(), action, usage });
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
        action = actionOf(event) ?? action;
        if (event.kind === "usage") usage = event.usage;
      }
      tell({ attempt, at, action, usage });
      await write(at, events);
    },
    note: (text) => write(now(), [noteEvent(text)]),
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

function actionOf(event: AgentEvent): string | null {
  switch (event.kind) {
    case "tool":
      return `${event.name}${event.target === null ? "" : ` ${event.target}`}`;
    case "text":
      return firstLine(event.text);
    case "retry":
      return event.status === null ? "tries again" : `tries again after status ${event.status}`;
    default:
      return null;
  }
}

function firstLine(text: string): string | null {
  const line = text.trim().split("\n", 1)[0]?.slice(0, LONGEST_ACTION) ?? "";
  return line === "" ? null : line;
}
