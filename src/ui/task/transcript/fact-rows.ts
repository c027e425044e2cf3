import type { EpochMs, GateJudged } from "../../../core/facts.ts";
import type { TaskId, TextHash } from "../../../core/ids.ts";
import type { RunState } from "../../../core/run-state.ts";
import { taskState } from "../../../core/run-tasks.ts";
import { formatAttemptNumber } from "../../../core/select/attempt-number.ts";
import { describeFact } from "../../../core/select/fact-text.ts";
import { countTokens } from "../../../core/select/forecast.ts";
import { formatNextAttempt, formatNotice } from "../../../core/select/notice-text.ts";
import type { Notice } from "../../../core/select/notices.ts";
import type { LoggedFact } from "../../../core/select/run-log.ts";
import type { StatusKind } from "../../../core/select/task-status.ts";
import { tokenCount } from "../../../core/text/figures.ts";
import { capitalize, listing, name, type Sentence, sentence, task } from "../../../core/text/sentence.ts";
import type { Sign } from "../../parts/icon.tsx";
import type { ShownAttempt, ShownTask } from "../use-task.ts";

/** What plait did with an attempt, and what followed, as rows below what the agent did. */
export type FactRow = {
  readonly at: EpochMs;
  readonly tone: Tone;
  readonly sign: Sign | StatusKind;
  readonly title: Sentence;
  readonly details: readonly Sentence[];
  readonly output: TextHash | null;
};

type Tone = "plain" | "bad" | "good" | "wait";

type RowText = Pick<FactRow, "title" | "details">;

/** From which commit the attempt starts, and why it continues another one. */
export function describeStart({ report }: ShownTask, attempt: ShownAttempt): RowText {
  const started = attempt.facts.find(({ fact }) => fact.type === "attempt.started");
  const before = report.attempts.find(({ n }) => n === attempt.continues);
  return {
    title: `Attempt ${formatAttemptNumber(attempt)}`,
    details: [
      ...(started === undefined ? [] : [describeFact(started.fact, "agent").title]),
      ...(before === undefined ? [] : [`continues #${before.n}: ${before.failure?.text ?? "not merged"}`]),
    ],
  };
}

export function listFactRows(shown: ShownTask, attempt: ShownAttempt): FactRow[] {
  const rows: FactRow[] = [];
  let greens: readonly GreenFact[] = [];
  for (const logged of attempt.facts) {
    const { fact } = logged;
    if (fact.type !== "gate.judged" || fact.verdict === "red" || logged.notices.length > 0) {
      greens = [];
      rows.push(...buildRows(logged, shown, attempt));
      continue;
    }
    const isNext = greens.length > 0 && greens.every((one) => isOnMerge(one) === isOnMerge(fact));
    greens = isNext ? [...greens, fact] : [fact];
    if (isNext) rows.pop();
    rows.push(buildGreenRow(fact, greens));
  }
  return rows;
}

type GreenFact = GateJudged & { readonly at: EpochMs };

const isOnMerge = ({ asked }: GateJudged): boolean => asked.every(({ kind }) => kind !== "attempt");

/** Gates that are green one after another share a row. */
function buildGreenRow(last: Extract<LoggedFact["fact"], GreenFact>, greens: readonly GreenFact[]): FactRow {
  const row = { at: last.at, tone: "plain", sign: "merged", output: null } as const;
  if (greens.length === 1) return { ...row, ...describeFact(last, "agent") };
  const gates = listing(greens.map((one) => name(one.name)));
  const where = isOnMerge(last) ? " on the merged tree" : "";
  return { ...row, title: sentence`gates ${gates} green${where}`, details: [] };
}

function buildRows(logged: LoggedFact, shown: ShownTask, attempt: ShownAttempt): FactRow[] {
  const { fact, notices } = logged;
  const look = logged.attempts.length === 0 ? null : findLook(fact, attempt);
  const worker = shown.task.work.kind;
  const own = look === null ? null : { ...look, ...describe(fact, worker) };
  const isBad = own?.tone === "bad";
  const follows = notices.flatMap((one) => buildFollowRow(one, { shown, isBad }) ?? []);
  const output = fact.type === "gate.judged" && fact.verdict === "red" ? fact.output : null;
  const rest = { at: fact.at, output };
  if (own !== null && isBad) {
    const details = [...own.details, ...follows.flatMap((one) => [one.title, ...one.details])];
    return [{ ...own, ...rest, details }];
  }
  return [...(own === null ? [] : [own]), ...follows].map((row) => ({ ...row, ...rest }));
}

/** With the tokens of the attempt, which a log has no room for. */
function describe(fact: LoggedFact["fact"], worker: "agent" | "command"): RowText {
  const { title, details } = describeFact(fact, worker);
  if (fact.type !== "attempt.ended") return { title, details };
  const tokens = countTokens(fact.usage);
  return { title, details: tokens === 0 ? details : [...details, `${tokenCount(tokens)} tokens`] };
}

type Look = Pick<FactRow, "tone" | "sign">;

/** Null for a fact that has no row: the start of an attempt is the first row. */
function findLook(fact: LoggedFact["fact"], { author }: ShownAttempt): Look | null {
  switch (fact.type) {
    case "attempt.ended":
      if (fact.failure !== null) return { tone: "bad", sign: "failed" };
      return author === "person" ? null : { tone: "plain", sign: "pulse" };
    case "gate.judged":
      return fact.verdict === "red" ? { tone: "bad", sign: "failed" } : { tone: "plain", sign: "merged" };
    default:
      return LOOKS[fact.type] ?? null;
  }
}

const LOOKS: { readonly [T in LoggedFact["fact"]["type"]]?: Look } = {
  "attempt.saved": { tone: "plain", sign: "landed" },
  "candidate.built": { tone: "plain", sign: "merging" },
  "candidate.refused": { tone: "bad", sign: "failed" },
  "integration.advanced": { tone: "good", sign: "merged" },
  "worktree.opened": { tone: "plain", sign: "file" },
  "task.approved": { tone: "plain", sign: "merged" },
};

type Context = {
  readonly shown: ShownTask;
  /** The row of the fact itself has the failure. */
  readonly isBad: boolean;
};

/** What follows from a fact, where the fact does not say it itself. */
function buildFollowRow(one: Notice, { shown, isBad }: Context): Omit<FactRow, "at" | "output"> | null {
  const { sign, text } = formatNotice(one);
  const tone = TONES[one.kind];
  if (tone === undefined) return null;
  const row = { tone, sign, title: text, details: [] };
  if (one.kind === "retry" && isBad) return { ...row, title: `next attempt ${formatNextAttempt(one)}` };
  if (one.kind !== "failed") return row;
  const skipped = listSkippedBy(shown.state, one.task);
  return {
    ...row,
    title: isBad ? sentence`${task(one.task)} failed` : text,
    details: skipped.length === 0 ? [] : [sentence`${listing(skipped.map(task), MOST_SKIPPED)} skipped`],
  };
}

const TONES: { readonly [K in Notice["kind"]]?: Tone } = {
  retry: "wait",
  failed: "bad",
  paused: "wait",
  held: "bad",
  stopped: "plain",
  passed: "good",
};

const MOST_SKIPPED = 4;

function listSkippedBy(state: RunState, id: TaskId): TaskId[] {
  return state.index.plan.tasks.flatMap((one, i) => {
    const { phase } = taskState(state, i);
    return phase.kind === "skipped" && phase.because === id ? [one.id] : [];
  });
}

/** A row as one sentence. */
export const formatRow = ({ title, details }: RowText): readonly [title: Sentence, rest: Sentence] => [
  capitalize(title),
  details.reduce<Sentence>((text, detail) => sentence`${text}, ${detail}`, ""),
];
