import type {
  AttemptFact,
  Fact,
  GateAsker,
  GateJudged,
  PersonFact,
  RunOutcome,
  TypedFact,
} from "../facts.ts";
import { count, elapsed, shortRef } from "../text/figures.ts";
import {
  commitId,
  gateName,
  listing,
  money,
  name,
  path,
  type Sentence,
  sentence,
  task,
} from "../text/sentence.ts";
import { endsByCheck, formatFailure, formatLimit, formatPauseEnd } from "./failure-text.ts";
import { formatFailedStep } from "./format-step.ts";
import { formatRunLevelNotice } from "./notice-text.ts";

/** A fact as people read it in a log: a clause, and details that may stand behind it. */
export type FactText = { readonly title: Sentence; readonly details: readonly Sentence[] };

export function describeFact(fact: Fact, worker: "agent" | "command"): FactText {
  switch (fact.type) {
    case "attempt.started":
      return describeStart(fact);
    case "attempt.spawned":
      return only(`process ${fact.pid}`);
    case "attempt.ended":
      return describeEnd(fact, worker);
    case "attempt.saved":
      return describeSave(fact);
    case "gate.judged":
      return describeVerdict(fact);
    case "candidate.built": {
      const details = (fact.shared ?? []).map((one) => sentence`${path(one.path)}: both additions kept`);
      const on = commitId(fact.from);
      return { title: sentence`merge candidate ${commitId(fact.result.commit)} on ${on}`, details };
    }
    case "candidate.refused":
      return { title: "not merged", details: [formatFailure(fact.failure)] };
    case "integration.advanced":
      return only(sentence`merged as ${commitId(fact.to.commit)}`);
    default:
      return only(formatRunFact(fact));
  }
}

/** As one clause: `claude ended, exit 1, $0.12: gate test red`. */
export function formatFact(fact: Fact, worker: "agent" | "command"): Sentence {
  const { title, details } = describeFact(fact, worker);
  const joint = fact.type === "candidate.refused" ? ": " : ", ";
  return details.reduce((text, detail) => sentence`${text}${joint}${detail}`, title);
}

const only = (title: Sentence): FactText => ({ title, details: [] });

function describeStart({ base, continues, author }: TypedFact<"attempt.started">): FactText {
  if (author === "person") return only("submitted by a person");
  const details = continues === null ? [] : ["continues the previous attempt"];
  return { title: sentence`started on ${commitId(base.commit)}`, details };
}

function describeEnd(fact: TypedFact<"attempt.ended">, worker: string): FactText {
  const { exit, usage, failure, denials } = fact;
  // These failures are the exit itself, and say it.
  const isExit = failure?.reason === "crash" || (failure?.reason === "agent-error" && failure.isClause);
  return {
    title: hasStarted(fact) ? `${worker} ended` : `${worker} not started`,
    details: [
      ...(exit === null || isExit ? [] : [exit.signal === null ? `exit ${exit.code}` : `by ${exit.signal}`]),
      ...(usage.costUsd === null ? [] : [[money(usage.costUsd)]]),
      ...(denials.length === 0 ? [] : [`${count(denials.length, "tool")} denied`]),
      ...(failure === null ? [] : [formatFailure(failure)]),
    ],
  };
}

/** Without an exit and for a reason of its surroundings, no program was started. */
const hasStarted = ({ exit, failure }: TypedFact<"attempt.ended">): boolean =>
  exit !== null || (failure?.reason !== "environment" && failure?.reason !== "not-started");

function describeSave(fact: TypedFact<"attempt.saved">): FactText {
  const { ref, changed, findings, ignored, kept } = fact;
  const [first] = findings;
  const more = findings.length > 1 ? ` and ${findings.length - 1} more` : "";
  return {
    title: changed ? sentence`saved as ${name(ref)}` : "no changes to save",
    details: [
      ...(ignored === 0 ? [] : [`${count(ignored, "ignored file")} not saved`]),
      ...(kept === null ? [] : [sentence`worktree kept at ${path(kept)}`]),
      ...(first === undefined ? [] : [`${first.detail}${more}`]),
    ],
  };
}

/** `test:tax red in 38.2s`, `2 of 41 tests failed`. */
function describeVerdict(fact: GateJudged): FactText {
  const { name: gate, verdict, how, durationMs, summary, tries, asked, isUnprepared } = fact;
  const [first] = asked;
  const isOwn = first === undefined || asked.some(({ kind }) => kind === "attempt");
  const where = isOwn ? "" : ` ${GATE_TREES[first.kind]}`;
  if (isUnprepared) return { title: `setup failed${where}`, details: [summary] };
  const word = how === "no-new-failures" ? "known red" : verdict;
  const took = how === "ran" ? ` in ${formatSeconds(durationMs)}` : "";
  const isSummed = summary !== "" && (how !== "ran" || verdict === "red");
  return {
    title: sentence`gate ${gateName(gate)} ${word}${where}${took}`,
    details: [...(tries > 1 ? [`run ${tries} times`] : []), ...(isSummed ? [summary] : [])],
  };
}

/** The tree that a gate ran on, behind its name. */
export const GATE_TREES: { readonly [K in GateAsker["kind"]]: string } = {
  base: "on the base commit",
  attempt: "on its own tree",
  candidate: "on the merged tree",
  landing: "on the merged result",
};

const formatSeconds = (ms: number): string => (ms < 100_000 ? `${(ms / 1_000).toFixed(1)}s` : elapsed(ms));

type Described =
  | AttemptFact["type"]
  | ("gate.judged" | "candidate.built" | "candidate.refused" | "integration.advanced");
type RunFact = Exclude<Fact, { type: Described }>;

function formatRunFact(fact: RunFact): Sentence {
  switch (fact.type) {
    case "run.started":
      return formatStarted(fact);
    case "run.resumed":
      return `resumed by process ${fact.driver.pid} on ${fact.driver.host}`;
    case "run.slept":
      return `the machine slept for ${elapsed(fact.at - fact.from)}`;
    case "target.moved": {
      const by = fact.isExplained ? "" : " while agents were running";
      return sentence`${shortRef(fact.target)} moved to ${commitId(fact.to)}${by}, not by this run`;
    }
    case "effect.failed":
      return `${formatFailedStep(fact.key)}: ${fact.detail}`;
    case "run.held":
      return formatRunLevelNotice({ kind: "run-held", why: fact.why }).text;
    case "run.ended":
      return `ended, ${OUTCOMES[fact.outcome]}`;
    case "integration.caught-up":
      return sentence`continues from ${commitId(fact.to.commit)} of the target branch`;
    case "landing.built":
      return sentence`merged with ${commitId(fact.onto)} as ${commitId(fact.result.commit)}, to land`;
    case "run.landed":
      return formatRunLevelNotice({ kind: "landed", target: fact.target, commit: fact.to.commit }).text;
    case "landing.refused":
      return formatRefused(fact);
    case "landing.undone": {
      const by = fact.how === "reverted" ? sentence` with ${commitId(fact.to.commit)}` : "";
      return sentence`${formatRunLevelNotice({ kind: "undone", target: fact.target }).text}${by}`;
    }
    case "undo.refused":
      return formatRunLevelNotice({ ...fact, kind: "not-undone" }).text;
    case "run.published":
      return fact.url === null
        ? sentence`pushed to ${name(fact.branch)} of ${name(fact.remote)}`
        : sentence`opened ${name(fact.url)} from ${name(fact.branch)} of ${name(fact.remote)}`;
    case "publishing.refused":
      return fact.detail;
    case "worktree.opened":
      return sentence`worktree ready at ${path(fact.worktree)}`;
    case "account.limited":
      return sentence`${formatLimit(null, fact.why)}${formatPauseEnd(fact.until, endsByCheck(fact.why))}`;
    case "account.probed":
      return fact.ok ? "account works again" : "account still does not work";
    case "waits.skipped":
      return fact.because === "person" ? "retrying now" : "the limit ended; retrying now";
    case "accounts.changed":
      return "agents now use another account";
    case "run.stopping":
      return fact.signal === null ? `stopping (${fact.mode})` : `stopping (${fact.mode}) by ${fact.signal}`;
    case "run.paused":
      return formatRunLevelNotice({ kind: "paused" }).text;
    case "run.unpaused":
      return formatRunLevelNotice({ kind: "unpaused" }).text;
    default:
      return formatAsked(fact);
  }
}

const OUTCOMES: { readonly [O in RunOutcome]: string } = {
  complete: "complete",
  incomplete: "not landed",
  drained: "stopped",
  stopped: "stopped",
  "over-budget": "over budget",
  "not-landed": "not landed",
  held: "held",
  "red-base": "red base commit",
};

/** With a join, an agent may be asked first; otherwise the end of the run says what to do. */
function formatRefused(fact: TypedFact<"landing.refused">): Sentence {
  const { join, paths = [] } = fact;
  if (join === undefined) return formatRunLevelNotice({ ...fact, kind: "refused" }).text;
  return sentence`the target branch has new commits up to ${commitId(join.onto)} that conflict in ${listing(paths.map(path))}`;
}

type AskedFact = TypedFact<Exclude<PersonFact["type"], `run.${string}`>>;

function formatAsked(fact: AskedFact): Sentence {
  switch (fact.type) {
    case "policy.changed":
      return formatRunLevelNotice({ kind: "slots", slots: fact.policy.slots }).text;
    case "landing.asked":
      return "landing requested";
    case "undo.asked":
      return "undo requested";
    case "plan.revised":
      return formatRunLevelNotice({ kind: "revised", tasks: fact.plan.tasks.length }).text;
    case "task.reopened":
      return fact.brief === undefined
        ? sentence`${task(fact.task)} is retried`
        : sentence`${task(fact.task)} is sent back to its agent`;
    case "task.cancelled":
      return sentence`${task(fact.task)} dropped`;
    case "task.held":
      return sentence`${task(fact.task)} held: ${fact.why}`;
    case "task.opened":
      return sentence`${task(fact.task)} opened by a person`;
    case "task.approved":
      return sentence`${task(fact.task)} approved`;
  }
}

function formatStarted(fact: TypedFact<"run.started">): Sentence {
  const { plan, base, target, driver, selected } = fact;
  const tasks = count(selected?.length ?? plan.tasks.length, "task");
  const onto = target === null ? "" : sentence` for ${name(shortRef(target))}`;
  return sentence`started ${tasks}${onto} at ${commitId(base.commit)}, process ${driver.pid} on ${driver.host}`;
}
