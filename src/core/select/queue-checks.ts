import type { EpochMs, Fact, TypedFact } from "../facts.ts";
import { groupBy } from "../group-by.ts";
import type { Oid } from "../ids.ts";
import { type Check, checkKey } from "../run-index.ts";
import { greenKey } from "../run-tasks.ts";
import { findMiddle } from "./totals.ts";

/** A gate of a tree as a chip shows it. */
export type ShownCheck = {
  readonly name: string;
  readonly state: "waiting" | "running" | "green" | "red";
  /** How long it took, or has run; null where that is not known. */
  readonly ms: number | null;
  /** Green without a run for this tree: it was judged before, or looks at nothing that changed. */
  readonly isCached: boolean;
  /** Green only when it was tried again. */
  readonly isFlaky: boolean;
};

type Judged = TypedFact<"gate.judged">;

/** What was judged so far: facts tell how long it took, which a state does not keep. */
export type Verdicts = {
  /** By tree and check, the last. */
  readonly byTree: ReadonlyMap<string, Judged>;
  /** By tree: when a gate of it was judged last. */
  readonly lastOf: ReadonlyMap<Oid, EpochMs>;
  /** By check: how long it mostly takes. */
  readonly usualMs: ReadonlyMap<string, number>;
};

export function verdictsOf(facts: readonly Fact[], upTo: number): Verdicts {
  const byTree = new Map<string, Judged>();
  const lastOf = new Map<Oid, EpochMs>();
  const checkOf = ({ gate: key, preparation }: Judged) => ({ key, preparation });
  const judged = facts.slice(0, upTo).filter((fact) => fact.type === "gate.judged");
  for (const fact of judged) {
    byTree.set(greenKey(fact.tree, checkOf(fact)), fact);
    lastOf.set(fact.tree, fact.at);
  }
  const green = judged.filter(({ how, verdict }) => how === "ran" && verdict !== "red");
  const lengths = [...groupBy(green, (fact) => checkKey(checkOf(fact)))].map(
    ([key, all]) => [key, findMiddle(all.map(({ durationMs }) => durationMs)) ?? 0] as const,
  );
  return { byTree, lastOf, usualMs: new Map(lengths) };
}

/** A tree and what is asked of it. */
export type Judging = {
  readonly tree: Oid;
  readonly checks: readonly Check[];
  /** Of these, those without a green verdict: they go one after another. */
  readonly missing: readonly Check[];
  /** When they were asked for. */
  readonly since: EpochMs;
  /** The gate that was red, by its name. */
  readonly red: string | null;
  /** Whether the first that is missing is under way. */
  readonly isRunning: boolean;
};

export function shownChecks(judging: Judging, verdicts: Verdicts, now: EpochMs): ShownCheck[] {
  const { tree, checks, missing, since, red, isRunning } = judging;
  const open = new Set(missing.map(checkKey));
  const first = missing[0] === undefined ? null : checkKey(missing[0]);
  return checks.map((check): ShownCheck => {
    const key = checkKey(check);
    const { name } = check.gate;
    const verdict = verdicts.byTree.get(greenKey(tree, check));
    const plain = { name, ms: null, isCached: false, isFlaky: false };
    if (!open.has(key)) {
      const isCached = verdict === undefined || !hasRun(verdict.how) || verdict.at < since;
      return {
        name,
        state: "green",
        ms: isCached ? null : verdict.durationMs,
        isCached,
        isFlaky: !isCached && verdict.tries > 1,
      };
    }
    if (name === red) return { ...plain, state: "red", ms: verdict?.durationMs ?? null };
    if (key !== first || !isRunning || red !== null) return { ...plain, state: "waiting" };
    return { ...plain, state: "running", ms: Math.max(0, now - beganAt(judging, verdicts)) };
  });
}

/** The gates of a tree follow each other. */
const beganAt = ({ tree, since }: Judging, { lastOf }: Verdicts): EpochMs =>
  Math.max(since, lastOf.get(tree) ?? 0);

/** How long until all of them are judged; null where one of them was never seen, or takes longer than it ever did. */
export function judgedInMs(judging: Judging, verdicts: Verdicts, now: EpochMs): number | null {
  const usual = usualMs(judging.missing, verdicts);
  const [first] = judging.missing;
  if (usual === null || first === undefined) return usual;
  const lasted = Math.max(0, now - beganAt(judging, verdicts));
  return lasted > (verdicts.usualMs.get(checkKey(first)) ?? 0) ? null : usual - lasted;
}

/** How long these mostly take, one after another. */
export function usualMs(checks: readonly Check[], verdicts: Verdicts): number | null {
  let sum = 0;
  for (const check of checks) {
    const ms = verdicts.usualMs.get(checkKey(check));
    if (ms === undefined) return null;
    sum += ms;
  }
  return sum;
}

const hasRun = (how: Judged["how"]): boolean => how !== "unaffected" && how !== "remembered";
