import { unescapedScript } from "../../../../syntax/script-text.ts";
import { hasSign, partsOf, type SyntaxNode } from "../../../../syntax/tree.ts";
import type { Field, ValueType } from "../shape.ts";
import { named } from "../value-types.ts";
import type { ScriptSource } from "./source.ts";
import { literal, primitiveOf } from "./value.ts";

/** A text without anything to fill in; null where the node is none. */
export function stringIn(node: SyntaxNode, { text }: Pick<ScriptSource, "text">): string | null {
  const isPlain = node.type === "string" || node.type === "template_string";
  if (!isPlain && node.type !== "template_literal_type") return null;
  const written = text(node);
  const isFilled = node.type !== "string" && partsOf(node).some(({ type }) => /^template_/.test(type));
  return isFilled ? null : unescapedScript(written.slice(1, -1));
}

/** What a literal is worth; null where the node is none. */
export function literalIn(node: SyntaxNode, source: ScriptSource): string | number | boolean | null {
  const text = stringIn(node, source);
  if (text !== null) return text;
  if (node.type === "true" || node.type === "false") return node.type === "true";
  if (node.type === "number") return numberIn(source.text(node));
  if (node.type !== "unary_expression") return null;
  const number = partsOf(node).at(-1);
  const value = number?.type === "number" ? numberIn(source.text(number)) : null;
  if (value === null) return null;
  return hasSign(node, "-") ? -value : hasSign(node, "+") ? value : null;
}

function numberIn(text: string): number | null {
  const value = Number(text.replaceAll("_", "").replace(/n$/, ""));
  return Number.isFinite(value) ? value : null;
}

/** An expression without what only the compiler sees: brackets, `as`, `satisfies`, `!`. */
export function bare(node: SyntaxNode): { readonly node: SyntaxNode; readonly isConst: boolean } {
  let isConst = false;
  let inner = node;
  for (let n = 0; n < MOST && WRAPS.test(inner.type); n += 1) {
    isConst ||= inner.type !== "parenthesized_expression" && hasSign(inner, "const");
    const next = partsOf(inner)[0];
    if (next === undefined) break;
    inner = next;
  }
  return { node: inner, isConst };
}

const WRAPS =
  /^(?:as_expression|satisfies_expression|parenthesized_expression|non_null_expression|type_assertion)$/;
const MOST = 20;

/** The type of a constant, as `typeof` gives it; null where that is not plain to see. */
export function constantType(value: SyntaxNode, source: ScriptSource): ValueType | null {
  const { node, isConst } = bare(value);
  const frozen = frozenValue(node, source);
  return frozen === null
    ? typeOfValue(node, { source, isConst: isConst || source.isJavaScript, depth: 0 })
    : typeOfValue(frozen, { source, isConst: true, depth: 0 });
}

type Of = { readonly source: ScriptSource; readonly isConst: boolean; readonly depth: number };

function typeOfValue(value: SyntaxNode, { source, isConst, depth }: Of): ValueType | null {
  if (depth > MOST) return null;
  const { node, isConst: isInnerConst } = bare(value);
  const inner = { source, isConst: isConst || isInnerConst, depth: depth + 1 };
  if (node.type === "null") return named("null");
  if (node.type === "object") return typeOfObject(node, inner);
  if (node.type === "array") return typeOfArray(node, inner);
  if (node.type === "new_expression")
    return source.text(node).startsWith("new Date(") ? named("datetime") : null;
  if (node.type === "template_string" && stringIn(node, source) === null) return named("string");
  const plain = literalIn(node, source);
  if (plain === null) return null;
  return inner.isConst ? literal(plain) : primitiveOf(JSON.stringify(plain));
}

function typeOfObject(node: SyntaxNode, of: Of): ValueType | null {
  const fields: Field[] = [];
  for (const pair of partsOf(node)) {
    const [key, value] = [pair.childForFieldName("key"), pair.childForFieldName("value")];
    const name = key === null ? null : keyName(key, of.source);
    const type = value === null ? null : typeOfValue(value, of);
    if (name === null || type === null) return null;
    fields.push({ name, type, isOptional: false, line: of.source.line(pair) });
  }
  return { kind: "fields", fields };
}

/** Only of constants it is plain what is in them. */
function typeOfArray(node: SyntaxNode, of: Of): ValueType | null {
  if (!of.isConst) return null;
  const types = partsOf(node).map((item) => typeOfValue(item, of));
  return types.every((type) => type !== null) ? named("tuple", ...types) : null;
}

function frozenValue(node: SyntaxNode, { text }: ScriptSource): SyntaxNode | null {
  if (node.type !== "call_expression") return null;
  const called = node.childForFieldName("function");
  if (called === null || text(called) !== "Object.freeze") return null;
  return partsOf(node.childForFieldName("arguments"))[0] ?? null;
}

/** The name of a field; null where it is computed. */
export function keyName(key: SyntaxNode, source: ScriptSource): string | null {
  if (key.type === "string") return stringIn(key, source);
  if (key.type === "number") return String(numberIn(source.text(key)));
  if (key.type !== "computed_property_name") return source.text(key);
  const inner = partsOf(key)[0];
  return inner === undefined ? null : stringIn(inner, source);
}
