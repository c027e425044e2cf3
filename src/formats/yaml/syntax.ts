import { Lexer, type YAMLError } from "yaml";
import type { Diagnostic, SourceRange } from "../../core/source.ts";
import { buildFormatFinding } from "../catalog.ts";
import type { YamlProblem } from "../catalog-syntax.ts";
import type { Part } from "../front-matter.ts";
import type { TextIndex } from "../text-index.ts";
import { isMark } from "./tokens.ts";
import type { Unquoted } from "./unquoted.ts";

/** One broken quote can make every later line an error; more than these help nobody. */
const MAX_SHOWN = 20;

/** What the YAML parser says, in order of place and in words that tell what to type; one thing a place. */
export function syntaxDiagnostics(errors: readonly YAMLError[], index: TextIndex, part: Part): Diagnostic[] {
  const sorted = [...errors].sort((a, b) => a.pos[0] - b.pos[0]);
  const first = sorted.filter((error, i) => error.pos[0] !== sorted[i - 1]?.pos[0]);
  return first.slice(0, MAX_SHOWN).map((error) => {
    const problem = findProblem(error);
    const quote = problem === "open-quote" ? findOpenQuote(index.text.slice(part.start, part.end)) : null;
    const [start, end] = quote === null ? error.pos : [quote, part.end];
    const at = index.lineRange(part.start + start, part.start + Math.max(end, start + 1));
    return buildSyntaxFinding(problem, at, { error, index, start: part.start + start });
  });
}

type Where = { readonly error: YAMLError; readonly index: TextIndex; readonly start: number };

function buildSyntaxFinding(problem: Problem, at: SourceRange, { error, index, start }: Where): Diagnostic {
  switch (problem) {
    case "tab":
      return buildFormatFinding("yaml-tab", {}, at);
    case "tag":
      return buildFormatFinding("yaml-tag", { noun: index.noun, text: readTagged(index.text, start) }, at);
    case "too-deep":
      return buildFormatFinding("too-deep", { maxDepth: null, noun: index.noun }, at);
    case "parser":
      return buildFormatFinding("yaml-syntax", { kind: "parser", message: lower(error.message) }, at);
    default:
      return buildFormatFinding("yaml-syntax", { kind: problem }, at);
  }
}

export function unquotedDiagnostics(
  unquoted: readonly Unquoted[],
  index: TextIndex,
  base: number,
): Diagnostic[] {
  return unquoted.slice(0, MAX_SHOWN).map(({ start, end }) => {
    const text = index.text.slice(base + start, base + end);
    const at = index.lineRange(base + start, base + end);
    return text.startsWith("*")
      ? buildFormatFinding("yaml-alias", { kind: "unquoted", text }, at)
      : buildFormatFinding("yaml-syntax", { kind: "unquoted", text }, at);
  });
}

/** The string as it was probably meant, up to the end of the item or the line. */
function readTagged(text: string, start: number): string {
  return /^[^,\]}\r\n]*/.exec(text.slice(start, start + LONGEST_TAG))?.[0].trimEnd() ?? "";
}

const LONGEST_TAG = 200;

/** The parser reports an open quote where the text ends; the mistake is where it opens. */
function findOpenQuote(text: string): number | null {
  let offset = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (/^["']/.test(lexeme) && (lexeme.length === 1 || !lexeme.endsWith(lexeme.charAt(0)))) return offset;
    if (!isMark(lexeme)) offset += lexeme.length;
  }
  return null;
}

type Problem = "tab" | "tag" | "too-deep" | "parser" | Exclude<YamlProblem["kind"], "unquoted">;

/** By the parser's code, and by its message where one code means several mistakes. The first match counts. */
const problems: readonly (readonly [code: YAMLError["code"], problem: Problem, message?: RegExp])[] = [
  ["TAB_AS_INDENT", "tab"],
  ["TAG_RESOLVE_FAILED", "tag"],
  ["RESOURCE_EXHAUSTION", "too-deep"],
  ["BLOCK_AS_IMPLICIT_KEY", "second-colon"],
  ["MULTILINE_IMPLICIT_KEY", "no-key"],
  ["MISSING_CHAR", "no-value", /^Implicit map keys/],
  ["MISSING_CHAR", "list-column", /^Sequence item/],
  ["MISSING_CHAR", "open-quote", /quote$/],
  ["BAD_INDENT", "open-bracket", /end with a \]/],
  ["BAD_INDENT", "open-brace", /end with a \}/],
  ["BAD_INDENT", "column"],
  ["BAD_SCALAR_START", "start"],
  ["BAD_DQ_ESCAPE", "escape"],
  ["BLOCK_IN_FLOW", "flow"],
  ["UNEXPECTED_TOKEN", "unexpected"],
  ["NON_STRING_KEY", "key"],
];

function findProblem(error: YAMLError): Problem {
  return (
    problems.find(
      ([code, , message]) => code === error.code && (message?.test(error.message) ?? true),
    )?.[1] ?? "parser"
  );
}

/** The parser's messages are sentences; ours start small and have no period. */
function lower(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, "");
}
