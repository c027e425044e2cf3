import type { AccountLimitReason, EpochMs, Fact, GateJudged, LandingRefusal, StopMode } from "../facts.ts";
import type { Oid, RefName, RunId } from "../ids.ts";
import { accountOf, isLimited, limitOfAccount } from "../queries.ts";
import { taskAt } from "../run-index.ts";
import type { RunState } from "../run-state.ts";
import { isSelected } from "../run-tasks.ts";
import { entries } from "../sorted-map.ts";

/** What happened to the run as a whole. */
export type RunHappening = { readonly at: EpochMs; readonly task: null; readonly run: RunId } & (
  | { readonly kind: "landed"; readonly commit: Oid; readonly target: RefName }
  | { readonly kind: "refused"; readonly why: LandingRefusal; readonly detail: string }
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
  /** Another run met a limit, and so many tasks of this one wait for its end. */
  | {
      readonly kind: "limited";
      readonly agent: string;
      readonly why: AccountLimitReason;
      readonly until: EpochMs;
      readonly tasks: number;
    }
  /** plait could not do something and tries again. */
  | { readonly kind: "trouble"; readonly detail: string }
);

export function runHappenings(fact: Fact, before: RunState, after: RunState): RunHappening[] {
  const about = { at: fact.at, task: null, run: after.run } as const;
  const { landing } = after;
  const found: RunHappening[] = [];
  if (landing !== before.landing && landing.kind === "landed") {
    found.push({ ...about, kind: "landed", commit: landing.to.commit, target: landing.target });
  }
  if (landing !== before.landing && landing.kind === "refused") {
    found.push({ ...about, kind: "refused", why: landing.why, detail: landing.detail });
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
function asked(fact: Fact, before: RunState, after: RunState): RunHappening[] {
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
      return [{ ...about, kind: "trouble", detail: fact.detail }];
    default:
      return [];
  }
}

type Limited = Omit<Extract<RunHappening, { kind: "limited" }>, "at" | "task" | "run">;

/** What a task of this run met is known before, and was told of that task; of this nothing else would say why nothing starts. */
function limited(
  { account, why }: Extract<Fact, { type: "account.limited" }>,
  before: RunState,
  after: RunState,
): Limited[] {
  const limit = limitOfAccount(after, account);
  const isNew = !isLimited(limitOfAccount(before, account), before.clock);
  if (!isNew || !isLimited(limit, after.clock)) return [];
  const waiting = [...entries(after.tasks)].filter(
    ([i, { phase }]) =>
      phase.kind === "waiting" &&
      accountOf(after, i) === account &&
      isSelected(after, taskAt(after.index, i).id),
  );
  const [first] = waiting;
  if (first === undefined) return [];
  const { work } = taskAt(after.index, first[0]);
  const agent = work.kind === "agent" ? work.agent.use : "account";
  return [{ kind: "limited", agent, why, until: limit.until, tasks: waiting.length }];
}
