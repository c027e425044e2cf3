import type { Guard } from "../core/ownership/guarded.ts";
import type { ChangedFile, Ownership, OwnershipFinding } from "./finding.ts";
import { type GuardedPath, guardedPaths, type RulesBefore } from "./guarded.ts";
import { judgeChange } from "./judge-change.ts";

/** What the author of a change may do, and the rules of the tree that it was made in. */
export type WorkRules = Omit<Ownership, "attributes"> & {
  /** What is guarded and may be changed all the same. */
  readonly consent: readonly Guard[];
  readonly before: RulesBefore;
};

/**
 * All that is wrong with a change: what `judgeChange` finds, then what is guarded and was changed without the plan's consent. What
 * the plan consents to is not outside; what it does not is told as what it is, once for each path: a boundary says more.
 */
export async function judgeWork(
  files: readonly ChangedFile[],
  { owns, boundary, others, consent, before: { attributes, scripts } }: WorkRules,
): Promise<OwnershipFinding[]> {
  const found = await judgeChange(files, {
    owns,
    boundary,
    others,
    ...(attributes != null && { attributes }),
  });
  const guarded = await guardedPaths(files, { owns, consent }, scripts);
  const told = new Map(found.map((one) => [one.path, one]));
  const besides = [...guarded].filter(
    ([path, { isAllowed }]) => !isAllowed && told.get(path)?.kind !== "boundary",
  );
  return [
    ...found.filter(({ kind, path }) => kind !== "outside" || !guarded.has(path)),
    ...besides.map(([path, what]) => guardedFinding(path, what, told.get(path))),
  ];
}

function guardedFinding(
  path: string,
  { guard, what }: GuardedPath,
  instead: OwnershipFinding | undefined,
): OwnershipFinding {
  return {
    kind: "guarded",
    path,
    symbol: null,
    line: null,
    owner: null,
    detail: `${what}: protected; the plan can allow it with \`consent: [${guard}]\`, or by naming the file in \`owns\``,
    ...(instead?.kind === "outside" && { isOutside: true }),
  };
}
