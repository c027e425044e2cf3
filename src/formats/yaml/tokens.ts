import { CST, Lexer, Parser } from "yaml";
import type { Caps } from "../../core/caps.ts";

/** Why a text was given up before its tokens became a document; the offset is where. */
export type TokenProblem = {
  readonly reason: "too-deep" | "too-many-tasks" | "second-document";
  readonly offset: number;
};

export type Tokens = { readonly tokens: readonly CST.Token[]; readonly problem: TokenProblem | null };

/**
 * The tokens of one YAML document. The tokeniser keeps its own stack, so depth costs nothing here; building nodes from
 * tokens is recursive and overflows near a thousand levels (yaml 2.9). That is why depth is limited at this point.
 */
export function tokenize(text: string, { maxDepth, maxTasks }: Caps): Tokens {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    const offset = parser.offset;
    tokens.push(...parser.next(lexeme));
    if (isTooDeep(parser.stack, maxDepth)) return { tokens, problem: { reason: "too-deep", offset } };
    if (hasTooManyTasks(parser.stack, maxTasks))
      return { tokens, problem: { reason: "too-many-tasks", offset } };
  }
  tokens.push(...parser.end());
  // A line "---" or "..." at the end starts nothing.
  const second = tokens.filter((token) => token.type === "document").find(({ value }, i) => i > 0 && value);
  return { tokens, problem: second ? { reason: "second-document", offset: second.offset } : null };
}

/** Counts open collections, but only when there may be too many: this is asked for every lexeme. */
function isTooDeep(stack: readonly CST.Token[], maxDepth: number): boolean {
  return stack.length > maxDepth && stack.filter((token) => CST.isCollection(token)).length > maxDepth;
}

/**
 * Looks at the list under the key `tasks` of the outermost map while it grows: millions of items are not read to the
 * end. One more than allowed may be an empty place behind the last comma.
 */
function hasTooManyTasks([, map, list]: readonly CST.Token[], maxTasks: number): boolean {
  if (!list || !("items" in list) || list.items.length <= maxTasks + 1) return false;
  const key = map && "items" in map ? map.items.at(-1)?.key : null;
  return CST.isScalar(key) && /^["']?tasks["']?$/.test(key.source);
}

/** The lexer marks the start of a document and of a plain scalar by characters that are not in the text. */
export function isMark(lexeme: string): boolean {
  return lexeme === CST.DOCUMENT || lexeme === CST.FLOW_END || lexeme === CST.SCALAR;
}
