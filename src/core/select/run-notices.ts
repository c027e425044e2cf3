import type { EpochMs, Fact, LandingRefusal, StopMode, TypedFact } from "../facts.ts";
import type { Oid, RefName, RunId, TaskId } from "../ids.ts";
import type { RefusedMove } from "../landing-types.ts";
import { accountOf, formatTargetName, isLimited, limitOfAccount } from "../queries.ts";
import type { RunState } from "../run-state.ts";
import { get, has } from "../sorted-map.ts";
import { formatFailedStep } from "./format-step.ts";
import { isLimit, listWaits, type RunWait } from "./waits.ts";

/** What happened to the run as a whole. */
export type RunNotice = { readonly at: EpochMs; readonly task: null; readonly run: RunId } & RunNoticeBody;

export type RunNoticeBody =
  | { readonly kind: "landed"; readonly commit: Oid; readonly target: RefName }
  | ({ readonly kind: "refused"; readonly why: LandingRefusal } & RefusedMove)
  /** The target moved and conflicts; an agent resolves it. */
  | {
      readonly kind: "target-conflict";
      readonly target: string;
      readonly paths: readonly string[];
      readonly by: TaskId;
    }
  | { readonly kind: "undone"; readonly target: RefName }
  | ({ readonly kind: "not-undone" } & RefusedMove)
  | { readonly kind: "run-held"; readonly why: string }
  /** A gate of the plan was judged before anything was done. */
  | {
      readonly kind: "base";
      readonly gate: string;
      readonly verdict: "green" | "red";
      readonly summary: string;
      readonly isKnown: boolean;
      readonly isUnprepared: boolean;
    }
  | {
      readonly kind: "stopping";
      readonly mode: StopMode;
      readonly attempts: number;
      readonly failedFast: boolean;
    }
  | { readonly kind: "paused" }
  | { readonly kind: "unpaused" }
  | { readonly kind: "resumed"; readonly done: number }
  | { readonly kind: "revised"; readonly tasks: number }
  | { readonly kind: "slots"; readonly slots: number }
  /** Another run met a limit, and tasks of this one wait for its end. */
  | { readonly kind: "limited"; readonly wait: RunWait }
  /** A step of plait's own failed; null where no retry follows. */
  | {
      readonly kind: "trouble";
      readonly step: string;
      readonly detail: string;
      readonly retryInMs: number | null;
    };

export function findRunLevelNotices(fact: Fact, before: RunState, after: RunState): RunNotice[] {
  const about = { at: fact.at, task: null, run: after.run } as const;
  const found = [...compareStates(before, after), ...listAsked(fact, before, after)];
  return found.map((one) => ({ ...about, ...one }));
}

function compareStates(before: RunState, after: RunState): RunNoticeBody[] {
  const { landing, targetFix, held, stopping: mode, failedFast } = after;
  const found: RunNoticeBody[] = [];
  const isNew = landing !== before.landing;
  if (isNew && landing.kind === "landed")
    found.push({ kind: "landed", commit: landing.to.commit, target: landing.target });
  if (isNew && landing.kind === "refused") found.push(landing);
  if (targetFix !== null && before.targetFix === null) {
    const { paths, task: by } = targetFix;
    found.push({ kind: "target-conflict", target: formatTargetName(after), paths, by });
  }
  if (isNew && landing.kind === "undone") found.push({ kind: "undone", target: landing.target });
  if (held !== null && before.held === null) found.push({ kind: "run-held", why: held });
  if (mode !== null && mode !== before.stopping)
    found.push({ kind: "stopping", mode, attempts: after.indices.liveAttempts, failedFast });
  return found;
}

/** What a person or a new driver did, where it had an effect. */
function listAsked(fact: Fact, before: RunState, after: RunState): RunNoticeBody[] {
  switch (fact.type) {
    case "run.resumed":
      return [{ kind: "resumed", done: after.indices.done }];
    case "gate.judged": {
      if (before === after || !fact.asked.some(({ kind }) => kind === "base")) return [];
      const { name: gate, verdict, summary, isUnprepared = false } = fact;
      const isKnown = after.index.baseChecks.some((check) => check.key === fact.gate && check.gate.knownRed);
      return [{ kind: "base", gate, verdict, summary, isKnown, isUnprepared }];
    }
    case "undo.refused":
      return before.undoAsked ? [{ ...fact, kind: "not-undone" }] : [];
    case "run.paused":
      return before.paused ? [] : [{ kind: "paused" }];
    case "run.unpaused":
      return before.paused ? [{ kind: "unpaused" }] : [];
    case "plan.revised": {
      const tasks = after.index.plan.tasks.length - after.gone.size;
      return after.index === before.index ? [] : [{ kind: "revised", tasks }];
    }
    case "policy.changed": {
      const { slots } = after.policy;
      return slots === before.policy.slots ? [] : [{ kind: "slots", slots }];
    }
    case "account.limited":
      return findLimited(fact, before, after);
    case "effect.failed": {
      const { key, detail, at } = fact;
      // A run that is held said why: what had failed before is not repeated.
      if (before.held !== null && has(before.failing, key)) return [];
      const entry = get(after.failing, key);
      const isRetried = entry !== undefined && !entry.isGivenUp && after.held === null;
      const retryInMs = isRetried ? entry.until - at : null;
      return [{ kind: "trouble", step: formatFailedStep(key), detail, retryInMs }];
    }
    default:
      return [];
  }
}

/** What a task of this run met is known before, and was told of that task; of this nothing else would say why nothing starts. */
function findLimited(
  { account }: TypedFact<"account.limited">,
  before: RunState,
  after: RunState,
): RunNoticeBody[] {
  const limit = limitOfAccount(after, account);
  const isNew = !isLimited(limitOfAccount(before, account), before.clock);
  if (!isNew || !isLimited(limit, after.clock)) return [];
  const isHere = (task: TaskId): boolean => accountOf(after, after.index.indexOf.get(task) ?? -1) === account;
  const wait = listWaits(after, after.clock).find((one) => isLimit(one) && one.tasks.some(isHere));
  return wait === undefined ? [] : [{ kind: "limited", wait }];
}
