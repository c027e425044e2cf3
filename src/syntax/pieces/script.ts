import type { SyntaxNode } from "../tree.ts";
import {
  bodyOf,
  called,
  cutBody,
  DEEPEST,
  inside,
  type Part,
  pathIn,
  plain,
  type Range,
  type Reader,
  rangeOf,
  textOf,
  unnamed,
  withMembers,
} from "./part.ts";
import {
  aboutValue,
  assignmentParts,
  declaratorParts,
  isRequired,
  namedParts,
  type Place,
  rootOf,
  valueParts,
} from "./script-values.ts";

/** The parts that one statement of a TypeScript or JavaScript text is, or holds. */
export const scriptParts: Reader = (node, scope, source) =>
  statementParts(node, { scope, source, outer: node });

function statementParts(node: SyntaxNode, place: Place): Part[] {
  const { scope, outer, source } = place;
  switch (node.type) {
    case "import_statement":
    case "import_alias":
      return [plain("import", outer)];
    case "export_statement":
      return exportParts(node, place, statementParts);
    case "ambient_declaration":
      return ambientParts(node, place);
    case "lexical_declaration":
    case "variable_declaration":
      return variableParts(node, place);
    case "class_declaration":
    case "abstract_class_declaration":
    case "interface_declaration":
    case "enum_declaration":
      return declaredParts(node, node.childForFieldName("body"), place);
    case "function_declaration":
    case "generator_function_declaration":
    case "function_signature":
    case "type_alias_declaration":
      return declaredParts(node, null, place);
    case "internal_module":
    case "module":
      return namespaceParts(node, place);
    case "expression_statement":
      return expressionParts(node, place);
    case "empty_statement":
      return [];
    default:
      return [unnamed(outer, scope, rootOf(node, source))];
  }
}

/** One that has a name, and perhaps members in its body. */
function declaredParts(node: SyntaxNode, body: SyntaxNode | null, place: Place): Part[] {
  const name = node.childForFieldName("name");
  if (name === null) return [unnamed(place.outer, place.scope)];
  return namedParts(declaredName(name, place), { start: name.startIndex, body, place });
}

/** Another form of the text gives a name to what has none: `export default function (): void`. */
function declaredName(name: SyntaxNode, { outer, source }: Place): string {
  const isNameless =
    outer.type !== "export_statement" &&
    /^export\s+default\b/.test(source.text.slice(outer.startIndex, name.endIndex + 100));
  return isNameless ? "default" : textOf(name, source).replace(/\s/g, "");
}

/** `declare global { … }` and `declare module "x" { … }` have no name that a claim could say. */
function ambientParts(node: SyntaxNode, place: Place): Part[] {
  const declaration = node.namedChildren.find(({ type }) => /_declaration$|_signature$|module$/.test(type));
  return declaration === undefined ? [unnamed(place.outer, place.scope)] : statementParts(declaration, place);
}

function namespaceParts(node: SyntaxNode, place: Place): Part[] {
  const { scope, source, outer } = place;
  const name = node.childForFieldName("name");
  const body = node.childForFieldName("body");
  if (name === null || name.type === "string" || body === null || scope.depth >= DEEPEST)
    return [unnamed(outer, scope)];
  const path = pathIn(scope, textOf(name, source).replace(/\s/g, ""));
  const ranges: Range[] = [[outer.startIndex, body.startIndex]];
  const head: Part = { kind: "head", path, ranges, about: [], around: "", start: name.startIndex };
  return withMembers(head, cutBody(bodyOf(body, source), inside(scope, path), scriptParts));
}

function variableParts(node: SyntaxNode, place: Place): Part[] {
  const declarators = node.namedChildren.filter(({ type }) => type === "variable_declarator");
  const [first] = declarators;
  if (first === undefined) return [unnamed(place.outer, place.scope)];
  if (declarators.every((one) => isRequired(one, place.source))) return [plain("import", place.outer)];
  // `export const` counts with each of the names behind it.
  const words: Range = [place.outer.startIndex, first.startIndex];
  return declarators.flatMap((one) => declaratorParts(one, words, place));
}

function expressionParts(node: SyntaxNode, place: Place): Part[] {
  const { scope, source, outer } = place;
  const [inner] = node.namedChildren;
  if (inner?.type === "internal_module") return namespaceParts(inner, place);
  if (inner?.type === "string" && scope.depth === 0) return [plain("opening", outer)];
  if (inner?.type === "assignment_expression") return assignmentParts(inner, place);
  return [called(unnamed(outer, scope, inner === undefined ? [] : rootOf(inner, source)))];
}

type Declared = (declaration: SyntaxNode, place: Place) => Part[];

/** `export` in all its forms: before a declaration, before a value, with a list of names, from elsewhere. */
function exportParts(node: SyntaxNode, place: Place, read: Declared): Part[] {
  const declaration = node.childForFieldName("declaration");
  if (declaration !== null) return exportedParts(declaration, place, read);
  const value = node.childForFieldName("value");
  if (value !== null) return defaultParts(value, place);
  const clause = node.namedChildren.find(({ type }) => /^(?:export_clause|namespace_export)$/.test(type));
  if (clause !== undefined) return clauseParts(node, clause, place);
  const [first] = node.namedChildren;
  const isAssigned = node.children[1]?.type === "=" && first !== undefined; // export = Cart;
  return isAssigned ? defaultParts(first, place) : [unnamed(place.outer, place.scope)];
}

/** `export default function () {}` declares something without a name in some versions of the grammars. */
function exportedParts(declaration: SyntaxNode, place: Place, read: Declared): Part[] {
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
