import type { ToolResult } from "../../../agents/event.ts";
import type { EpochMs, Usage } from "../../../core/facts.ts";
import type { TaskAttemptRef, TranscriptEntry } from "../../../report/page/wire.ts";
import type { StoreClock } from "../../run/store-clock.ts";
import type { Source } from "../../source/source.ts";

/**
 * What an agent did, in the pieces that people read: a tool and its end are one, what a sub-agent did is folded into one, and
 * so is what the program printed beside its protocol.
 */
export type Item = { readonly at: EpochMs } & (
  | ToolItem
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "sub"; readonly items: readonly Item[] }
  | { readonly kind: "noise"; readonly lines: readonly string[] }
  | { readonly kind: "began"; readonly model: string | null }
  /** The program tried again by itself, so many times in a row. */
  | {
      readonly kind: "retry";
      readonly times: number;
      readonly status: number | null;
      readonly delayMs: number | null;
    }
  | { readonly kind: "limit"; readonly resetsAt: EpochMs | null }
  | { readonly kind: "denied"; readonly tool: string }
  | { readonly kind: "note"; readonly text: string }
  | { readonly kind: "cut"; readonly bytes: number }
);

export type ToolItem = {
  readonly kind: "tool";
  readonly name: string;
  readonly target: string | null;
  /** Null while it runs, and where its end is missing. */
  readonly end: ({ readonly ok: boolean; readonly at: EpochMs } & ToolResult) | null;
};

export type Transcript = { readonly items: readonly Item[]; readonly usage: Usage | null };

export function transcriptItems(entries: readonly TranscriptEntry[]): Transcript {
  const flat: Flat[] = [];
  const open = new Map<string | null, number>();
  let usage: Usage | null = null;
  for (const entry of entries) {
    if (entry.kind === "usage") usage = entry.usage;
    else if (entry.kind === "tool-ended") endTool(flat, open, entry);
    else {
      if (entry.kind === "tool") open.set(entry.call, flat.length);
      flat.push(flatten(entry));
    }
  }
  return { items: folded(flat), usage };
}

type Flat = { readonly item: Item; readonly isSub: boolean };

/** An end whose start was omitted is shown only where the tool failed. */
function endTool(
  flat: Flat[],
  open: Map<string | null, number>,
  { kind: _kind, call, ...end }: Extract<TranscriptEntry, { kind: "tool-ended" }>,
): void {
  const n = open.get(call);
  const begun = n === undefined ? undefined : flat[n];
  open.delete(call);
  if (n !== undefined && begun?.item.kind === "tool") flat[n] = { ...begun, item: { ...begun.item, end } };
  else if (!end.ok)
    flat.push({ item: { kind: "tool", at: end.at, name: "tool", target: null, end }, isSub: false });
}

type Begun = Exclude<TranscriptEntry, { kind: "usage" | "tool-ended" }>;

function flatten(entry: Begun): Flat {
  const { at } = entry;
  const isSub = "by" in entry && entry.by === "sub-agent";
  switch (entry.kind) {
    case "tool":
      return { item: { kind: "tool", at, name: entry.name, target: entry.target, end: null }, isSub };
    case "text":
      return { item: { kind: "text", at, text: entry.text.trim() }, isSub };
    case "started":
      return { item: { kind: "began", at, model: entry.model }, isSub };
    case "noise":
      return { item: { kind: "noise", at, lines: [entry.text] }, isSub };
    case "retry":
      return { item: { kind: "retry", at, times: 1, status: entry.status, delayMs: entry.delayMs }, isSub };
    default:
      return { item: entry, isSub };
  }
}

function folded(flat: readonly Flat[]): Item[] {
  const items: Item[] = [];
  let inner: Item[] = [];
  let lines: string[] = [];
  for (const { item, isSub } of flat) {
    const last = items.at(-1);
    if (isSub) {
      if (last?.kind !== "sub") {
        inner = [];
        items.push({ kind: "sub", at: item.at, items: inner });
      }
      inner.push(item);
    } else if (item.kind === "noise") {
      if (last?.kind !== "noise") {
        lines = [];
        items.push({ kind: "noise", at: item.at, lines });
      }
      lines.push(...item.lines);
    } else if (item.kind === "retry" && last?.kind === "retry")
      items[items.length - 1] = { ...item, at: last.at, times: last.times + 1 };
    else items.push(item);
  }
  return items;
}

/** What kind of thing a tool does, whatever its program calls it. */
export type ToolSort = "read" | "edit" | "bash" | "agent" | "other";

const SORTS: readonly (readonly [ToolSort, RegExp])[] = [
  ["edit", /^(multi)?edit|^(notebook)?edit|write|patch|replace|create_file/i],
  ["read", /read|grep|glob|^ls$|list|search|fetch|view/i],
  ["bash", /bash|shell|exec|command|terminal|^run/i],
  ["agent", /^(task|agent)$/i],
];

export const toolSort = (name: string): ToolSort =>
  SORTS.find(([, shape]) => shape.test(name))?.[0] ?? "other";

export type FollowedTranscript = {
  readonly entries: readonly TranscriptEntry[];
  readonly problem: Error | null;
  readonly isLoaded: boolean;
};

export const EMPTY_TRANSCRIPT: FollowedTranscript = { entries: [], problem: null, isLoaded: false };

const LOOK_MS = 1_000;

export type Every = StoreClock["every"];

export type Following = ReturnType<typeof followTranscript>;

/**
 * The transcript of an attempt from its start, and what is added while the attempt runs. One request at a time; after a failed one
 * the next follows, and earlier entries stay.
 */
export function followTranscript(
  source: Pick<Source, "transcript">,
  { attempt, every }: { readonly attempt: TaskAttemptRef; readonly every: Every },
  changed: (followed: FollowedTranscript) => void,
) {
  let followed = EMPTY_TRANSCRIPT;
  let next: string | null = null;
  let isStopped = false;
  let isAsking = false;
  let isLive = false;
  let mustAsk = true;
  let stopTimer: (() => void) | null = null;

  async function ask(): Promise<void> {
    if (isAsking || isStopped) return;
    [isAsking, mustAsk] = [true, false];
    try {
      const page = await source.transcript(attempt, next);
      next = page.next;
      if (page.hasMore) mustAsk = true;
      if (page.entries.length > 0 || !followed.isLoaded || followed.problem !== null)
        followed = { entries: [...followed.entries, ...page.entries], problem: null, isLoaded: true };
    } catch (error) {
      followed = { ...followed, problem: error as Error, isLoaded: true };
    }
    isAsking = false;
    if (isStopped) return;
    changed(followed);
    if (mustAsk) await ask();
  }

  return {
    /** Whether the attempt is running: after its end the transcript is requested once more. */
    setLive: (isLiveNow: boolean): void => {
      const hasEnded = isLive && !isLiveNow;
      isLive = isLiveNow;
      if (hasEnded) mustAsk = true;
      if (isLive) stopTimer ??= every(LOOK_MS, () => void ask());
      else {
        stopTimer?.();
        stopTimer = null;
      }
      if (mustAsk) void ask();
    },
    stop: (): void => {
      isStopped = true;
      stopTimer?.();
    },
  };
}
