import { symbolsMeet } from "../ownership/claims.ts";
import { compile } from "../ownership/compile.ts";
import { type Claim, claimText, type PathPattern } from "../ownership/pattern.ts";
import { type Holding, holdingsOf, type OwnershipCheck } from "./owners.ts";

/** Claims that create the same path: they are not reported as an overlap again. */
export type CreatedTwice = { readonly has: (x: Holding, y: Holding) => boolean };

/**
 * A path can be created once, whatever the order; later tasks are held against the first. Only plain paths count: what
 * a glob will create is unknown; see created-in-glob.ts.
 */
export function checkCreated({ owners, report }: OwnershipCheck): CreatedTwice {
  const creators = new Map<string, Holding[]>();
  const created = new Map<Claim, readonly string[]>();
  const told = new Set<string>();
  for (const holding of holdingsOf(owners)) {
    if (holding.claim.mode !== "create") continue;
    const paths = plainPaths(holding.claim.pattern);
    created.set(holding.claim, paths);
    for (const path of paths) {
      const before = creators.get(path) ?? [];
      const first = before.find((other) => isSameThing(other, holding));
      before.push(holding);
      creators.set(path, before);
      if (first === undefined || told.has(keyOf(first, holding))) continue;
      told.add(keyOf(first, holding));
      reportTwice(path, first, holding, report);
    }
  }
  return {
    has: (x, y) => {
      if (x.claim.mode !== "create" || y.claim.mode !== "create") return false;
      const others = created.get(y.claim) ?? [];
      return (created.get(x.claim) ?? []).some((path) => others.includes(path));
    },
  };
}

/** Of braces each; a glob has none. */
export function plainPaths(pattern: PathPattern): string[] {
  return compile(pattern).flatMap((way) => (way.kind === "literal" ? [way.path] : []));
}

function isSameThing(a: Holding, b: Holding): boolean {
  return a.owner !== b.owner && symbolsMeet(a.claim.symbol, b.claim.symbol);
}

function keyOf(a: Holding, b: Holding): string {
  return `${a.owner.index} ${b.owner.index}`;
}

function reportTwice(path: string, one: Holding, other: Holding, report: OwnershipCheck["report"]): void {
  const [first, second] = [one.owner.draft.id.value, other.owner.draft.id.value];
  const related = [{ at: one.at, task: first, path: claimText(one.claim) }];
  report("created-twice", { first, second, path }, other.at, { related });
}
