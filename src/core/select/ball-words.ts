import type { EpochMs } from "../facts.ts";
import { splitAttemptId } from "../ids.ts";
import { taskAt } from "../run-index.ts";
import type { RunState, TaskPhase } from "../run-state.ts";
import { taskState } from "../run-tasks.ts";
import type { BallGroups } from "./ball-groups.ts";
import { countdown, elapsed } from "./run-words.ts";
import { stateWord } from "./state-words.ts";
import type { Activities, Ball, ShownState, TaskRow } from "./task-rows.ts";
import { turnText } from "./turns.ts";
import { sentenceCase, typedWords, type Word } from "./typed-words.ts";

/** The words of the list that says who has the ball. */

/** What is said of how many tasks somebody has, behind the figure. What was cut off is not done, but it was started. */
export function ballWord(
  ball: Ball,
  n: number,
  { isUnderWay, hasPassed }: { readonly isUnderWay: boolean; readonly hasPassed: boolean },
): string {
  if (ball === "done") return hasPassed ? "done" : "merged";
  if (ball === "you") return n === 1 ? "needs you" : "need you";
  if (ball === "later") return isUnderWay ? "not started" : "not done";
  return ball === "clock" ? "on a timer" : `with ${ball}`;
}

/** `2 failed`, `4 running`, `1 gating, 2 in the queue`, `2 on a timer`. */
export function ballHead(ball: keyof BallGroups, rows: readonly TaskRow[]): string {
  if (ball === "clock") return `${rows.length} on a timer`;
  const counts = new Map<string, number>();
  for (const { shown } of rows) counts.set(headWord(shown), (counts.get(headWord(shown)) ?? 0) + 1);
  const known = HEAD_ORDER.filter((word) => counts.has(word));
  const others = [...counts.keys()].filter((word) => !HEAD_ORDER.includes(word));
  return [...known, ...others].map((word) => `${counts.get(word)} ${word}`).join(", ");
}

const HEAD_ORDER: readonly string[] = ["failed", "held", "running", "fixing", "gating", "in the queue"];

const headWord = (shown: ShownState): string =>
  shown === "queued" || shown === "merging" ? "in the queue" : stateWord(shown);

/**
 * At the right of a row: what decides how long one looks at it. `try 3 of 3`, `15:18`, `in 0:54`, `14:55`. The time is that of
 * the attempt under way, which has its number where there were others: the node shows what all took together.
 */
export function ballTime(
  row: TaskRow,
  { now, timeOfDay }: { readonly now: EpochMs; readonly timeOfDay: (at: EpochMs) => string },
): string {
  if (row.ball === "you") return row.chance === null ? "" : turnText(row.chance);
  if (row.shown === "backoff" && row.until !== null) return `in ${countdown(row.until - now)}`;
  if (row.shown === "parked" && row.until !== null) return timeOfDay(row.until);
  if (row.lastsMs === null) return "";
  const isOfAttempt = row.ball === "agents" && row.attempts > 1 && row.attempt !== null;
  return `${isOfAttempt ? `#${splitAttemptId(row.attempt).n} ` : ""}${elapsed(row.lastsMs)}`;
}

/** Below its name: what its agent does, else why it is where it is. Empty where the state says it all. */
export function ballReason(state: RunState, row: TaskRow, activity: Activities): readonly Word[] {
  const doing = row.attempt === null ? undefined : activity.get(row.attempt)?.action;
  if (row.ball === "agents") return doing == null ? [] : actionWords(doing);
  if (row.note === null) return [];
  const note = `${BEFORE_NOTE[row.shown] ?? ""}${row.note}`;
  const words = typedWords(note, namesFor(state, row));
  // `gemini usage limit`: an agent is written as people know it.
  return row.agent !== null && note.startsWith(row.agent.use) ? words : sentenceCase(words);
}

/** Their notes follow these words, as in the terminal. */
const BEFORE_NOTE: { readonly [S in ShownState]?: string } = { queued: "queued ", waiting: "waits for " };

/** `Edit src/cart.ts`: what is done in words, to what as it is typed. */
function actionWords(action: string): Word[] {
  const cut = action.indexOf(" ") + 1;
  if (!TOOL.test(action.slice(0, cut))) return [{ text: action, isTyped: false }];
  return [
    { text: action.slice(0, cut), isTyped: false },
    { text: action.slice(cut), isTyped: true },
  ];
}

/** What an agent says is a sentence; a tool is known by its name, or has one that is no word. */
const TOOL =
  /^(?:(?:multi|notebook)?(?:edit|read)|write|bash|shell|grep|glob|ls|task|webfetch|websearch|\w+[_.]\S+) $/i;

/** Everything that may stand in its note and has a name. */
function namesFor(state: RunState, row: TaskRow): string[] {
  const i = state.index.indexOf.get(row.task);
  if (i === undefined) return [];
  const gates = (state.index.checks[i] ?? []).map(({ gate }) => gate.name);
  const places = row.openAt === null ? [] : [row.openAt];
  return [...gates, ...places, ...taskAt(state.index, i).needs, ...namesOf(taskState(state, i).phase)];
}

function namesOf(phase: TaskPhase): readonly string[] {
  if (phase.kind === "skipped") return phase.because === null ? [] : [phase.because];
  if (phase.kind !== "failed" && phase.kind !== "backoff") return [];
  const { failure } = phase;
  if (failure.reason === "conflict") return [...failure.paths, ...failure.with];
  if (failure.reason === "ownership") return failure.findings.map(({ path }) => path);
  return failure.reason === "gate" ? [failure.gate] : [];
}
