import type { Language } from "./language.ts";
import type { SyntaxNode, SyntaxTree } from "./tree.ts";

/** A type that a text declares at its top, or in a namespace there. */
export type DeclaredType = {
  /** With the namespace that it is in: `Orders.Line`. */
  readonly name: string;
  /** Of the grammar, such as `class_definition`. */
  readonly kind: string;
  /** The place of the name. */
  readonly start: number;
  readonly end: number;
};

/** All types that a text declares, in its order. */
export function declaredTypes({ root, language }: SyntaxTree): DeclaredType[] {
  return declared(root.namedChildren, { kinds: KINDS[language], prefix: "", depth: 0 });
}

const SCRIPT = [
  ...["class_declaration", "abstract_class_declaration", "interface_declaration"],
  ...["type_alias_declaration", "enum_declaration"],
];
const KINDS: { readonly [L in Language]: readonly string[] } = {
  python: ["class_definition", "type_alias_statement"],
  typescript: SCRIPT,
  tsx: SCRIPT,
  javascript: ["class_declaration"],
  go: ["type_spec", "type_alias"],
};

/** What declarations stand in: `export`, `declare`, a decorator, the brackets of Go, a namespace. */
const AROUND =
  /^(?:export_statement|ambient_declaration|decorated_definition|type_declaration|expression_statement|internal_module|module|statement_block)$/;
/** People do not go further; a hostile text does, for ever. */
const DEEPEST = 10;

type Inside = { readonly kinds: readonly string[]; readonly prefix: string; readonly depth: number };

function declared(nodes: readonly SyntaxNode[], { kinds, prefix, depth }: Inside): DeclaredType[] {
  return nodes.flatMap((node) => {
    if (kinds.includes(node.type)) return typeOf(node, prefix) ?? [];
    if (depth > DEEPEST || !AROUND.test(node.type)) return [];
    const namespace = /module$/.test(node.type) ? `${node.childForFieldName("name")?.text ?? ""}.` : "";
    return declared(node.namedChildren, { kinds, prefix: prefix + namespace, depth: depth + 1 });
  });
}

function typeOf(node: SyntaxNode, prefix: string): DeclaredType | null {
  const name = node.childForFieldName("name") ?? node.childForFieldName("left");
  if (name === null) return null;
  return {
    name: prefix + name.text.replace(/\[.*$/s, ""), // without the parameters in `type Pair[T] = …`
    kind: node.type,
    start: name.startIndex,
    end: name.endIndex,
  };
}
