import { Lexer, type YAMLError } from "yaml";
import { quoted } from "../../core/analyze/words.ts";
import { type Diagnostic, diagnostic } from "../../core/source.ts";
import type { FormatCode } from "../codes.ts";
import type { Part } from "../front-matter.ts";
import type { TextIndex } from "../text-index.ts";
import { inQuotes } from "../words.ts";
import { isMark } from "./tokens.ts";
import type { Unquoted } from "./unquoted.ts";

/** One broken quote can make every later line an error; more than these help nobody. */
const MAX_SHOWN = 20;

/** What the YAML parser says, in order of place and in words that tell what to type; one thing a place. */
export function syntaxDiagnostics(errors: readonly YAMLError[], index: TextIndex, part: Part): Diagnostic[] {
  const sorted = [...errors].sort((a, b) => a.pos[0] - b.pos[0]);
  const first = sorted.filter((error, i) => error.pos[0] !== sorted[i - 1]?.pos[0]);
  return first.slice(0, MAX_SHOWN).map((error) => {
    const words = wordings.find((one) => one.code === error.code && (one.says?.test(error.message) ?? true));
    const quote = words === openQuote ? openQuoteAt(index.text.slice(part.start, part.end)) : null;
    const [start, end] = quote === null ? error.pos : [quote, part.end];
    return diagnostic({
      code: words?.as ?? ("yaml-syntax" satisfies FormatCode),
      message: words?.message ?? lower(error.message),
      at: index.lineRange(part.start + start, part.start + Math.max(end, start + 1)),
      hint:
        error.code === "TAG_RESOLVE_FAILED" ? tagHint(index.text, part.start + start) : (words?.hint ?? null),
    });
  });
}

export function unquotedDiagnostics(
  unquoted: readonly Unquoted[],
  index: TextIndex,
  base: number,
): Diagnostic[] {
  return unquoted.slice(0, MAX_SHOWN).map(({ start, end }) => {
    const text = index.text.slice(base + start, base + end);
    const isAlias = text.startsWith("*");
    return diagnostic({
      code: (isAlias ? "yaml-alias" : "yaml-syntax") satisfies FormatCode,
      message: isAlias
        ? `${quoted(text)} starts with "*", which YAML takes for an alias`
        : `${quoted(text)} has brackets or braces, which YAML reads as a list or a map here`,
      at: index.lineRange(base + start, base + end),
      hint: `quote it: ${inQuotes(text)}`,
    });
  });
}

/** The text as it was probably meant, up to the end of the item or the line. */
function tagHint(text: string, start: number): string {
  const meant = /^[^,\]}\r\n]*/.exec(text.slice(start, start + LONGEST_TAG))?.[0].trimEnd() ?? "";
  return /^!!|["']/.test(meant)
    ? "delete the tag"
    : `a text that starts with "!" must be quoted: ${inQuotes(meant)}`;
}

const LONGEST_TAG = 200;

/** The parser reports an open quote where the text ends; the mistake is where it opens. */
function openQuoteAt(text: string): number | null {
  let offset = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (/^["']/.test(lexeme) && (lexeme.length === 1 || !lexeme.endsWith(lexeme.charAt(0)))) return offset;
    if (!isMark(lexeme)) offset += lexeme.length;
  }
  return null;
}

/** The parser's code, and where that says too little its message; then our code and words. The first match counts. */
type Wording = {
  readonly code: YAMLError["code"];
  readonly says?: RegExp;
  readonly as?: FormatCode;
  readonly message: string;
  readonly hint?: string;
};

const openQuote: Wording = { code: "MISSING_CHAR", says: /quote$/, message: "this quote is never closed" };

/** Errors that people make. The others keep the words of yaml 2.9. */
const wordings: readonly Wording[] = [
  {
    code: "TAB_AS_INDENT",
    as: "yaml-tab",
    message: "a tab indents this line",
    hint: "YAML indents with spaces; replace the tab",
  },
  {
    code: "TAG_RESOLVE_FAILED",
    as: "yaml-tag",
    message: "YAML tags are not used in plans",
  },
  { code: "RESOURCE_EXHAUSTION", as: "too-deep", message: "maps and lists are nested too deeply here" },
  {
    code: "BLOCK_AS_IMPLICIT_KEY",
    message: 'this line has a second ": "',
    hint: 'put a text that contains ": " in quotes, or write it below the key after "|"',
  },
  {
    code: "MULTILINE_IMPLICIT_KEY",
    message: "this line is neither a key nor part of a text",
    hint: 'a key ends with ":"; a long text starts with "|" behind its key',
  },
  {
    code: "MISSING_CHAR",
    says: /^Implicit map keys/,
    message: 'this line is not of the form "key: value"',
    hint: 'a long text starts with "|" behind its key',
  },
  {
    code: "MISSING_CHAR",
    says: /^Sequence item/,
    message: "this line starts in another column than the list it belongs to",
    hint: "lines of one list or map start in the same column",
  },
  openQuote,
  {
    code: "BAD_INDENT",
    says: /end with a \]/,
    message: 'a "]" is missing before this',
  },
  {
    code: "BAD_INDENT",
    says: /end with a \}/,
    message: 'a "}" is missing before this',
  },
  {
    code: "BAD_INDENT",
    message: "this starts in another column than what it belongs to",
    hint: "lines of one list or map start in the same column",
  },
  {
    code: "BAD_SCALAR_START",
    message: "a text cannot start with this character",
    hint: "put the text in quotes",
  },
  {
    code: "BAD_DQ_ESCAPE",
    message: "this is no escape that YAML knows",
    hint: "write \\\\ for a backslash, or use single quotes",
  },
  { code: "BLOCK_IN_FLOW", message: "a comma or a closing bracket is missing here" },
  { code: "UNEXPECTED_TOKEN", message: "this is not expected here" },
  { code: "NON_STRING_KEY", message: "a key must be a plain word" },
];

/** The parser's messages are sentences; ours start small and have no period. */
function lower(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, "");
}
