import type { SyntaxNode } from "../tree.ts";
import {
  called,
  cutBody,
  DEEPEST,
  type Part,
  plain,
  type Range,
  type Reader,
  type Scope,
  type Source,
  textOf,
  unnamed,
} from "./part.ts";

/**
 * `if` and `try` around declarations: each of those is a part of its own, and the words around them are one without a name. Around
 * nothing but imports they are imports, around nothing that has a name they are one part with all that is inside.
 */
export function conditionParts(node: SyntaxNode, scope: Scope, source: Source, read: Reader): Part[] {
  if (isImports(node, source)) return [plain("import", node)];
  if (scope.depth >= DEEPEST) return [unnamed(node, scope)];
  const clauses = clausesOf(node);
  const inner = clauses.flatMap(({ word, block }) =>
    cutBody(
      { text: source.text, nodes: block.namedChildren, open: null },
      { path: scope.path, depth: scope.depth + 1, around: `${scope.around}${word} ` },
      read,
    ),
  );
  const names = inner.flatMap(({ path, kind }) => (path !== null && kind !== "comment" ? [path] : []));
  if (names.length === 0 && !inner.some(({ kind }) => kind === "import")) {
    const isAbout = inner.every(
      ({ kind, about, isCall }) => kind === "comment" || about.length > 0 || isCall,
    );
    const around = unnamed(node, scope, isAbout ? inner.flatMap(({ about }) => about) : []);
    return [isAbout && inner.some(({ isCall }) => isCall) ? called(around) : around];
  }
  const around = { ...unnamed(node, scope, names), ranges: outside(node, clauses) };
  return [around, ...inner];
}

type Clause = { readonly word: string; readonly block: SyntaxNode };

function clausesOf(node: SyntaxNode): Clause[] {
  const word = /^[a-z]+/.exec(node.type)?.[0] ?? "";
  return node.namedChildren.flatMap((child): Clause[] => {
    if (child.type === "block") return [{ word, block: child }];
    return child.type.endsWith("_clause") ? clausesOf(child) : [];
  });
}

function outside({ startIndex, endIndex }: SyntaxNode, clauses: readonly Clause[]): Range[] {
  const ranges: Range[] = [];
  let from = startIndex;
  for (const { block } of clauses) {
    ranges.push([from, block.startIndex]);
    from = block.endIndex;
  }
  return from < endIndex ? [...ranges, [from, endIndex]] : ranges;
}

const IMPORT = /^(?:import_statement|import_from_statement)$/;
const NOTHING = /^(?:comment|pass_statement|raise_statement)$/;

/** Also with what is done where a package is missing: `except ImportError: yaml = None`. */
function isImports(node: SyntaxNode, source: Source): boolean {
  const statements = statementsIn(node, 0);
  const imports = statements.filter(({ type }) => IMPORT.test(type));
  if (imports.length === 0) return false;
  const words = new Set(imports.flatMap((one) => textOf(one, source).match(/[\p{L}\p{N}_]+/gu) ?? []));
  return statements.every((one) => {
    if (IMPORT.test(one.type) || NOTHING.test(one.type)) return true;
    const [inner] = one.namedChildren;
    if (one.type !== "expression_statement" || inner === undefined) return false;
    const left = inner.type === "assignment" ? inner.childForFieldName("left") : null;
    return inner.type === "ellipsis" || (left?.type === "identifier" && words.has(textOf(left, source)));
  });
}

function statementsIn(node: SyntaxNode, depth: number): SyntaxNode[] {
  const statements = clausesOf(node).flatMap(({ block }) => block.namedChildren);
  if (depth > 3) return statements;
  return statements.flatMap((one) =>
    /^(?:if|try)_statement$/.test(one.type) ? statementsIn(one, depth + 1) : [one],
  );
}
