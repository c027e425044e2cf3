import type { Fact, GateJudged, Usage } from "../../core/facts.ts";
import type { AttemptFailure } from "../../core/failure.ts";
import { failureText, limitText } from "../../core/select/failure-text.ts";
import { happeningWords, runWords } from "../../core/select/happening-words.ts";
import type { Happening, TaskHappening } from "../../core/select/happenings.ts";
import { count } from "../../core/select/preview/words.ts";
import { elapsed, inText, shortOid, shortRef } from "../../core/select/run-words.ts";
import { turnText } from "../../core/select/turns.ts";
import { untilText } from "../../report/local-times.ts";
import { dollars } from "./figures.ts";

/** Facts as people read them in a log: what plait did, one clause each. */
export function factText(fact: Fact, worker: "agent" | "command"): string {
  switch (fact.type) {
    case "attempt.started":
      return startText(fact);
    case "attempt.spawned":
      return `process ${fact.pid}`;
    case "attempt.ended":
      return endedText(fact, worker);
    case "attempt.saved":
      return savedText(fact);
    case "gate.judged":
      return gateText(fact);
    case "candidate.built":
      return `candidate ${shortOid(fact.result.commit)} on ${shortOid(fact.from)}`;
    case "candidate.refused":
      return `not merged: ${failureText(fact.failure)}`;
    case "integration.advanced":
      return `merged as ${shortOid(fact.to.commit)}`;
    default:
      return runText(fact);
  }
}

function startText({ base, continues, author }: Extract<Fact, { type: "attempt.started" }>): string {
  if (author === "person") return "handed in by a person";
  return `started on ${shortOid(base.commit)}${continues === null ? "" : ", goes on with the attempt before"}`;
}

type AttemptType = "attempt.started" | "attempt.spawned" | "attempt.ended" | "attempt.saved";
type MergeType = "gate.judged" | "candidate.built" | "candidate.refused" | "integration.advanced";
type RunWide = Exclude<Fact, { type: AttemptType | MergeType }>;
type OfPerson = Extract<
  RunWide,
  { type: `task.${string}` | "plan.revised" | "policy.changed" | "landing.asked" | "undo.asked" }
>;

function runText(fact: RunWide): string {
  switch (fact.type) {
    case "run.started":
      return startedText(fact);
    case "run.resumed":
      return `taken over by process ${fact.driver.pid} on ${fact.driver.host}`;
    case "run.slept":
      return `the machine slept for ${elapsed(fact.at - fact.from)}`;
    case "effect.failed":
      return runWords({ kind: "trouble", detail: fact.detail }).text;
    case "run.held":
      return runWords({ kind: "run-held", why: fact.why }).text;
    case "run.ended":
      return `ended, ${fact.outcome}`;
    case "integration.caught-up":
      return `continues from ${shortOid(fact.to.commit)} of the target branch`;
    case "landing.built":
      return `joined with ${shortOid(fact.onto)} as ${shortOid(fact.result.commit)}, to be landed`;
    case "run.landed":
      return runWords({ kind: "landed", target: fact.target, commit: fact.to.commit }).text;
    case "landing.refused":
      return runWords({ ...fact, kind: "refused" }).text;
    case "landing.undone": {
      const by = fact.how === "reverted" ? `, by ${shortOid(fact.to.commit)}` : "";
      return `${runWords({ kind: "undone", target: fact.target }).text}${by}`;
    }
    case "undo.refused":
      return runWords({ kind: "not-undone", detail: fact.detail }).text;
    case "run.published":
      return fact.url === null
        ? `pushed to ${fact.branch} of ${fact.remote}`
        : `proposed as ${fact.url}, from ${fact.branch} of ${fact.remote}`;
    case "publishing.refused":
      return `not on the server: ${fact.detail}`;
    case "worktree.opened":
      return "worktree made ready for a person";
    case "account.limited":
      return `${limitText(null, fact.why)} ${untilText(fact.until, fact.at)}`;
    case "account.probed":
      return fact.ok ? "account works again" : "account does not work yet";
    case "run.stopping":
      return `asked to ${fact.mode}${fact.signal === null ? "" : ` by ${fact.signal}`}`;
    case "run.paused":
      return runWords({ kind: "paused" }).text;
    case "run.unpaused":
      return runWords({ kind: "unpaused" }).text;
    default:
      return personText(fact);
  }
}

function personText(fact: OfPerson): string {
  switch (fact.type) {
    case "policy.changed":
      return runWords({ kind: "slots", slots: fact.policy.slots }).text;
    case "landing.asked":
      return "asked to land what is merged";
    case "undo.asked":
      return "asked to take the landing back";
    case "plan.revised":
      return runWords({ kind: "revised", tasks: fact.plan.tasks.length }).text;
    case "task.reopened":
      return fact.brief === undefined
        ? `${fact.task} is to be tried again`
        : `${fact.task} was sent back to its agent`;
    case "task.cancelled":
      return `${fact.task} was cancelled`;
    case "task.held":
      return `${fact.task} held: ${fact.why}`;
    case "task.opened":
      return `${fact.task} is taken over by a person`;
    case "task.approved":
      return `${fact.task} was approved`;
  }
}

function startedText({
  plan,
  base,
  target,
  driver,
  selected,
}: Extract<Fact, { type: "run.started" }>): string {
  const tasks = count(selected?.length ?? plan.tasks.length, "task");
  const onto = target === null ? "" : ` onto ${shortRef(target)}`;
  return `started, ${tasks}${onto} at ${shortOid(base.commit)}, process ${driver.pid} on ${driver.host}`;
}

function endedText(fact: Extract<Fact, { type: "attempt.ended" }>, worker: string): string {
  const { exit, usage, failure, denials } = fact;
  const parts = [`${worker} ended`];
  if (exit !== null) parts.push(exit.signal === null ? `exit ${exit.code}` : `by ${exit.signal}`);
  parts.push(...usageParts(usage));
  if (denials.length > 0) parts.push(`${count(denials.length, "tool")} refused`);
  return `${parts.join(", ")}${failure === null ? "" : `: ${failureText(failure)}`}`;
}

function usageParts({ costUsd }: Usage): string[] {
  return costUsd === null ? [] : [dollars(costUsd)];
}

function savedText({
  ref,
  changed,
  findings,
  ignored,
  kept,
}: Extract<Fact, { type: "attempt.saved" }>): string {
  const parts = [`saved as ${ref}`];
  if (!changed) parts.push("nothing changed");
  if (ignored > 0) parts.push(`${count(ignored, "ignored file")} not saved`);
  if (kept !== null) parts.push(`worktree kept at ${kept}`);
  const [first] = findings;
  const more = findings.length > 1 ? ` and ${findings.length - 1} more` : "";
  if (first !== undefined) parts.push(`${first.detail}${more}`);
  return parts.join(", ");
}

/** `test:tax red 38.2s, 2 of 41 tests failed`. */
function gateText({ name, verdict, how, durationMs, summary, tries }: GateJudged): string {
  if (how === "no-new-failures") return `${name} known red: ${summary}`;
  if (how !== "ran") return `${name} ${verdict}: ${summary}`;
  const parts = [`${name} ${verdict} ${seconds(durationMs)}`];
  if (tries > 1) parts.push(`${tries} tries`);
  if (verdict === "red" && summary !== "") parts.push(summary);
  return parts.join(", ");
}

function seconds(ms: number): string {
  return ms < 100_000 ? `${(ms / 1_000).toFixed(1)}s` : elapsed(ms);
}

/** What follows from a fact, where the fact does not say it itself. */
export function happeningText(one: Happening): string | null {
  if (one.task === null) return null;
  switch (one.kind) {
    case "retry":
      return `${one.task} is tried again ${inText(one.inMs)}, ${turnText(one.next)}: ${shortWhy(one.failure, one.why)}`;
    case "failed":
      return clause({ ...one, why: shortWhy(one.failure, one.why) });
    case "parked":
    case "held":
    case "open":
    case "skipped":
      return clause(one);
    case "passed":
      return `${one.task} passed`;
    case "stopped":
      return `${one.task} stopped`;
    default:
      return null; // start, merged, cancelled: the fact says it
  }
}

const clause = (one: TaskHappening): string => `${one.task} ${happeningWords(one, untilText).text}`;

/** What the lines above have said is not said again: only what plait itself found when it looked at the work is news. */
function shortWhy(failure: AttemptFailure, why: string): string {
  if (failure.reason === "ownership" || failure.reason === "nothing-done") return why;
  return failure.reason === "gate" ? `gate ${failure.gate} red` : failure.reason.replaceAll("-", " ");
}
