import { importsOf } from "../../../../syntax/imports.ts";
import type { SyntaxNode, SyntaxTree } from "../../../../syntax/tree.ts";
import { lineFinder } from "../../../../util/lines.ts";

/** What a file of TypeScript or JavaScript declares at its top and in its namespaces, before anybody asks what it means. */
export type ScriptSource = {
  /** As it is written; the text of a node may be another form of it. */
  readonly text: (node: SyntaxNode) => string;
  readonly line: (node: SyntaxNode) => number;
  /** By name, with the namespace: interfaces may be declared in several pieces. */
  readonly types: ReadonlyMap<string, readonly SyntaxNode[]>;
  /** What names are given as a value, and where the name stands. */
  readonly constants: ReadonlyMap<string, Constant>;
  /** `export { a as b }`, by the name outside. */
  readonly renamed: ReadonlyMap<string, SyntaxNode>;
  /** What `export default` hands on, if it has a name. */
  readonly byDefault: string | null;
  /** Names that others can take; null where nothing says so. */
  readonly exported: ReadonlySet<string> | null;
  readonly imported: ReadonlySet<string>;
  /** What Zod is called here. */
  readonly zod: ReadonlySet<string>;
  /** What is taken from TypeBox, by what it is called here: `Type`, `Static`. */
  readonly typeBox: ReadonlyMap<string, string>;
  /** By the name of a schema, the type that is made from it: `type Order = z.infer<typeof order>`. */
  readonly inferred: ReadonlyMap<string, string>;
  /** Without types: what is written is all there is. */
  readonly isJavaScript: boolean;
};

export type Constant = { readonly name: SyntaxNode; readonly value: SyntaxNode };

export function sourceOf(tree: SyntaxTree): ScriptSource {
  const found: Found = {
    ...{ types: new Map(), constants: new Map(), renamed: new Map() },
    ...{ exported: new Set(), byDefault: [] },
  };
  const text = (node: SyntaxNode) => tree.text.slice(node.startIndex, node.endIndex);
  for (const node of tree.root.namedChildren) collect(node, { found, text, prefix: "", depth: 0 });
  const lineOf = lineFinder(tree.text);
  const imports = importsOf(tree);
  const imported = new Set(imports.flatMap(({ local }) => local ?? []));
  const zod = imports.filter(({ from, local }) => ZOD.test(from) || local === "z");
  return {
    ...found,
    exported: found.exported.size === 0 ? null : found.exported,
    byDefault: found.byDefault[0] ?? null,
    ...{ text, imported, isJavaScript: tree.language === "javascript" },
    line: ({ startIndex }) => lineOf(startIndex),
    zod: new Set(["z", ...zod.flatMap(({ local }) => local ?? [])]),
    typeBox: new Map(
      imports.flatMap(({ from, local, imported: name }) =>
        local !== null && /(?:^|\/)typebox$/.test(from) ? [[local, name ?? local]] : [],
      ),
    ),
    inferred: new Map([...found.types].flatMap(([name, [node]]) => inferredFrom(node, name, text))),
  };
}

function inferredFrom(
  node: SyntaxNode | undefined,
  name: string,
  text: ScriptSource["text"],
): [string, string][] {
  const value = node?.type === "type_alias_declaration" ? node.childForFieldName("value") : null;
  const from = value?.type === "generic_type" ? INFERRED.exec(text(value))?.[1] : undefined;
  return from === undefined ? [] : [[from, name]];
}

const INFERRED = /^(?:[\w$]+\s*\.\s*(?:infer|output|TypeOf)|Static)\s*<\s*typeof\s+([\w$]+)\s*>$/;

/** The package, its versions, and what hands it on: `zod/v4`, `@hono/zod-openapi`. */
const ZOD = /(?:^|[/@-])zod(?:$|[/-])/;

type Found = {
  readonly types: Map<string, SyntaxNode[]>;
  readonly constants: Map<string, Constant>;
  readonly renamed: Map<string, SyntaxNode>;
  readonly exported: Set<string>;
  readonly byDefault: string[];
};
type Inside = {
  readonly found: Found;
  readonly text: ScriptSource["text"];
  readonly prefix: string;
  readonly depth: number;
};

const TYPES: ReadonlySet<string> = new Set([
  ...["interface_declaration", "type_alias_declaration", "enum_declaration"],
  ...["class_declaration", "abstract_class_declaration"],
]);
const AROUND =
  /^(?:export_statement|ambient_declaration|expression_statement|statement_block|export_clause)$/;
/** People do not go further; a hostile text does, for ever. */
const DEEPEST = 10;

function collect(node: SyntaxNode, inside: Inside): void {
  const { found, text, prefix, depth } = inside;
  const name = node.childForFieldName("name");
  if (TYPES.has(node.type)) {
    if (name !== null) collectType(node, prefix + text(name), found);
  } else if (node.type === "lexical_declaration" || node.type === "variable_declaration") {
    for (const one of node.namedChildren) collectConstant(one, inside);
  } else if (node.type === "export_specifier") {
    collectExport(node, inside);
  } else if (depth <= DEEPEST && (AROUND.test(node.type) || isNamespace(node))) {
    if (isFromElsewhere(node)) return;
    collectDefault(node, inside);
    const within = isNamespace(node) && name !== null ? `${prefix}${text(name)}.` : prefix;
    for (const child of node.namedChildren) collect(child, { ...inside, prefix: within, depth: depth + 1 });
  }
}

function collectType(node: SyntaxNode, name: string, { types, exported }: Found): void {
  types.set(name, [...(types.get(name) ?? []), node]);
  if (isExported(node)) exported.add(name);
}

/** `export { a, b as c }`. */
function collectExport(node: SyntaxNode, { found, text, prefix }: Inside): void {
  const [name, alias] = [node.childForFieldName("name"), node.childForFieldName("alias")];
  const outside = alias ?? name;
  if (outside !== null) found.exported.add(prefix + text(outside));
  if (alias !== null && name !== null) found.renamed.set(prefix + text(alias), node);
}

/** `export default Order;`, `export default class Order {}`. */
function collectDefault(node: SyntaxNode, { found, text, prefix }: Inside): void {
  const isDefault = node.type === "export_statement" && node.children.some(({ type }) => type === "default");
  const value = isDefault ? node.childForFieldName("value") : null;
  const name =
    value?.type === "identifier" ? value : node.childForFieldName("declaration")?.childForFieldName("name");
  if (!isDefault || !name) return;
  found.exported.add(prefix + text(name));
  found.byDefault.push(text(name));
}

const isFromElsewhere = (node: SyntaxNode): boolean =>
  node.type === "export_statement" && node.childForFieldName("source") !== null;

/** Also with `declare` before it; in a namespace it is as good as exported. */
function isExported(node: SyntaxNode): boolean {
  const around = node.parent?.type === "ambient_declaration" ? node.parent.parent : node.parent;
  return around?.type === "export_statement" || around?.type === "statement_block";
}

/** `declare module "x"` adds to what others declare. */
function isNamespace(node: SyntaxNode): boolean {
  if (node.type !== "internal_module" && node.type !== "module") return false;
  return node.childForFieldName("name")?.type !== "string";
}

function collectConstant(declarator: SyntaxNode, { found, text, prefix }: Inside): void {
  const name = declarator.childForFieldName("name");
  const value = declarator.childForFieldName("value");
  if (name?.type !== "identifier" || value === null) return;
  found.constants.set(prefix + text(name), { name, value });
  if (declarator.parent !== null && isExported(declarator.parent)) found.exported.add(prefix + text(name));
}
