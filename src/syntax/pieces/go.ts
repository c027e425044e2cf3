import type { SyntaxNode } from "../tree.ts";
import {
  bodyOf,
  cutBody,
  inside,
  MOST_NAMES,
  namedPart,
  type Part,
  pathIn,
  plain,
  type Range,
  type Reader,
  rangeOf,
  type Scope,
  type Source,
  textOf,
  unnamed,
  withMembers,
} from "./part.ts";

/** The parts that one declaration of a Go text is, or holds. Methods belong to their receiver, wherever they stand. */
export const goParts: Reader = (node, scope, source) => {
  switch (node.type) {
    case "package_clause":
      return [plain("opening", node)];
    case "import_declaration":
      return [plain("import", node)];
    case "function_declaration":
    case "method_declaration":
      return functionParts(node, scope, source);
    case "type_declaration":
    case "const_declaration":
    case "var_declaration":
      return groupParts(node, scope, source);
    default:
      return [unnamed(node, scope)];
  }
};

function functionParts(node: SyntaxNode, scope: Scope, source: Source): Part[] {
  const name = node.childForFieldName("name");
  if (name === null) return [unnamed(node, scope)];
  const receiver = node.childForFieldName("receiver");
  const owner = receiver === null ? "" : `${baseName(textOf(receiver, source).slice(1, -1))}.`;
  return [namedPart(owner + textOf(name, source), [rangeOf(node)], name.startIndex)];
}

/** Of `c *Cart[T]`, `pkg.Cart` and `*Cart` the word `Cart`. */
function baseName(type: string): string {
  const bare = type.replace(/\[.*$/s, "").replace(/[\s,]+$/, "");
  return /[\p{L}\p{N}_]+$/u.exec(bare)?.[0] ?? bare;
}

/** `type`, `const` and `var`, with one thing behind the word or with many in brackets: it counts with each of them. */
function groupParts(node: SyntaxNode, scope: Scope, source: Source): Part[] {
  const word: Range = rangeOf(node.children[0] ?? node);
  const specs = node.namedChildren.flatMap((child) =>
    child.type === "var_spec_list" ? child.namedChildren : [child],
  );
  const read: Reader = (spec) => specParts(spec, word, { scope, source });
  return cutBody({ text: source.text, nodes: specs, open: null }, scope, read);
}

type Place = { readonly scope: Scope; readonly source: Source };

function specParts(spec: SyntaxNode, word: Range, { scope, source }: Place): Part[] {
  const ranges = [word, rangeOf(spec)];
  if (/^type_/.test(spec.type)) return typeParts(spec, word, { scope, source });
  const names = spec.namedChildren.filter(({ type }) => type === "identifier");
  if (names.length > MOST_NAMES) return [{ ...unnamed(spec, scope), ranges }];
  return names.map((name) => {
    const text = textOf(name, source);
    return text === "_" ? { ...unnamed(spec, scope), ranges } : namedPart(text, ranges, name.startIndex);
  });
}

/** A struct and an interface have members. */
function typeParts(spec: SyntaxNode, word: Range, { scope, source }: Place): Part[] {
  const name = spec.childForFieldName("name");
  if (name === null) return [unnamed(spec, scope)];
  const type = spec.childForFieldName("type");
  const path = textOf(name, source);
  const body =
    type?.type === "struct_type" ? type.namedChildren[0] : type?.type === "interface_type" ? type : null;
  if (body == null) return [namedPart(path, [word, rangeOf(spec)], name.startIndex)];
  const brace = body.children.find((child) => child.type === "{")?.startIndex ?? body.startIndex;
  const head = namedPart(path, [word, [spec.startIndex, brace]], name.startIndex);
  const members = cutBody({ ...bodyOf(body, source), open: brace }, inside(scope, path), memberParts);
  return withMembers(head, members);
}

const memberParts: Reader = (node, scope, source) => {
  const fields = node.namedChildren.filter(({ type }) => type === "field_identifier");
  const type = node.type === "field_declaration" ? node.childForFieldName("type") : null;
  const names = fields.length === 0 && type !== null ? [type] : fields;
  if (names.length === 0 || names.length > MOST_NAMES) return [unnamed(node, scope)];
  const ranges = [rangeOf(node)];
  return names.map((name) => {
    const text = textOf(name, source);
    return namedPart(pathIn(scope, name === type ? baseName(text) : text), ranges, name.startIndex);
  });
};
