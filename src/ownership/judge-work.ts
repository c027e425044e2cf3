import { type ChangeFinding, changeJudge } from "../core/ownership/change.ts";
import type { Consent } from "../core/ownership/guarded.ts";
import { ownerSearch } from "../core/ownership/owner.ts";
import type { ChangedFile, Ownership, OwnershipFinding } from "./finding.ts";
import { isGenerated, markedGenerated } from "./generated.ts";
import { type GuardedPath, guardedPaths, type RulesBefore } from "./guarded.ts";

/** What the author of a change may do, and the rules of the tree that it was made in. */
export type WorkRules = Omit<Ownership, "attributes"> & {
  /** What is guarded and may be changed all the same. */
  readonly consent: readonly Consent[];
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
  const detail = `${what}: protected; the plan can allow it with \`consent: [${guard}]\`, or by naming the file in \`owns\``;
  const isOutside = instead?.kind === "outside";
  return { ...aboutPath(path, detail), kind: "guarded", ...(isOutside && { isOutside }) };
}

const aboutPath = (path: string, detail: string) => ({ path, symbol: null, line: null, owner: null, detail });

/**
 * All that a task should not have changed, and of which it cannot be told, in the order of the files. Paths are judged by the claims;
 * where only parts of a file are owned, both of its texts are read, and the parts that differ are judged. The parser is loaded by
 * the first such file: most plans have none.
 */
export async function judgeChange(
  files: readonly ChangedFile[],
  { owns, boundary, others, attributes }: Ownership,
): Promise<OwnershipFinding[]> {
  const judge = changeJudge(owns, boundary);
  const isMarked = markedGenerated(attributes ?? "");
  const ownerOf = ownerSearch(others);
  const findings: OwnershipFinding[] = [];
  for (const file of files) {
    const { path } = file;
    const verdict = judge(path);
    const isMade = isMarked(path);
    if (verdict.kind !== "covered") {
      const mayAsk = file.change !== "added" && findings.length < MOST_LOOKED_INTO;
      const isReported = isMade || (mayAsk && isGenerated((await file.before()) ?? ""));
      const detail = isReported ? `${pathText(verdict)}; it is a generated file` : pathText(verdict);
      findings.push({ ...aboutPath(path, detail), kind: verdict.kind, owner: ownerOf(path, null) });
    } else if (verdict.symbols !== null) {
      const { judgeSymbols } = await import("./judge-symbols.ts");
      const found = await judgeSymbols(file, { symbols: verdict.symbols, ownerOf, isMarked: isMade });
      findings.push(...(verdict.unsure === null ? found : unsureAll(found, verdict.unsure)));
    }
  }
  return findings;
}

/** Nobody reads what is said of more; thousands of files may be there by mistake. */
const MOST_LOOKED_INTO = 100;

function pathText(verdict: ChangeFinding): string {
  if (verdict.kind === "unsure") return unsureText(verdict.pattern);
  return verdict.kind === "boundary" ? `inside the boundary ${verdict.pattern}` : "not in `owns` of the task";
}

function unsureText(pattern: string): string {
  return `unclear if ${pattern} covers it`;
}

/** Another claim may cover all of it: then nothing that was found is certain. */
function unsureAll(found: readonly OwnershipFinding[], pattern: string): OwnershipFinding[] {
  const [first] = found;
  if (first === undefined) return [];
  return [{ ...aboutPath(first.path, unsureText(pattern)), kind: "unsure" }];
}
