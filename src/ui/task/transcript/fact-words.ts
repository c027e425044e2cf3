import type { EpochMs, GateJudged } from "../../../core/facts.ts";
import type { TaskId, TextHash } from "../../../core/ids.ts";
import type { RunState } from "../../../core/run-state.ts";
import { taskState } from "../../../core/run-tasks.ts";
import { failureText } from "../../../core/select/failure-text.ts";
import type { Happening } from "../../../core/select/happenings.ts";
import { count } from "../../../core/select/preview/words.ts";
import type { LoggedFact } from "../../../core/select/run-log.ts";
import { countdown, dollars, listed, shortOid, tokenCount } from "../../../core/select/run-words.ts";
import { isLater, turnText } from "../../../core/select/turns.ts";
import { untilText } from "../../../report/local-times.ts";
import { plainText } from "../../parts/ansi.ts";
import type { Sign } from "../../parts/icon.tsx";
import { duration } from "../gates/gate-rows.ts";
import type { ShownAttempt, ShownTask } from "../use-task.ts";

/** What plait did with an attempt, and what followed, as rows below what the agent did. */
export type FactRow = {
  readonly at: EpochMs;
  readonly tone: "plain" | "bad" | "good" | "wait";
  readonly sign: Sign | "failed" | "merged" | "gating" | "backoff" | "parked" | "held" | "merging";
  readonly title: string;
  readonly text: string;
  readonly output: TextHash | null;
};

type Words = Omit<FactRow, "at" | "output">;

/** How the attempt begins: from where, and what it was told besides its prompt. */
export function startWords({ report, task }: ShownTask, attempt: ShownAttempt): Words {
  const told = attempt.facts.find(({ fact }) => fact.type === "attempt.started")?.fact;
  const from = told?.type === "attempt.started" ? `from ${shortOid(told.base.commit)}` : "";
  const before = report.attempts.find(({ n }) => n === attempt.continues);
  const who =
    attempt.author === "person" ? "a person's work" : task.work.kind === "command" ? "a command" : "";
  const why =
    before === undefined
      ? ""
      : `goes on with attempt ${before.n}, told why: ${plainText(before.failure?.says ?? "it was not merged")}`;
  const text = [from, who, why].filter((part) => part !== "").join(", ");
  return { tone: "plain", sign: "backoff", title: `Attempt ${attempt.n} starts`, text };
}

export function factRows(shown: ShownTask, attempt: ShownAttempt): FactRow[] {
  const rows: FactRow[] = [];
  let greens: FactRow | null = null;
  for (const logged of attempt.facts) {
    const { fact } = logged;
    const isGreen = fact.type === "gate.judged" && fact.verdict === "green" && logged.happenings.length === 0;
    if (isGreen && greens !== null) {
      greens = joined(greens, fact);
      rows[rows.length - 1] = greens;
      continue;
    }
    const told = rowsOf(logged, shown, attempt);
    rows.push(...told);
    greens = isGreen ? (told[0] ?? null) : null;
  }
  return rows;
}

/** Gates that are green one after another are one row. */
const joined = (row: FactRow, { name, at }: GateJudged & { readonly at: EpochMs }): FactRow => ({
  ...row,
  at,
  title: `${row.title.replace(/^Gate /, "Gates ").replace(/ (is|are) green$/, "")}, ${name} are green`,
  text: "",
});

function rowsOf(logged: LoggedFact, shown: ShownTask, attempt: ShownAttempt): FactRow[] {
  const { fact, happenings } = logged;
  const own = logged.attempts.length === 0 ? null : ownWords(logged, attempt);
  const follows = happenings.flatMap((one) => followWords(one, shown) ?? []);
  const output = fact.type === "gate.judged" && fact.verdict === "red" ? fact.output : null;
  if (own?.tone === "bad" && follows.length > 0) {
    const text = [own.text, ...follows.map(sentence)].filter((part) => part !== "").join(". ");
    return [{ ...own, text, at: fact.at, output }];
  }
  return [...(own === null ? [] : [own]), ...follows].map((words) => ({ ...words, at: fact.at, output }));
}

const sentence = ({ title, text }: Words): string => (text === "" ? title : `${title}, ${text}`);

function ownWords({ fact }: LoggedFact, attempt: ShownAttempt): Words | null {
  switch (fact.type) {
    case "attempt.ended":
      return endedWords(fact, attempt);
    case "attempt.saved": {
      const what = fact.changed ? `Work saved as ${fact.ref}` : "Nothing was changed";
      const found = fact.findings.length === 0 ? [] : [count(fact.findings.length, "finding")];
      const left = fact.ignored === 0 ? [] : [`${count(fact.ignored, "ignored file")} not saved`];
      return { tone: "plain", sign: "landed", title: what, text: [...found, ...left].join(", ") };
    }
    case "gate.judged":
      return gateWords(fact);
    case "candidate.built": {
      const title = `Candidate ${shortOid(fact.result.commit)} on ${shortOid(fact.from)}`;
      return { tone: "plain", sign: "merging", title, text: "" };
    }
    case "candidate.refused":
      return { tone: "bad", sign: "failed", title: "Not merged", text: plainText(failureText(fact.failure)) };
    case "integration.advanced":
      return { tone: "good", sign: "merged", title: `Merged as ${shortOid(fact.to.commit)}`, text: "" };
    case "worktree.opened":
      return { tone: "plain", sign: "file", title: "Worktree made ready for a person", text: fact.worktree };
    case "task.approved":
      return { tone: "plain", sign: "merged", title: "Approved by a person", text: "" };
    default:
      return null; // how it began is told on top
  }
}

type EndedFact = Extract<LoggedFact["fact"], { type: "attempt.ended" }>;

function endedWords({ exit, usage, failure, denials }: EndedFact, { author }: ShownAttempt): Words {
  const who = author === "person" ? "Work was handed in" : "Agent ended";
  const code = exit === null ? "" : exit.signal === null ? `, exit ${exit.code}` : `, by ${exit.signal}`;
  const tokens = (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
  const figures = [
    ...(tokens === 0 ? [] : [`${tokenCount(tokens)} tokens`]),
    ...(usage.costUsd === null ? [] : [dollars(usage.costUsd)]),
    ...(denials.length === 0 ? [] : [`${count(denials.length, "tool")} refused`]),
  ].join(", ");
  if (failure === null) return { tone: "plain", sign: "pulse", title: `${who}${code}`, text: figures };
  const text = [plainText(failureText(failure)), figures].filter((part) => part !== "").join(". ");
  return { tone: "bad", sign: "failed", title: `${who}${code}`, text };
}

function gateWords({ name, verdict, how, tries, durationMs, summary, asked }: GateJudged): Words {
  const where = asked.some(({ kind }) => kind === "attempt") ? "" : " on the merged tree";
  if (verdict === "red")
    return { tone: "bad", sign: "failed", title: `Gate ${name} is red${where}`, text: plainText(summary) };
  const time = how === "ran" ? duration(durationMs) : plainText(summary);
  const flaky = tries > 1 ? `, at try ${tries}` : "";
  return { tone: "plain", sign: "merged", title: `Gate ${name} is green${where}`, text: `${time}${flaky}` };
}

/** What follows from a fact, where the fact does not say it itself. */
function followWords(one: Happening, { state }: ShownTask): Words | null {
  switch (one.kind) {
    case "retry": {
      const inWords = one.inMs === 0 ? "at once" : `in ${countdown(one.inMs)}`;
      return { tone: "wait", sign: "backoff", title: `Tried again ${inWords}`, text: turnText(one.next) };
    }
    case "failed": {
      // A failure that no other try could mend comes before the last one.
      const isLast = isLater(one.last) && one.last.n === one.last.of;
      const last = isLast ? `That was ${turnText(one.last)}, so ` : "";
      const skipped = skippedBy(state, one.task);
      const more =
        skipped.length === 0 ? "" : ` and ${listed(skipped)} ${skipped.length === 1 ? "is" : "are"} skipped`;
      return { tone: "bad", sign: "failed", title: `${last}${one.task} failed${more}`, text: "" };
    }
    case "parked":
      return {
        tone: "wait",
        sign: "parked",
        title: `Parked ${untilText(one.until, one.at)}`,
        text: one.why,
      };
    case "held":
      return { tone: "bad", sign: "held", title: "Held for a person", text: plainText(one.why) };
    case "stopped":
      return { tone: "plain", sign: "stop", title: "Stopped", text: "it goes on another time" };
    case "passed":
      return { tone: "good", sign: "merged", title: "Passed", text: "" };
    default:
      return null;
  }
}

const MOST_SKIPPED = 4;

function skippedBy(state: RunState, id: TaskId): string[] {
  const all = state.index.plan.tasks.filter((_, i) => {
    const { phase } = taskState(state, i);
    return phase.kind === "skipped" && phase.because === id;
  });
  const names = all.slice(0, MOST_SKIPPED).map((task) => task.id as string);
  return all.length > MOST_SKIPPED ? [...names, `${all.length - MOST_SKIPPED} more`] : names;
}
