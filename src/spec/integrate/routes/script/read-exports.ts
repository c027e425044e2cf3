import type { SyntaxNode } from "../../../../syntax/tree.ts";
import { classAround, type Draft } from "./draft.ts";
import { UNKNOWN } from "./facts.ts";
import { nameOf, readExpression } from "./read-expression.ts";
import { isCode } from "./read-types.ts";

/** What a file gives to others, where it is not simply handed on from a third: that is among its imports. */
export function readExports({ exports, reading }: Draft, node: SyntaxNode, scope: number): void {
  const here = { reading, scope: 0, depth: 0 };
  const isMarked = (sign: string) => node.children.some(({ type }) => type === sign);
  if (scope !== 0 || node.childForFieldName("source") !== null) return;
  const declaration = node.childForFieldName("declaration");
  const value = node.childForFieldName("value") ?? declaration;
  if (isMarked("default")) exports.set("default", readExpression(value, here));
  else if (isMarked("=")) exports.set("=", readExpression(node.namedChildren.find(isCode) ?? null, here));
  else if (declaration !== null) {
    for (const name of declaredNames(declaration)) exports.set(name, { kind: "name", name, scope: 0 });
  }
  for (const clause of node.namedChildren.filter(({ type }) => type === "export_clause")) {
    for (const one of clause.namedChildren.filter(isCode)) {
      const name = nameOf(one.childForFieldName("name"));
      const alias = nameOf(one.childForFieldName("alias")) ?? name;
      if (name !== null && alias !== null) exports.set(alias, { kind: "name", name, scope: 0 });
    }
  }
}

function declaredNames(declaration: SyntaxNode): string[] {
  const name = declaration.childForFieldName("name");
  if (name !== null) return [name.text];
  return declaration.namedChildren.flatMap((one) => {
    const pattern = one.childForFieldName("name");
    if (pattern === null) return [];
    if (pattern.type === "identifier") return [pattern.text];
    return pattern.namedChildren
      .map((part) => part.childForFieldName("value")?.text ?? part.text)
      .filter((text) => /^[\w$]+$/.test(text));
  });
}

/** A name that gets another value, a field, or what `require` gives to others. */
export function readAssignment(draft: Draft, node: SyntaxNode, scope: number): void {
  const left = node.childForFieldName("left");
  const isPlain = node.type === "assignment_expression";
  const here = { reading: draft.reading, scope, depth: 0 };
  const value = isPlain ? readExpression(node.childForFieldName("right"), here) : UNKNOWN;
  const target = left?.text.replace(/\s/g, "") ?? "";
  const exported = /^(?:module\.exports|exports)(?:\.([\w$]+))?$/.exec(target);
  if (exported !== null) {
    draft.exports.set(exported[1] ?? "=", value);
  } else if (left?.type === "identifier") {
    draft.assigned.push({ scope, name: left.text, value });
  } else if (left?.type === "member_expression" && left.childForFieldName("object")?.type === "this") {
    const fields = classAround(draft, scope)?.fields;
    const name = nameOf(left.childForFieldName("property"));
    if (name !== null) fields?.set(name, [...(fields.get(name) ?? []), value]);
  }
}
