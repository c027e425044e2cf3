import type { SyntaxNode } from "../tree.ts";
import {
  bodyOf,
  cutBody,
  type Part,
  pathIn,
  type Reader,
  rangeOf,
  type Scope,
  type Source,
  textOf,
  unnamed,
} from "./part.ts";

/** The members of a class, an interface, an enum or an object. */
export function membersOf(body: SyntaxNode, scope: Scope, source: Source): Part[] {
  return cutBody(bodyOf(body, source), scope, memberParts);
}

const memberParts: Reader = (node, scope, source) => {
  const name = memberName(node, source);
  if (name === null) return [unnamed(node, scope)];
  const ranges = [rangeOf(node)];
  return [
    { kind: "named", path: pathIn(scope, name.text), ranges, about: [], around: "", start: name.start },
  ];
};

/** Those of an enum without a value and `{ a }` are nothing but their name. */
const BARE = /^(?:property_identifier|shorthand_property_identifier|string|number)$/;

function memberName(
  node: SyntaxNode,
  source: Source,
): { readonly text: string; readonly start: number } | null {
  if (node.type === "index_signature") return null;
  const name = BARE.test(node.type)
    ? node
    : (node.childForFieldName("name") ?? node.childForFieldName("property") ?? node.childForFieldName("key"));
  if (name === null) return null;
  const text = textOf(name, source);
  return {
    text: name.type === "string" ? text.slice(1, -1) : text.replace(/\s/g, ""),
    start: name.startIndex,
  };
}
