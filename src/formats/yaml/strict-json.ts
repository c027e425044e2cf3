import { CST, Lexer } from "yaml";
import { inQuotes } from "../words.ts";
import { isMark } from "./tokens.ts";

/** Something in a text that YAML takes and JSON does not. */
export type NotJson = {
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly hint: string;
};

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // JSON.parse throws for nothing but bad syntax
  }
}

/**
 * YAML is a superset of JSON, so a .json file with comments would pass here and fail in every other tool.
 * V8's own message seldom has a position, hence this look at the tokens. Null when they look like JSON.
 */
export function findNotJson(text: string): NotJson | null {
  let offset = 0;
  let comma: number | null = null;
  let isPlain = false;
  let isItemDue = true;
  for (const lexeme of new Lexer().lex(text)) {
    if (isMark(lexeme)) {
      isPlain = lexeme === CST.SCALAR;
      continue;
    }
    const start = offset;
    offset += lexeme.length;
    const kind = isPlain ? "scalar" : CST.tokenType(lexeme);
    isPlain = false;
    if (kind === "space" || kind === "newline") continue;
    if (kind === "comma" && isItemDue)
      return { start, end: start + 1, message: "there is nothing in front of this comma", hint: "delete it" };
    isItemDue = kind === "comma" || kind === "flow-map-start" || kind === "flow-seq-start";
    if (comma !== null && (kind === "flow-map-end" || kind === "flow-seq-end")) {
      return {
        start: comma,
        end: comma + 1,
        message: "JSON has no comma after the last item",
        hint: "delete it",
      };
    }
    comma = kind === "comma" ? start : null;
    const problem = tokenProblem(kind, lexeme);
    if (problem) return { start, end: start + firstLine(lexeme).length, ...problem };
  }
  return null;
}

const commentProblem = { message: "JSON has no comments", hint: "delete it, or write the plan as YAML" };

function tokenProblem(kind: CST.TokenType | null, source: string): { message: string; hint: string } | null {
  switch (kind) {
    case "flow-map-start":
    case "flow-map-end":
    case "flow-seq-start":
    case "flow-seq-end":
    case "comma":
    case "map-value-ind":
      return null;
    case "comment":
      return commentProblem;
    case "double-quoted-scalar":
      return isJson(source)
        ? null
        : { message: "JSON writes this text differently", hint: "escape line breaks as \\n" };
    case "scalar":
      if (/^\/[/*]/.test(source)) return commentProblem;
      if (source !== firstLine(source) && isJson(firstLine(source))) {
        return { message: "a comma or a bracket is missing after this", hint: "put a comma behind it" };
      }
      return isJson(source)
        ? null
        : { message: "JSON needs quotes around this", hint: `write ${inQuotes(source)}` };
    case "single-quoted-scalar":
      return {
        message: "JSON knows double quotes only",
        hint: `write ${inQuotes(source.slice(1, -1))}`,
      };
    default:
      return { message: "this is YAML, not JSON", hint: "name the file .yaml, or write it as JSON" };
  }
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]?.trimEnd() ?? "";
}
