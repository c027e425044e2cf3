import { Composer, type Document, type YAMLError } from "yaml";
import type { Caps } from "../../core/caps.ts";
import type { Diagnostic } from "../../core/source.ts";
import { buildFormatFinding } from "../catalog.ts";
import { misplacedFrontMatter, type Part } from "../front-matter.ts";
import type { TextIndex } from "../text-index.ts";
import { buildTree } from "./build.ts";
import { readJson } from "./json-tree.ts";
import { findNotJson, isJson, type NotJson } from "./strict-json.ts";
import { syntaxDiagnostics, unquotedDiagnostics } from "./syntax.ts";
import { type TokenProblem, tokenize } from "./tokens.ts";
import type { Tree } from "./tree.ts";
import { masked, type Unquoted, unquotedAt, withoutOverlaps } from "./unquoted.ts";

export type ParseOptions = {
  /** The part of the file that is YAML; default: all of it. */
  readonly part?: Part;
  readonly caps: Caps;
  readonly json?: boolean;
  /** `<<` takes over what another map says, as it did in YAML 1.1. */
  readonly mergeKeys?: boolean;
};

export type Parsed = { readonly tree: Tree | null; readonly diagnostics: readonly Diagnostic[] };

/** One YAML or JSON document as a tree with places, or everything that is wrong with its syntax. */
export function parseYaml(index: TextIndex, options: ParseOptions): Parsed {
  const { part = { start: 0, end: index.text.length }, caps, json = false, mergeKeys = false } = options;
  const base = part.start;
  const text = index.text.slice(part.start, part.end);
  const notJson = json && !isJson(text);
  if (json && !notJson) return parseJson(index, part, caps);
  const found = notJson ? findNotJson(text) : null;
  if (found) return failed(jsonDiagnostic(index, base, found));

  const { document, problem, errors, unquoted } = readDocument(text, caps);
  const lackQuotes = unquotedDiagnostics(unquoted, index, base);
  if (problem) return failed(...lackQuotes, tokenDiagnostic(index, part, { problem, caps }));
  const diagnostics = [
    ...lackQuotes,
    ...syntaxDiagnostics(
      errors
        .slice(0, MOST_ERRORS)
        .filter(({ pos: [at] }) => !unquoted.some(({ start, end }) => at >= start && at <= end)),
      index,
      part,
    ),
  ].map((one): Diagnostic => (json ? { ...one, code: "json-syntax" } : one));
  if (errors.some(({ code }) => !harmless.has(code))) {
    // As old Macs wrote files; YAML takes all of it for one line.
    const hasOldLineEnds = text.includes("\r") && !text.includes("\n");
    const lineEnds = buildFormatFinding("yaml-syntax", { kind: "line-ends" }, index.lineRange(0, 1));
    return failed(...(hasOldLineEnds ? [lineEnds] : diagnostics));
  }
  if (notJson) return failed(jsonDiagnostic(index, base, { start: 0, end: 1, kind: "syntax" }));
  if (!document?.contents) return failed(...diagnostics);
  const masked = new Set(unquoted.map(({ start }) => start));
  const built = buildTree(document.contents, { index, base, maxDepth: caps.maxDepth, masked, mergeKeys });
  return { tree: built.tree, diagnostics: [...diagnostics, ...built.diagnostics] };
}

function parseJson(index: TextIndex, part: Part, caps: Caps): Parsed {
  const { tree, problem, diagnostics } = readJson(index, caps.maxDepth);
  return problem ? failed(tokenDiagnostic(index, part, { problem, caps })) : { tree, diagnostics };
}

/** Errors after which the parser still has read everything as it was meant. */
const harmless: ReadonlySet<string> = new Set(["TAG_RESOLVE_FAILED", "BAD_SCALAR_START", "BAD_DQ_ESCAPE"]);

type Read = {
  readonly document: Document.Parsed | null;
  readonly problem: TokenProblem | null;
  readonly errors: readonly YAMLError[];
  readonly unquoted: readonly Unquoted[];
};

/** A hostile file has one for every few characters. */
const MOST_ERRORS = 1_000;
/** Each time costs as much as the first. */
const MOST_READINGS = 4;
const LONGEST_REREAD = 256 * 1024;

/** Texts that lack quotes break what is around them. They are masked, and the document is read again without them. */
function readDocument(text: string, caps: Caps): Read {
  let unquoted: Unquoted[] = [];
  for (let reading = 1; ; reading += 1) {
    const { tokens, problem } = tokenize(masked(text, unquoted), caps);
    const document = problem ? null : compose(tokens);
    const errors = [...(document?.errors ?? []), ...(document?.warnings ?? [])];
    const found = errors.slice(0, MOST_ERRORS).flatMap((error) => unquotedAt(text, error) ?? []);
    const more = withoutOverlaps([...unquoted, ...found]);
    const isLast =
      reading >= MOST_READINGS || text.length > LONGEST_REREAD || more.length === unquoted.length;
    if (isLast) return { document, problem, errors, unquoted: reading === 1 ? more : unquoted };
    unquoted = more;
  }
}

/**
 * Repeated keys are found by buildTree: the parser compares each key with all before it, which is quadratic.
 * A hostile file can have a million errors, and most of their price is the stack trace of each.
 */
function compose(tokens: Parameters<Composer["compose"]>[0]): Document.Parsed | null {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    const composer = new Composer({
      uniqueKeys: false,
      stringKeys: true,
      resolveKnownTags: false,
      merge: false,
    });
    for (const document of composer.compose(tokens)) return document as Document.Parsed;
    return null;
  } finally {
    Error.stackTraceLimit = limit;
  }
}

function failed(...diagnostics: Diagnostic[]): Parsed {
  return { tree: null, diagnostics };
}

function jsonDiagnostic(index: TextIndex, base: number, { start, end, ...problem }: NotJson): Diagnostic {
  const at = index.lineRange(base + start, base + end);
  return buildFormatFinding("json-syntax", { ...problem, noun: index.noun }, at);
}

function tokenDiagnostic(
  index: TextIndex,
  part: Part,
  { problem, caps }: { problem: TokenProblem; caps: Caps },
): Diagnostic {
  const { noun } = index;
  const start = part.start + problem.offset;
  const at = index.lineRange(start, start + 1);
  if (problem.reason === "too-deep")
    return buildFormatFinding("too-deep", { maxDepth: caps.maxDepth, noun }, at);
  if (problem.reason === "too-many-tasks")
    return buildFormatFinding("too-many-tasks", { limit: caps.maxTasks }, at);
  const misplaced = misplacedFrontMatter(index.file, index.text);
  return misplaced === null
    ? buildFormatFinding("two-plans", { noun }, at)
    : buildFormatFinding(
        "front-matter",
        { problem: "misplaced", noun },
        index.lineRange(misplaced, misplaced + 3),
      );
}
