import type { SyntaxNode, SyntaxTree } from "./tree.ts";

/** One name that a text takes from another module, or hands on from there. */
export type Import = {
  /** What it is called here; null where nothing is called so: `import "./x"`, `export * from "./x"`, `from x import *`. */
  readonly local: string | null;
  /** What it is called there: `default`; null is the module itself, `*` all of its names. */
  readonly imported: string | null;
  /** As it is written: `./routes.js`, `app.models`, `..store`, `net/http`. */
  readonly from: string;
  /** It is handed on under its local name: `export { a as b } from "./x"`. In Python every import is. */
  readonly isExported: boolean;
  /** From the start of the text. */
  readonly start: number;
};

/** All imports of a text, in its order, those inside of functions and conditions too. */
export function importsOf(tree: SyntaxTree): Import[] {
  const { language } = tree;
  const read = language === "python" ? pythonImport : language === "go" ? goImport : scriptImport;
  return importNodes(tree.root).flatMap((node) => read(node));
}

const STATEMENTS: ReadonlySet<string> = new Set([
  ...["import_statement", "import_from_statement", "export_statement", "import_spec"],
  ...["lexical_declaration", "variable_declaration"],
]);
/** What imports may stand in and people write them in. */
const AROUND =
  /^(?:program|module|block|statement_block|if_statement|elif_clause|else_clause|try_statement|except_clause|finally_clause|with_statement|for_statement|class_definition|decorated_definition|import_declaration|import_spec_list|source_file|function_definition|function_declaration|ambient_declaration)$/;
const DEEPEST = 12;

function importNodes(node: SyntaxNode, depth = 0): SyntaxNode[] {
  return node.namedChildren.flatMap((child) => {
    if (STATEMENTS.has(child.type)) return [child];
    return depth < DEEPEST && AROUND.test(child.type) ? importNodes(child, depth + 1) : [];
  });
}

function pythonImport(node: SyntaxNode): Import[] {
  const start = node.startIndex;
  const module = node.childForFieldName("module_name");
  const names = node.namedChildren.filter(({ startIndex }) => startIndex !== module?.startIndex);
  return names.flatMap((name): Import[] => {
    const isAlias = name.type === "aliased_import";
    const said = (isAlias ? name.childForFieldName("name") : name)?.text.replace(/\s/g, "") ?? "";
    const alias = isAlias ? (name.childForFieldName("alias")?.text ?? null) : null;
    const from = module?.text.replace(/\s/g, "");
    const base = { isExported: true, start };
    if (name.type === "wildcard_import") return [{ ...base, local: null, imported: "*", from: from ?? "" }];
    if (name.type !== "dotted_name" && !isAlias) return []; // a comment
    if (from !== undefined) return [{ ...base, local: alias ?? said, imported: said, from }];
    // `import a.b` makes `a` known, through which `a.b` is reached.
    return [{ ...base, local: alias ?? said, imported: null, from: said }];
  });
}

function goImport(node: SyntaxNode): Import[] {
  const from = (node.childForFieldName("path")?.text ?? "").slice(1, -1);
  const local = node.childForFieldName("name")?.text ?? from.split("/").at(-1) ?? null;
  const isNamed = local !== null && local !== "_" && local !== ".";
  return [{ local: isNamed ? local : null, imported: null, from, isExported: false, start: node.startIndex }];
}

function scriptImport(node: SyntaxNode): Import[] {
  if (node.type.endsWith("_declaration")) return requires(node);
  const from = textIn(node.childForFieldName("source"));
  if (from === null) return [];
  const base = { from, isExported: node.type === "export_statement", start: node.startIndex };
  const clause = node.namedChildren.find(({ type }) =>
    /^(?:import_clause|export_clause|namespace_export)$/.test(type),
  );
  if (clause === undefined) {
    const isStar = base.isExported && node.children.some(({ type }) => type === "*");
    return [{ ...base, local: null, imported: isStar ? "*" : null }];
  }
  if (clause.type === "namespace_export")
    return [{ ...base, local: clause.namedChildren.at(-1)?.text ?? null, imported: null }];
  return clauseNames(clause).map(([local, imported]) => ({ ...base, local, imported }));
}

function clauseNames(clause: SyntaxNode): (readonly [string, string | null])[] {
  if (clause.type === "export_clause") return clause.namedChildren.flatMap(specifier);
  return clause.namedChildren.flatMap((part): (readonly [string, string | null])[] => {
    if (part.type === "identifier") return [[part.text, "default"]];
    if (part.type === "namespace_import") return [[part.namedChildren.at(-1)?.text ?? "", null]];
    return part.type === "named_imports" ? part.namedChildren.flatMap(specifier) : [];
  });
}

function specifier(node: SyntaxNode): (readonly [string, string])[] {
  const name = node.childForFieldName("name");
  if (name === null) return [];
  const imported = textIn(name) ?? name.text;
  const alias = node.childForFieldName("alias");
  return [[alias === null ? imported : (textIn(alias) ?? alias.text), imported]];
}

/** `const { a, b: c } = require("./x")` and `const x = require("./x")`. */
function requires(node: SyntaxNode): Import[] {
  return node.namedChildren.flatMap((declarator): Import[] => {
    const value = declarator.childForFieldName("value");
    if (value?.type !== "call_expression" || value.childForFieldName("function")?.text !== "require")
      return [];
    const from = textIn(value.childForFieldName("arguments")?.namedChildren[0] ?? null);
    const name = declarator.childForFieldName("name");
    if (from === null || name === null) return [];
    const base = { from, isExported: false, start: node.startIndex };
    if (name.type === "identifier") return [{ ...base, local: name.text, imported: null }];
    return name.namedChildren.flatMap((part): Import[] => {
      if (part.type === "shorthand_property_identifier_pattern")
        return [{ ...base, local: part.text, imported: part.text }];
      const [key, local] = [part.childForFieldName("key"), part.childForFieldName("value")];
      return key === null || local?.type !== "identifier"
        ? []
        : [{ ...base, local: local.text, imported: key.text }];
    });
  });
}

/** What a literal without anything to fill in stands for; null where the node is none. */
function textIn(node: SyntaxNode | null): string | null {
  return node?.type === "string" ? node.text.slice(1, -1) : null;
}
