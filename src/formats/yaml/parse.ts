import { Composer, type Document, type YAMLError } from "yaml";
import type { Caps } from "../../core/caps.ts";
import { capFlags } from "../../core/caps.ts";
import { type Diagnostic, diagnostic } from "../../core/source.ts";
import type { Part } from "../front-matter.ts";
import type { TextIndex } from "../text-index.ts";
import { buildTree } from "./build.ts";
import { findNotJson, isJson } from "./strict-json.ts";
import { syntaxDiagnostics } from "./syntax.ts";
import { type TokenProblem, tokenize } from "./tokens.ts";
import type { Tree } from "./tree.ts";

export type ParseOptions = {
  /** The part of the file that is YAML. */
  readonly part: Part;
  readonly caps: Caps;
  /** Take real JSON only. */
  readonly json: boolean;
};

export type Parsed = { readonly tree: Tree | null; readonly diagnostics: readonly Diagnostic[] };

/** One YAML or JSON document as a tree with places, or everything that is wrong with its syntax. */
export function parseYaml(index: TextIndex, { part, caps, json }: ParseOptions): Parsed {
  const base = part.start;
  const text = index.text.slice(part.start, part.end);
  const notJson = json && !isJson(text);
  const found = notJson ? findNotJson(text) : null;
  if (found) return failed(jsonDiagnostic(index, base, found));

  const { tokens, problem } = tokenize(text, caps.maxDepth);
  if (problem) return failed(tokenDiagnostic(index, base, { problem, caps }));
  const document = compose(tokens);
  const errors: YAMLError[] = [...(document?.errors ?? []), ...(document?.warnings ?? [])];
  if (errors.length > 0) {
    const diagnostics = syntaxDiagnostics(errors, index, part);
    return failed(...(json ? diagnostics.map((one) => ({ ...one, code: "json-syntax" })) : diagnostics));
  }
  if (notJson)
    return failed(jsonDiagnostic(index, base, { start: 0, end: 1, message: "this is not JSON", hint: null }));
  if (!document?.contents) return { tree: null, diagnostics: [] };
  return buildTree(document.contents, { index, base, maxDepth: caps.maxDepth });
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

function jsonDiagnostic(
  index: TextIndex,
  base: number,
  found: { start: number; end: number; message: string; hint: string | null },
): Diagnostic {
  const at = index.lineRange(base + found.start, base + found.end);
  return diagnostic({ code: "json-syntax", message: found.message, at, hint: found.hint });
}

function tokenDiagnostic(
  index: TextIndex,
  base: number,
  { problem, caps }: { problem: TokenProblem; caps: Caps },
): Diagnostic {
  const at = index.lineRange(base + problem.offset, base + problem.offset + 1);
  return problem.reason === "too-deep"
    ? diagnostic({
        code: "too-deep",
        message: `maps and lists are nested more than ${caps.maxDepth} deep`,
        at,
        hint: `${capFlags.maxDepth} raises the limit`,
      })
    : diagnostic({
        code: "two-plans",
        message: "a second document starts here; a file holds one plan",
        at,
        hint: "put each plan into a file of its own",
      });
}
