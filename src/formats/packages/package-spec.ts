/** A package as a manifest, a design or a project names it: `fastapi>=0.110`, `@types/node@^20`. */
export type PackageSpec = {
  /** As written; of an alias, the name that it is installed by. */
  readonly name: string;
  /** Two are the same package where this is the same. */
  readonly key: string;
  readonly source: PackageSource;
  /** Of Python packages: `uvicorn[standard]`. */
  readonly extras: readonly string[];
  /** Of Python packages: what stands behind the semicolon. */
  readonly marker: string | null;
  /** The package that an alias of npm stands for. */
  readonly aliasOf: string | null;
};

export type PackageSource =
  /** In the words of its ecosystem; empty where every version will do. */
  | { readonly kind: "range"; readonly range: string }
  /** `next`: what it means is known to the registry alone. */
  | { readonly kind: "tag"; readonly tag: string }
  /** A repository, an archive, a folder. Exact: it names a commit. */
  | { readonly kind: "address"; readonly address: string; readonly isExact: boolean };

/** The problem ends a sentence about the text. */
export type ParsedSpec =
  | { readonly ok: true; readonly spec: PackageSpec }
  | { readonly ok: false; readonly problem: string };

export type Ecosystem = "python" | "node";

/** Nobody writes longer ones, and what reads them need not be quick. */
const LONGEST = 1_000;

/** What is wrong whatever the ecosystem; null where it may be right. */
export function commonProblem(text: string): string | null {
  if (text.startsWith("-")) return "would be taken for an option";
  if (text.length > LONGEST) return `has more than ${LONGEST} characters`;
  const bad = /[\p{Cc}\p{Cf}$`\\]/u.exec(text)?.[0];
  if (bad !== undefined) return contains(bad);
  return /^[A-Za-z0-9@._]/.test(text) ? null : "does not begin with a name";
}

export function contains(character: string): string {
  return `contains ${JSON.stringify(character)}`;
}

export function namesCommit(address: string): boolean {
  return /[@#][0-9a-f]{40}(?:$|#)/.test(address);
}
