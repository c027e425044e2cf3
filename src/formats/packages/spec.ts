import { parsePythonVersion } from "./pep440.ts";

export function parsePackageSpec(text: string, ecosystem: Ecosystem): ParsedSpec {
  return ecosystem === "python" ? parseRequirement(text) : parseNpmSpec(text);
}

/** Whether two runs install the same. */
export function isPinned(source: PackageSource, ecosystem: Ecosystem): boolean {
  if (source.kind === "address") return source.isExact;
  return source.kind === "range" && pinnedVersion(source.range, ecosystem) !== null;
}

/** The one version that a range allows by its form. */
export function pinnedVersion(range: string, ecosystem: Ecosystem): string | null {
  const pin = ecosystem === "python" ? /^===?([^,*]+)$/ : /^[=v]*(\d+\.\d+\.\d+(?:[-+][\w.+-]+)?)$/;
  return pin.exec(range)?.[1] ?? null;
}

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
function commonProblem(text: string): string | null {
  if (text.startsWith("-")) return "looks like an option";
  if (text.length > LONGEST) return `has more than ${LONGEST} characters`;
  const bad = /[\p{Cc}\p{Cf}$`\\]/u.exec(text)?.[0];
  if (bad !== undefined) return contains(bad);
  return /^[A-Za-z0-9@._]/.test(text) ? null : "does not begin with a name";
}

function contains(character: string): string {
  return `contains ${JSON.stringify(character)}`;
}

function namesCommit(address: string): boolean {
  return /[@#][0-9a-f]{40}(?:$|#)/.test(address);
}

const NPM_NAME = /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/i;
const LONGEST_NAME = 214;

/** What npm and its kin install: `zod`, `@types/node@^20`, `react@next`, `old@npm:lodash@4`, `name@git+https://…`. */
export function parseNpmSpec(written: string): ParsedSpec {
  const text = written.trim();
  const problem = commonProblem(text);
  if (problem !== null) return { ok: false, problem };
  const at = text.indexOf("@", 1);
  const name = at === -1 ? text : text.slice(0, at);
  if (name.length <= LONGEST_NAME && NPM_NAME.test(name))
    return named(name, at === -1 ? "" : text.slice(at + 1).trim());
  // `owner/repository` and addresses have no name in front.
  const isAddress = /^(?:[a-z+]+:\S+|[\w.-]+\/[\w.-]+(?:#\S+)?)$/i.test(text);
  if (!isAddress) return { ok: false, problem: nameProblem(name) };
  const about = { extras: [], marker: null, aliasOf: null };
  return { ok: true, spec: { ...about, name: text, key: text, source: npmAddress(text) } };
}

function named(name: string, rest: string): ParsedSpec {
  const about = { name, key: name, extras: [], marker: null };
  const alias = /^npm:(.+)$/.exec(rest)?.[1];
  if (alias !== undefined) {
    const behind = parseNpmSpec(alias);
    if (!behind.ok) return behind;
    const { name: aliasOf, source } = behind.spec;
    return source.kind === "address"
      ? { ok: false, problem: "is an alias of something that is not a package" }
      : { ok: true, spec: { ...about, aliasOf, source } };
  }
  const source = sourceOf(rest);
  return typeof source === "string"
    ? { ok: false, problem: source }
    : { ok: true, spec: { ...about, aliasOf: null, source } };
}

/** A word that does not begin like a version is a tag. The words of a range are read by whoever compares versions. */
function sourceOf(rest: string): PackageSource | string {
  if (/^[a-z+]+:\S+$/i.test(rest) || /^[\w.-]+\/[\w.-]+(?:#\S+)?$/.test(rest)) return npmAddress(rest);
  if (/^[a-z][\w.-]*$/i.test(rest) && !/^[vx](?:\d|$|\.)/i.test(rest)) return { kind: "tag", tag: rest };
  const bad = /[^\w.+\-*<>=^~| ]/u.exec(rest)?.[0];
  return bad === undefined ? { kind: "range", range: rest } : contains(bad);
}

function nameProblem(name: string): string {
  const bad = /[^\w.@/~-]/u.exec(name)?.[0];
  return bad === undefined ? "does not begin with a valid npm package name" : contains(bad);
}

function npmAddress(address: string): PackageSource {
  return { kind: "address", address, isExact: namesCommit(address) || OF_THE_REPOSITORY.test(address) };
}

/** What is in the repository is the same for all who start from one commit. */
const OF_THE_REPOSITORY = /^(?:workspace:|(?:file|link|portal):(?!\/|~|(?:\.\/)*\.\.))/;

export type Clause = { readonly operator: ClauseOperator; readonly version: string };

const OPERATORS = ["===", "~=", "==", "!=", "<=", ">=", "<", ">"] as const;
type ClauseOperator = (typeof OPERATORS)[number];

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?/;

/** A requirement of PEP 508: `uvicorn[standard]>=0.30,<1; python_version >= "3.11"`, `name @ git+https://…`. */
export function parseRequirement(written: string): ParsedSpec {
  const text = written.trim();
  const problem = commonProblem(text);
  if (problem !== null) return { ok: false, problem };
  if (/^(?:git|hg|svn|bzr)\+|^https?:\/\//.test(text)) return bareAddress(text);
  const name = NAME.exec(text)?.[0] ?? "";
  if (name === "") return { ok: false, problem: "does not begin with a name" };
  const [, list, afterExtras = ""] = /^\s*(?:\[([^\]]*)\])?\s*(.*)$/s.exec(text.slice(name.length)) ?? [];
  const extras = (list ?? "").split(",").flatMap((extra) => extra.trim() || []);
  const wrong = extras.find((extra) => NAME.exec(extra)?.[0] !== extra);
  if (wrong !== undefined) return { ok: false, problem: `has an extra that is not a name: ${wrong}` };
  const about = { name, key: pythonKey(name), extras, aliasOf: null };
  if (afterExtras.startsWith("@")) {
    const address = afterExtras.slice(1).trim();
    if (!/^[a-z+]+:\S+$/.test(address)) return { ok: false, problem: "has no URL after the @" };
    return { ok: true, spec: { ...about, marker: null, source: pythonAddress(address) } };
  }
  const semicolon = afterExtras.indexOf(";");
  const range = (semicolon === -1 ? afterExtras : afterExtras.slice(0, semicolon)).trim();
  const marker = semicolon === -1 ? null : afterExtras.slice(semicolon + 1).trim();
  if (marker !== null && !isMarker(marker)) return { ok: false, problem: contains(";") };
  const clauses = parseClauses(range);
  if (typeof clauses === "string") return { ok: false, problem: clauses };
  const said = clauses.map(({ operator, version }) => operator + version).join(",");
  return { ok: true, spec: { ...about, marker, source: { kind: "range", range: said } } };
}

/** PEP 503: `Foo_Bar` and `foo-bar` are one package. */
export function pythonKey(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, "-");
}

/** The conditions of a range, or what is wrong with it. */
export function parseClauses(range: string): readonly Clause[] | string {
  const inside = /^\((.*)\)$/s.exec(range)?.[1] ?? range; // older files have them in brackets
  if (inside.trim() === "") return [];
  const clauses: Clause[] = [];
  for (const part of inside.split(",").map((one) => one.trim())) {
    if (part === "" && clauses.length > 0) continue; // a comma at the end is allowed
    const operator = OPERATORS.find((one) => part.startsWith(one));
    if (operator === undefined) return clauseProblem(part);
    const version = part.slice(operator.length).trim();
    if (!isVersionFor(operator, version)) return `has a version that is not valid in PEP 440: ${part}`;
    clauses.push({ operator, version });
  }
  return clauses;
}

function clauseProblem(part: string): string {
  const bad = /[^\w.+\-*^@=/ ]/u.exec(part)?.[0];
  if (bad !== undefined) return contains(bad);
  return `has ${JSON.stringify(part)} where a range should be, such as >=1.2,<2`;
}

function isVersionFor(operator: ClauseOperator, version: string): boolean {
  if (operator === "===") return /^[^\s;)]+$/.test(version);
  const isPrefix = (operator === "==" || operator === "!=") && version.endsWith(".*");
  const parsed = parsePythonVersion(isPrefix ? version.slice(0, -2) : version);
  if (parsed === null) return false;
  // "~= 1" would mean nothing: it is the last number that may grow.
  return operator !== "~=" || parsed.release.length > 1;
}

/** It is known by its address, since nobody knows the name before it is fetched. */
function bareAddress(address: string): ParsedSpec {
  if (/\s/.test(address)) return { ok: false, problem: contains(" ") };
  const name = /#(?:.*&)?egg=([\w.-]+)/.exec(address)?.[1] ?? address;
  const key = name === address ? address : pythonKey(name);
  const about = { extras: [], marker: null, aliasOf: null };
  return { ok: true, spec: { ...about, name, key, source: pythonAddress(address) } };
}

function pythonAddress(address: string) {
  return { kind: "address", address, isExact: namesCommit(address) } as const;
}

const MARKER_WORD = /[a-z_]+(?:\.[a-z_]+)?|'[^'"]*'|"[^'"]*"|===|[~=!<>]=|[<>()]|\s+/g;

/** Made of nothing but variables, texts, comparisons, and, or, brackets; whether they make sense, uv knows. */
function isMarker(text: string): boolean {
  const compares = /(?:[=<>]|\bin)\s*['"\w]/.test(text) && /['"]/.test(text);
  return compares && text.replaceAll(MARKER_WORD, "") === "";
}
