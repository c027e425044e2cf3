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
  textOf,
  unnamed,
  withMembers,
} from "./part.ts";
import { exportParts } from "./script-exports.ts";
import { namedParts, type Place } from "./script-named.ts";
import { assignmentParts, declaratorParts, isRequired, rootOf } from "./script-values.ts";

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
