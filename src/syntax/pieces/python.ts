import { partsOf, type SyntaxNode } from "../tree.ts";
import {
  bodyOf,
  called,
  cutBody,
  DEEPEST,
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

/** The parts that one statement of a module or a class is, or holds. */
export const pythonParts: Reader = (node, scope, source) => {
  switch (node.type) {
    case "import_statement":
    case "import_from_statement":
    case "future_import_statement":
      return [plain("import", node)];
    case "decorated_definition": {
      const definition = node.childForFieldName("definition");
      return definition === null ? [unnamed(node, scope)] : defined(definition, node, { scope, source });
    }
    case "class_definition":
    case "function_definition":
      return defined(node, node, { scope, source });
    case "type_alias_statement": {
      const left = node.childForFieldName("left");
      return left === null ? [unnamed(node, scope)] : [named(node, left, { scope, source })];
    }
    case "if_statement":
    case "try_statement":
      return conditionParts(node, scope, source, pythonParts);
    case "expression_statement":
      return expressionParts(node, scope, source);
    case "pass_statement":
      return [];
    case "raise_statement": // `raise SystemExit(main())`
      return [called(unnamed(node, scope))];
    default:
      return [unnamed(node, scope)];
  }
};

type Place = { readonly scope: Scope; readonly source: Source };

/** A class or a function; `outer` has its decorators too. */
function defined(node: SyntaxNode, outer: SyntaxNode, place: Place): Part[] {
  const name = node.childForFieldName("name");
  if (name === null) return [unnamed(outer, place.scope)];
  const whole = named(outer, name, place);
  const body = node.childForFieldName("body");
  if (node.type !== "class_definition" || body === null) return [whole];
  const { scope, source } = place;
  const members = inside(scope, whole.path);
  if (members.depth > DEEPEST) return [whole];
  const head: Range = [outer.startIndex, body.startIndex];
  return withMembers(
    { ...whole, ranges: [head] },
    cutBody({ ...bodyOf(body, source), open: null }, members, pythonParts),
  );
}

function named(node: SyntaxNode, name: SyntaxNode, { scope, source }: Place) {
  const bare = textOf(name, source).replace(/[\s[].*$/s, ""); // without the parameters in `type Pair[T] = …`
  return namedPart(pathIn(scope, bare), [rangeOf(node)], name.startIndex, scope.around);
}

function expressionParts(node: SyntaxNode, scope: Scope, source: Source): Part[] {
  const [inner] = node.namedChildren;
  if (inner === undefined || inner.type === "ellipsis") return [];
  // The first of a module is its docstring; what stands so later is one for nobody.
  if (inner.type === "string" && scope.depth === 0 && scope.around === "") return [plain("opening", node)];
  if (!/assignment$/.test(inner.type)) return [called(unnamed(node, scope, rootOf(inner, source)))];
  const exported = exportedNames(node, inner, source);
  if (exported !== null && scope.path === null) return exported;
  const targets = assigned(inner);
  if (targets.length === 0 || targets.length > MOST_NAMES)
    return [unnamed(node, scope, rootOf(inner, source))];
  const ranges = [rangeOf(node)];
  return targets.map((target) => {
    const path = dotted(target, source);
    return path === null
      ? unnamed(node, scope, rootOf(target, source))
      : { ...named(node, target, { scope, source }), path: pathIn(scope, path), ranges };
  });
}

/** `__all__ = ["a", "b"]`: each of the names is a part for itself. */
function exportedNames(node: SyntaxNode, assignment: SyntaxNode, source: Source): Part[] | null {
  const left = assignment.childForFieldName("left");
  const list = assignment.childForFieldName("right");
  if (left === null || list === null || textOf(left, source) !== ALL || !/^(?:list|tuple)$/.test(list.type))
    return null;
  const names = partsOf(list);
  if (!names.every((name) => /^(["'])[\p{L}\p{N}_]+\1$/u.test(textOf(name, source)))) return null;
  return names.map((name) => ({
    kind: "export",
    path: textOf(name, source).slice(1, -1),
    ranges: [[node.startIndex, list.startIndex], rangeOf(name)],
    about: [],
    around: "",
    start: name.startIndex,
    within: ALL,
  }));
}

const ALL = "__all__";

/** All that gets a value: of `a, (b, c) = d = f()` four. */
function assigned(assignment: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  let at: SyntaxNode | null = assignment;
  for (let i = 0; i < DEEPEST && at !== null && /assignment$/.test(at.type); i += 1) {
    const left = at.childForFieldName("left");
    if (left !== null) found.push(...targetsIn(left));
    at = at.childForFieldName("right");
  }
  return found;
}

function targetsIn(node: SyntaxNode, depth = 0): SyntaxNode[] {
  if (!/_pattern$|^pattern_list$/.test(node.type) || depth > DEEPEST) return [node];
  return node.namedChildren.flatMap((child) => targetsIn(child, depth + 1));
}

/** `settings.debug`, and of `settings["debug"]` that which is changed by it. */
function dotted(node: SyntaxNode, source: Source): string | null {
  let at: SyntaxNode | null = node;
  for (let i = 0; i < DEEPEST && at?.type === "subscript"; i += 1) at = at.childForFieldName("value");
  const text = at === null ? "" : textOf(at, source).replace(/\s/g, "");
  return /^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*$/u.test(text) ? text : null;
}

const INTO: Readonly<Record<string, string>> = { call: "function", attribute: "object", subscript: "value" };

/** The name that an expression begins with: `app` of `app.include_router(…)`. */
function rootOf(node: SyntaxNode, source: Source): string[] {
  let at: SyntaxNode | null = node.type === "await" ? (node.namedChildren[0] ?? null) : node;
  for (let i = 0; i < DEEPEST * DEEPEST && at !== null && Object.hasOwn(INTO, at.type); i += 1)
    at = at.childForFieldName(INTO[at.type] as string);
  return at?.type === "identifier" ? [textOf(at, source)] : [];
}

/**
 * `if` and `try` around declarations: each of those is a part of its own, and the words around them are one without a name. Around
 * nothing but imports they are imports, around nothing that has a name they are one part with all that is inside.
 */
function conditionParts(node: SyntaxNode, scope: Scope, source: Source, read: Reader): Part[] {
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

/** Also with what is done where a package is missing: `except ImportError: yaml = None`. */
function isImports(node: SyntaxNode, source: Source): boolean {
  const statements = statementsIn(node, 0);
  const imports = statements.filter(({ type }) => IMPORT.test(type));
  if (imports.length === 0) return false;
  const words = new Set(imports.flatMap((one) => textOf(one, source).match(/[\p{L}\p{N}_]+/gu) ?? []));
  return statements.every((one) => {
    if (IMPORT.test(one.type) || /^(?:comment|pass_statement|raise_statement)$/.test(one.type)) return true;
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
