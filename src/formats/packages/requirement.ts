import { commonProblem, contains, namesCommit, type ParsedSpec } from "./package-spec.ts";
import { parsePythonVersion } from "./pep440.ts";

/** One condition on a version: `>=1.2`. */
export type Clause = { readonly operator: ClauseOperator; readonly version: string };

const OPERATORS = ["===", "~=", "==", "!=", "<=", ">=", "<", ">"] as const;
export type ClauseOperator = (typeof OPERATORS)[number];

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
  if (wrong !== undefined) return { ok: false, problem: `has an extra that is no name: ${wrong}` };
  const about = { name, key: pythonKey(name), extras, aliasOf: null };
  if (afterExtras.startsWith("@")) {
    const address = afterExtras.slice(1).trim();
    if (!/^[a-z+]+:\S+$/.test(address)) return { ok: false, problem: "has no address behind the @" };
    return { ok: true, spec: { ...about, marker: null, source: addressOf(address) } };
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
    if (!isVersionFor(operator, version)) return `has a version that PEP 440 does not know: ${part}`;
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
  return { ok: true, spec: { ...about, name, key, source: addressOf(address) } };
}

function addressOf(address: string) {
  return { kind: "address", address, isExact: namesCommit(address) } as const;
}

const MARKER_WORD = /[a-z_]+(?:\.[a-z_]+)?|'[^'"]*'|"[^'"]*"|===|[~=!<>]=|[<>()]|\s+/g;

/** Made of nothing but variables, texts, comparisons, and, or, brackets; whether they make sense, uv knows. */
function isMarker(text: string): boolean {
  const compares = /(?:[=<>]|\bin)\s*['"\w]/.test(text) && /['"]/.test(text);
  return compares && text.replaceAll(MARKER_WORD, "") === "";
}
