import type { SyntaxNode } from "../tree.ts";
import { type Part, pathIn, type Range, rangeOf, textOf, unnamed } from "./part.ts";
import { namedParts, type Place } from "./script-named.ts";
import { aboutValue, valueParts } from "./script-values.ts";

type Declared = (declaration: SyntaxNode, place: Place) => Part[];

/** `export` in all its forms: before a declaration, before a value, with a list of names, from elsewhere. */
export function exportParts(node: SyntaxNode, place: Place, read: Declared): Part[] {
  const declaration = node.childForFieldName("declaration");
  if (declaration !== null) return declaredParts(declaration, place, read);
  const value = node.childForFieldName("value");
  if (value !== null) return defaultParts(value, place);
  const clause = node.namedChildren.find(({ type }) => /^(?:export_clause|namespace_export)$/.test(type));
  if (clause !== undefined) return clauseParts(node, clause, place);
  const [first] = node.namedChildren;
  const isAssigned = node.children[1]?.type === "=" && first !== undefined; // export = Cart;
  return isAssigned ? defaultParts(first, place) : [unnamed(place.outer, place.scope)];
}

/** `export default function () {}` declares something without a name in some versions of the grammars. */
function declaredParts(declaration: SyntaxNode, place: Place, read: Declared): Part[] {
  if (
    declaration.childForFieldName("name") !== null ||
    !/^(?:class|function|generator)/.test(declaration.type)
  )
    return read(declaration, place);
  const { startIndex: start } = declaration;
  return namedParts("default", { start, body: declaration.childForFieldName("body"), place });
}

function defaultParts(value: SyntaxNode, place: Place): Part[] {
  const ranges = [rangeOf(place.outer)];
  const isNamed = /^(?:class|function_expression|generator_function)$/.test(value.type);
  const name = isNamed ? value.childForFieldName("name") : null;
  const path = name === null ? "default" : textOf(name, place.source);
  const [first, ...rest] = valueParts(path, value, { start: (name ?? value).startIndex, ranges, place });
  return first === undefined ? [] : [aboutValue(first, value, place.source), ...rest];
}

/** Each is named by what it is called outside, and says where it is from. */
function clauseParts(node: SyntaxNode, clause: SyntaxNode, { scope, source }: Place): Part[] {
  const around: Range[] = [
    [node.startIndex, clause.startIndex],
    [clause.endIndex, node.endIndex],
  ];
  const isOwn = node.childForFieldName("source") === null;
  const specifiers = clause.type === "namespace_export" ? [clause] : clause.namedChildren;
  return specifiers.flatMap((one): Part[] => {
    const name = one.childForFieldName("name") ?? one.namedChildren.at(-1);
    if (name === undefined || one.type === "comment") return [];
    const shown = one.childForFieldName("alias") ?? name;
    const text = textOf(shown, source);
    return [
      {
        kind: "export",
        path: pathIn(scope, shown.type === "string" ? text.slice(1, -1) : text),
        ranges: [rangeOf(one), ...around],
        about: isOwn ? [textOf(name, source)] : [],
        around: "",
        start: shown.startIndex,
      },
    ];
  });
}
