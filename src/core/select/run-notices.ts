import type { EpochMs, Fact, GateJudged, LandingRefusal, StopMode } from "../facts.ts";
import type { Oid, RefName, RunId, TaskId } from "../ids.ts";
import { accountOf, formatTargetName, isLimited, limitOfAccount } from "../queries.ts";
import type { RunState } from "../run-state.ts";
import { get, has } from "../sorted-map.ts";
import { formatStep } from "./format-step.ts";
import { isLimit, listWaits, type RunWait } from "./waits.ts";

/** What happened to the run as a whole. */
export type RunNotice = { readonly at: EpochMs; readonly task: null; readonly run: RunId } & (
  | { readonly kind: "landed"; readonly commit: Oid; readonly target: RefName }
  | { readonly kind: "refused"; readonly why: LandingRefusal; readonly detail: string }
  /** The target moved and conflicts; an agent resolves it. */
  | {
      readonly kind: "target-conflict";
      readonly target: string;
      readonly paths: readonly string[];
      readonly by: TaskId;
    }
  | { readonly kind: "undone"; readonly target: RefName }
  | { readonly kind: "not-undone"; readonly detail: string }
  | { readonly kind: "run-held"; readonly why: string }
  /** A gate of the plan was judged before anything was done. */
  | {
      readonly kind: "base";
      readonly gate: string;
      readonly verdict: "green" | "red";
      readonly summary: string;
      readonly isKnown: boolean;
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
    }
);

export function findRunLevelNotices(fact: Fact, before: RunState, after: RunState): RunNotice[] {
  const about = { at: fact.at, task: null, run: after.run } as const;
  const { landing } = after;
  const found: RunNotice[] = [];
  if (landing !== before.landing && landing.kind === "landed") {
    found.push({ ...about, kind: "landed", commit: landing.to.commit, target: landing.target });
  }
  if (landing !== before.landing && landing.kind === "refused") {
    found.push({ ...about, kind: "refused", why: landing.why, detail: landing.detail });
  }
  const { targetFix } = after;
  if (targetFix !== null && before.targetFix === null) {
    const { paths, task: by } = targetFix;
    found.push({ ...about, kind: "target-conflict", target: formatTargetName(after), paths, by });
  }
  if (landing !== before.landing && landing.kind === "undone")
    found.push({ ...about, kind: "undone", target: landing.target });
  if (after.held !== null && before.held === null)
    found.push({ ...about, kind: "run-held", why: after.held });
  if (after.stopping !== null && after.stopping !== before.stopping) {
    const attempts = after.indices.liveAttempts;
    const { failedFast, stopping: mode } = after;
    found.push({ ...about, kind: "stopping", mode, attempts, failedFast });
  }
  return [...found, ...asked(fact, before, after)];
}

function isKnownRed({ gate }: GateJudged, { index }: RunState): boolean {
  return index.baseChecks.some(({ key, gate: { knownRed } }) => key === gate && knownRed);
}

/** What a person or a new driver did, where it had an effect. */
function asked(fact: Fact, before: RunState, after: RunState): RunNotice[] {
  const about = { at: fact.at, task: null, run: after.run } as const;
  switch (fact.type) {
    case "run.resumed":
      return [{ ...about, kind: "resumed", done: after.indices.done }];
    case "gate.judged":
      return fact.asked.some(({ kind }) => kind === "base") && before !== after
        ? [
            {
              ...about,
              kind: "base",
              gate: fact.name,
              verdict: fact.verdict,
              summary: fact.summary,
              isKnown: isKnownRed(fact, after),
            },
          ]
        : [];
    case "undo.refused":
      return before.undoAsked ? [{ ...about, kind: "not-undone", detail: fact.detail }] : [];
    case "run.paused":
      return before.paused ? [] : [{ ...about, kind: "paused" }];
    case "run.unpaused":
      return before.paused ? [{ ...about, kind: "unpaused" }] : [];
    case "plan.revised":
      return after.index === before.index
        ? []
        : [{ ...about, kind: "revised", tasks: after.index.plan.tasks.length - after.gone.size }];
    case "policy.changed":
      return after.policy.slots === before.policy.slots
        ? []
        : [{ ...about, kind: "slots", slots: after.policy.slots }];
    case "account.limited":
      return limited(fact, before, after).map((one) => ({ ...about, ...one }));
    case "effect.failed":
      // A run that is held said why: what had failed before is not repeated.
      return before.held !== null && has(before.failing, fact.key)
        ? []
        : [{ ...about, kind: "trouble", ...describeTrouble(fact, after) }];
    default:
      return [];
  }
}

function describeTrouble(
  { key, detail, at }: Extract<Fact, { type: "effect.failed" }>,
  { failing, held }: RunState,
): Pick<Extract<RunNotice, { kind: "trouble" }>, "step" | "detail" | "retryInMs"> {
  const entry = get(failing, key);
  const isRetried = entry !== undefined && !entry.isGivenUp && held === null;
  return { step: formatStep(key), detail, retryInMs: isRetried ? entry.until - at : null };
}

type Limited = Omit<Extract<RunNotice, { kind: "limited" }>, "at" | "task" | "run">;

/** What a task of this run met is known before, and was told of that task; of this nothing else would say why nothing starts. */
function limited(
  { account }: Extract<Fact, { type: "account.limited" }>,
  before: RunState,
  after: RunState,
): Limited[] {
  const limit = limitOfAccount(after, account);
  const isNew = !isLimited(limitOfAccount(before, account), before.clock);
  if (!isNew || !isLimited(limit, after.clock)) return [];
  const isHere = (task: TaskId): boolean => accountOf(after, after.index.indexOf.get(task) ?? -1) === account;
  const wait = listWaits(after, after.clock).find((one) => isLimit(one) && one.tasks.some(isHere));
  return wait === undefined ? [] : [{ kind: "limited", wait }];
}
