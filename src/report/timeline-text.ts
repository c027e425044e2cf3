import type { EpochMs } from "../core/facts.ts";
import { splitAttemptId } from "../core/ids.ts";
import { doneText } from "../core/select/end-words.ts";
import { factor } from "../core/select/preview/words.ts";
import { elapsed } from "../core/select/run-words.ts";
import type { Expected } from "../core/select/timeline/expected.ts";
import type { EndMark, Gap, Stretch, StretchKind } from "../core/select/timeline/stretch.ts";
import type { Timeline, TimelineRow } from "../core/select/timeline.ts";

/** What a timeline shows, in words: for who points at it, for who cannot see it, and for pictures. */

type Clock = (at: EpochMs) => string;

const WORDS: { readonly [K in StretchKind]: string } = {
  // Mostly there is no slot; but a limit of its agent, a full group or a paused run keep it back as well.
  ready: "ready, not started",
  agent: "agent",
  gates: "gates",
  queue: "in the queue",
  merge: "merge",
  conflict: "conflict",
  backoff: "back-off",
  parked: "parked",
  held: "waits for you",
};

const isStretch = (one: Stretch | Expected): one is Stretch => "result" in one;

/** `attempt 2`, `fix round 1, attempt 3`; nothing for waits before the first. */
function attemptText({ attempt, round }: Pick<Stretch, "attempt" | "round">): string | null {
  if (attempt === null) return null;
  const { n } = splitAttemptId(attempt);
  return round > 0 ? `fix round ${round}, attempt ${n}` : `attempt ${n}`;
}

/** `agent, attempt 2: 14:25:30 to 14:30:30, 5:00`. */
export function stretchText({ row }: TimelineRow, one: Stretch | Expected, clock: Clock): string {
  const took = elapsed(one.to - one.from);
  if (!isStretch(one)) return `expected ${one.kind}: ${clock(one.from)} to ${clock(one.to)}, about ${took}`;
  const kind = one.kind === "agent" && row.agent === null ? "command" : WORDS[one.kind];
  const which = row.attempts > 1 && isWork(one) ? attemptText(one) : null;
  const what = [kind, ...(which === null ? [] : [which])].join(", ");
  return `${what}: ${when(one, took, clock)}${one.note === null ? "" : `; ${one.note}`}`;
}

const isWork = ({ kind }: Stretch): boolean => kind === "agent" || kind === "gates";

function when({ kind, from, to, result }: Stretch, took: string, clock: Clock): string {
  if (from === to) return clock(from);
  const isWait = kind === "parked" || kind === "backoff";
  if (result === "under-way" && isWait) return `since ${clock(from)}, until ${clock(to)}`;
  if (result === "under-way") return `since ${clock(from)}, ${took}`;
  return `${clock(from)} to ${clock(to)}, ${took}`;
}

export function endText({ kind, at, note }: EndMark, clock: Clock): string {
  return `${kind} at ${clock(at)}${note === null ? "" : `: ${note}`}`;
}

export function gapText({ from, to, why }: Gap, clock: Clock): string {
  const what = why === "slept" ? "the machine slept" : "nobody drove the run";
  return `${what}: ${clock(from)} to ${clock(to)}, ${elapsed(to - from)}`;
}

/** A row as one sentence, without what took no time. */
export function rowText(row: TimelineRow, clock: Clock): string {
  const told = row.stretches.filter(({ from, to, result }) => to - from >= 1_000 || result === "bad");
  const stretches = told.map((one) => stretchText(row, one, clock));
  const last = row.ends.at(-1);
  return [...stretches, ...(last === undefined ? [] : [endText(last, clock)])].join("; ");
}

/** `10 of 24 merged, 42:18, one after another 3:12:33 (4.6x faster)`. */
export function timelineTitle({ seen }: Timeline): string {
  const { progress, times } = seen;
  const { wallMs, serialMs, speedUp } = times;
  const isFaster = speedUp !== null && speedUp >= 1.05;
  const serial = isFaster ? `, one after another ${elapsed(serialMs)} (${factor(speedUp)} faster)` : "";
  return `${doneText(progress)}, ${elapsed(wallMs)}${serial}`;
}
