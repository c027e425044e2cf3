import { type Expression, unionParts } from "./expression.ts";

/** A type that is written as a string, since what it names comes later: `"list[Line] | None"`. */
export function forwardReference(text: string): Expression {
  const other: Expression = { kind: "other", text };
  const tokens = text.match(TOKENS) ?? [];
  if (tokens.join("").replace(/\s/g, "") !== text.replace(/\s/g, "")) return other;
  const reader = { tokens, at: 0 };
  const found = union(reader, 0);
  return found === null || reader.at < tokens.length ? other : found;
}

const TOKENS =
  /[\p{L}_][\p{L}\p{N}_]*(?:\s*\.\s*[\p{L}_][\p{L}\p{N}_]*)*|"[^"]*"|'[^']*'|-?\d+|\.\.\.|[[\],|]/gu;
const DEEPEST = 30;

type Reader = { readonly tokens: readonly string[]; at: number };

function union(reader: Reader, depth: number): Expression | null {
  const parts: Expression[] = [];
  do {
    const part = one(reader, depth);
    if (part === null) return null;
    parts.push(part);
  } while (took(reader, "|"));
  if (parts.length === 1) return parts[0] as Expression;
  return { kind: "union", of: parts.flatMap(unionParts), text: parts.map(({ text }) => text).join(" | ") };
}

function one(reader: Reader, depth: number): Expression | null {
  const token = reader.tokens[reader.at];
  if (token === undefined || depth > DEEPEST) return null;
  if (token === "[") return list(reader, depth);
  if (/^[\],|]$/.test(token)) return null;
  reader.at += 1;
  const simple = atom(token);
  if (reader.tokens[reader.at] !== "[" || simple.kind !== "name") return simple;
  const args = list(reader, depth);
  return args?.kind === "list"
    ? { kind: "subscript", of: simple, args: args.of, text: simple.text + args.text }
    : null;
}

function list(reader: Reader, depth: number): Expression | null {
  const of: Expression[] = [];
  took(reader, "[");
  while (!took(reader, "]")) {
    const next = union(reader, depth + 1);
    if (next === null || (!took(reader, ",") && reader.tokens[reader.at] !== "]")) return null;
    of.push(next);
  }
  return { kind: "list", of, text: `[${of.map(({ text }) => text).join(", ")}]` };
}

function took(reader: Reader, token: string): boolean {
  if (reader.tokens[reader.at] !== token) return false;
  reader.at += 1;
  return true;
}

function atom(token: string): Expression {
  if (token === "None") return { kind: "none", text: token };
  if (token === "...") return { kind: "ellipsis", text: token };
  if (token === "True" || token === "False")
    return { kind: "literal", value: token.toLowerCase(), text: token };
  if (/^["']/.test(token)) return { kind: "literal", value: JSON.stringify(token.slice(1, -1)), text: token };
  if (/^-?\d/.test(token)) return { kind: "literal", value: String(Number(token)), text: token };
  const name = token.replace(/\s/g, "");
  return { kind: "name", name, text: name };
}
