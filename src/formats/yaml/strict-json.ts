import { CST, Lexer } from "yaml";
import type { JsonProblem } from "../catalog-syntax.ts";
import { isMark } from "./tokens.ts";

/** Something in a text that YAML takes and JSON does not. */
export type NotJson = JsonProblem & { readonly start: number; readonly end: number };

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
    if (kind === "comma" && isItemDue) return { start, end: start + 1, kind: "extra-comma" };
    isItemDue = kind === "comma" || kind === "flow-map-start" || kind === "flow-seq-start";
    if (comma !== null && (kind === "flow-map-end" || kind === "flow-seq-end")) {
      return { start: comma, end: comma + 1, kind: "last-comma" };
    }
    comma = kind === "comma" ? start : null;
    const problem = tokenProblem(kind, lexeme);
    if (problem) return { start, end: start + firstLine(lexeme).length, ...problem };
  }
  return null;
}

function tokenProblem(kind: CST.TokenType | null, source: string): JsonProblem | null {
  switch (kind) {
    case "flow-map-start":
    case "flow-map-end":
    case "flow-seq-start":
    case "flow-seq-end":
    case "comma":
    case "map-value-ind":
      return null;
    case "comment":
      return { kind: "comment" };
    case "double-quoted-scalar":
      return isJson(source) ? null : { kind: "line-break" };
    case "scalar":
      if (/^\/[/*]/.test(source)) return { kind: "comment" };
      if (source !== firstLine(source) && isJson(firstLine(source))) return { kind: "no-comma" };
      return isJson(source) ? null : { kind: "quotes", text: source };
    case "single-quoted-scalar":
      return { kind: "single-quotes", text: source.slice(1, -1) };
    default:
      return { kind: "yaml" };
  }
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]?.trimEnd() ?? "";
}
