import { expandBraces } from "./braces.ts";
import { normalise } from "./compile.ts";
import type { Claim, PathPattern } from "./pattern.ts";

/** `problem` is the end of a sentence that begins with the text; `hint` says what to write instead. */
type Refusal = { readonly ok: false; readonly problem: string; readonly hint: string | null };
export type PatternResult = { readonly ok: true; readonly pattern: PathPattern } | Refusal;
export type ClaimResult = { readonly ok: true; readonly claim: Claim } | Refusal;

/** As long as a path may be on the systems we know. */
const MAX_LENGTH = 4096;

export function parsePattern(text: string): PatternResult {
  return (
    refusedText(text) ??
    refusedPlace(text) ??
    refusedExpansion(text) ?? { ok: true, pattern: normalise(text) as PathPattern }
  );
}

/** Splits `path::Class.method`. Whether a file has such a symbol is not asked: a task may be there to make it. */
export function parseClaim(text: string, mode: Claim["mode"]): ClaimResult {
  const colons = text.indexOf("::");
  const symbol = colons === -1 ? null : text.slice(colons + 2);
  const path = parsePattern(colons === -1 ? text : text.slice(0, colons));
  if (!path.ok) return path;
  if (symbol === null) return { ok: true, claim: { mode, pattern: path.pattern, symbol } };
  if (path.pattern.endsWith("/")) return refuse("names a symbol of a folder", "name a file before `::`");
  const problem = symbolProblem(symbol);
  if (problem !== null) return refuse(problem, "use `path::Class.method`, or the path alone");
  return { ok: true, claim: { mode, pattern: path.pattern, symbol } };
}

function refusedText(text: string): Refusal | null {
  if (text.trim() === "") return refuse("is empty");
  if (text.length > MAX_LENGTH) return refuse(`has ${text.length} characters, the limit is ${MAX_LENGTH}`);
  const control = Array.from(text).find((character) => character < " " || character === "\u007f");
  if (control !== undefined) return refuse(`contains the control character ${JSON.stringify(control)}`);
  if (text.includes("\\")) return refuse("contains a backslash", `use \`${text.replaceAll("\\", "/")}\``);
  if (text.includes("::"))
    return refuse("names a symbol, which only `owns` may do", "use the path without `::`");
  return null;
}

function refusedPlace(text: string): Refusal | null {
  if (text.startsWith("/") || /^[A-Za-z]:\//.test(text)) return refuse("is an absolute path", FROM_ROOT);
  if (text === "~" || text.startsWith("~/")) return refuse("is in a home folder", FROM_ROOT);
  if (text.split("/").includes("..")) return refuse('contains ".."', FROM_ROOT);
  return null;
}

/** Braces may hide a path that would be refused when written out. */
function refusedExpansion(text: string): Refusal | null {
  const expansion = expandBraces(text);
  if (expansion.kind === "unclosed") return refuse("opens a brace that is not closed", "add the missing `}`");
  if (expansion.kind === "undecided" || expansion.texts.length === 1) return null;
  for (const alternative of expansion.texts) {
    if (alternative === "") return refuse("also stands for an empty path");
    const refusal = refusedPlace(alternative);
    if (refusal) return refuse(`stands for \`${alternative}\`, which ${refusal.problem}`, refusal.hint);
  }
  return null;
}

const FROM_ROOT = "use a path from the root of the repository: `src/api/`";

function symbolProblem(symbol: string): string | null {
  if (symbol === "") return "has no symbol after `::`";
  const bad = symbol.split(".").find((part) => !/^[\p{L}_$#@][\p{L}\p{N}_$-]*$/u.test(part));
  if (bad === undefined) return null;
  return bad === ""
    ? "has an empty part in its symbol"
    : `has the symbol part ${JSON.stringify(bad)}, which is not a name`;
}

function refuse(problem: string, hint: string | null = null): Refusal {
  return { ok: false, problem, hint };
}
