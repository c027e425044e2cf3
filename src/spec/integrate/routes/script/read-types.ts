import { partsOf, type SyntaxNode } from "../../../../syntax/tree.ts";
import type { TypeUse } from "./facts.ts";

/** People do not nest types further. */
const DEEPEST = 12;
const LONGEST_QUOTE = 60;

/** A type as it is written, as far as it can name a model. */
export function readType(node: SyntaxNode | null | undefined, depth = 0): TypeUse | null {
  if (node == null) return null;
  if (depth > DEEPEST) return other(node);
  const inside = () => readType(partsOf(node)[0], depth + 1) ?? other(node);
  switch (node.type) {
    case "type_annotation":
    case "parenthesized_type":
    case "readonly_type":
      return inside();
    case "type_identifier":
    case "identifier":
    case "predefined_type":
    case "nested_type_identifier":
      return { kind: "name", name: node.text.replace(/\s/g, ""), arguments: [] };
    case "literal_type":
      return /^(?:null|undefined)$/.test(node.text)
        ? { kind: "name", name: node.text, arguments: [] }
        : other(node);
    case "generic_type":
      return genericType(node, depth);
    case "array_type":
      return { kind: "list", of: inside() };
    case "union_type":
      return unionType(node, depth);
    case "object_type":
    case "interface_body":
      return { kind: "object", members: members(node, depth), text: quote(node) };
    case "type_query": {
      const name = node.namedChildren[0];
      return name === undefined ? other(node) : { kind: "typeof", name: name.text };
    }
    default:
      return other(node);
  }
}

/** What stands between `<` and `>`. */
export function readTypeArguments(node: SyntaxNode | null, depth = 0): TypeUse[] {
  return partsOf(node).map((one) => readType(one, depth) ?? other(one));
}

function genericType(node: SyntaxNode, depth: number): TypeUse {
  const name = node.childForFieldName("name")?.text.replace(/\s/g, "") ?? "";
  const all = readTypeArguments(node.childForFieldName("type_arguments"), depth + 1);
  const first = all[0];
  const isList = (name === "Array" || name === "ReadonlyArray") && first !== undefined;
  return isList ? { kind: "list", of: first } : { kind: "name", name, arguments: all };
}

/** `A | B | C` is nested to the left, as deep as it is long. */
function unionType(node: SyntaxNode, depth: number): TypeUse {
  const parts: SyntaxNode[] = [];
  let left: SyntaxNode | undefined = node;
  while (left?.type === "union_type") {
    const inside: readonly SyntaxNode[] = partsOf(left);
    parts.push(...inside.slice(1));
    left = inside[0];
  }
  if (left !== undefined) parts.push(left);
  return { kind: "union", of: parts.toReversed().map((part) => readType(part, depth + 1) ?? other(part)) };
}

function members(node: SyntaxNode, depth: number): Map<string, TypeUse> {
  const found = new Map<string, TypeUse>();
  for (const member of node.namedChildren) {
    const name = member.childForFieldName("name");
    const type = readType(member.childForFieldName("type"), depth + 1);
    if (member.type === "property_signature" && name !== null && type !== null)
      found.set(name.text.replace(/^["']|["']$/g, ""), type);
  }
  return found;
}

function other(node: SyntaxNode): TypeUse {
  return { kind: "other", text: quote(node) };
}

function quote({ text }: SyntaxNode): string {
  const line = text.slice(0, 4 * LONGEST_QUOTE).replace(/\s+/g, " ");
  return line.length > LONGEST_QUOTE ? `${line.slice(0, LONGEST_QUOTE - 1)}…` : line;
}
