import { partsOf, type SyntaxNode } from "../../../../syntax/tree.ts";
import { keyName, literalIn } from "./constants.ts";
import type { ScriptSource } from "./source.ts";

/** The members of an enum and what they are worth; null where only a program that runs would know. */
export function enumMembers(declaration: SyntaxNode, source: ScriptSource): Map<string, Computed> {
  const values = new Map<string, Computed>();
  const named = declaration.childForFieldName("name");
  const own = named === null ? "" : source.text(named);
  let next: number | null = 0;
  for (const member of partsOf(declaration.childForFieldName("body"))) {
    const isGiven = member.type === "enum_assignment";
    const key = isGiven ? member.childForFieldName("name") : member;
    const given = isGiven ? member.childForFieldName("value") : null;
    const name = key === null ? null : keyName(key, source);
    const value: Computed = given === null ? next : constantOf(given, { source, own, values, depth: 0 });
    if (name !== null) values.set(name, value);
    next = typeof value === "number" ? value + 1 : null;
  }
  return values;
}

/** As JSON writes them; one that cannot be computed is told by its name and text. */
export function enumValues(declaration: SyntaxNode, source: ScriptSource): string[] {
  return [...enumMembers(declaration, source)].map(([name, value]) =>
    value === null ? `${name} = ${textOf(name, declaration, source)}` : JSON.stringify(value),
  );
}

function textOf(name: string, declaration: SyntaxNode, source: ScriptSource): string {
  const member = partsOf(declaration.childForFieldName("body")).find((one) => {
    const key = one.childForFieldName("name");
    return one.type === "enum_assignment" && key !== null && keyName(key, source) === name;
  });
  const value = member?.childForFieldName("value") ?? null;
  return value === null ? "…" : source.text(value).replace(/\s+/g, " ");
}

type Of = {
  readonly source: ScriptSource;
  /** What it is called. */
  readonly own: string;
  readonly values: ReadonlyMap<string, Computed>;
  readonly depth: number;
};
const DEEPEST = 20;

/** What the compiler computes itself: flags such as `1 << 2` and `Read | Write`. */
function constantOf(node: SyntaxNode, of: Of): Computed {
  const { source, values } = of;
  if (of.depth > DEEPEST) return null;
  const inner = { ...of, depth: of.depth + 1 };
  const plain = literalIn(node, source);
  if (plain !== null) return typeof plain === "boolean" ? null : plain;
  if (node.type === "identifier") return values.get(source.text(node)) ?? null;
  if (node.type === "member_expression") {
    const [enumName, member] = partsOf(node).map(source.text);
    return enumName === of.own ? (values.get(member ?? "") ?? null) : null;
  }
  const [first, second] = partsOf(node);
  if (first === undefined) return null;
  const left = constantOf(first, inner);
  if (node.type === "parenthesized_expression") return left;
  if (node.type === "unary_expression")
    return source.text(node).startsWith("~") && typeof left === "number" ? ~left : null;
  if (node.type !== "binary_expression" || second === undefined) return null;
  const sign = node.children.find(({ isNamed }) => !isNamed)?.type ?? "";
  return computed(sign, left, constantOf(second, inner));
}

type Computed = string | number | null;

function computed(sign: string, left: Computed, right: Computed): Computed {
  if (typeof left === "string" && typeof right === "string") return sign === "+" ? left + right : null;
  if (typeof left !== "number" || typeof right !== "number") return null;
  if (sign === "<<") return left << right;
  if (sign === "|") return left | right;
  if (sign === "&") return left & right;
  if (sign === "+") return left + right;
  if (sign === "-") return left - right;
  return sign === "*" ? left * right : null;
}
