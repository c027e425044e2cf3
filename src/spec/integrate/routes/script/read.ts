import { partsOf, type SyntaxNode, type SyntaxTree, visit } from "../../../../syntax/tree.ts";
import { addName, classAround, type Draft, finished, functionAround, newDraft, newScope } from "./draft.ts";
import { type Decorator, type Expr, type Scope, type ScriptRouteFacts, UNKNOWN } from "./facts.ts";
import { isFunction, isLink, nameOf, readExpression } from "./read-expression.ts";
import { bind, readDecorators, readFunction } from "./read-function.ts";
import { readType, readTypeArguments } from "./read-types.ts";

export function readScript(tree: SyntaxTree): ScriptRouteFacts {
  const draft = newDraft(tree.text);
  /** Scopes that are open, the innermost last. */
  const open: { readonly scope: number; readonly end: number }[] = [];
  const enter = (node: SyntaxNode, about: Partial<Scope>) => {
    const scope = newScope(draft, open.at(-1)?.scope ?? -1, about);
    open.push({ scope, end: node.endIndex });
    return scope;
  };
  enter(tree.root, {});
  visit(tree, (cursor) => {
    const { nodeType } = cursor;
    if (!INTERESTING.has(nodeType)) return true;
    while (open.length > 1 && cursor.startIndex >= (open.at(-1)?.end ?? 0)) open.pop();
    const node = cursor.currentNode;
    if (!node.isNamed) return true; // the word `class`
    const scope = open.at(-1)?.scope ?? 0;
    if (isFunction(nodeType)) {
      readFunction(draft, node, { outer: scope, scope: enter(node, { ofFunction: node.startIndex }) });
    } else if (nodeType === "class_body") {
      const ofClass = node.parent?.startIndex ?? null;
      readMembers(draft, node, { ofClass, scope: enter(node, { ofClass }) });
    } else if (BLOCKS.has(nodeType)) {
      const inside = enter(node, listOf(draft, node, scope));
      if (nodeType === "for_in_statement")
        bind(draft, inside, node.childForFieldName("left"), (path) => ({ kind: "turn", of: inside, path }));
    } else READERS[nodeType]?.(draft, node, scope);
    return true;
  });
  return finished(draft);
}

const BLOCKS: ReadonlySet<string> = new Set([
  ...["statement_block", "for_statement", "for_in_statement", "switch_body", "catch_clause"],
]);

type Read = (draft: Draft, node: SyntaxNode, scope: number) => void;

const READERS: Readonly<Record<string, Read>> = {
  variable_declarator: readVariable,
  assignment_expression: readAssignment,
  augmented_assignment_expression: readAssignment,
  return_statement: readReturn,
  call_expression: readCalled,
  new_expression: readCalled,
  export_statement: readExports,
  import_statement: readImport,
  import_require_clause: readRequired,
  enum_declaration: readEnum,
  type_alias_declaration: readDeclaredType,
  interface_declaration: readDeclaredType,
  class: readClass,
  class_declaration: readClass,
  abstract_class_declaration: readClass,
};

const INTERESTING: ReadonlySet<string> = new Set([
  ...BLOCKS,
  ...Object.keys(READERS),
  ...["arrow_function", "function_expression", "function_declaration", "method_definition"],
  ...["generator_function", "generator_function_declaration", "class_body"],
]);

function readReturn(draft: Draft, node: SyntaxNode, scope: number): void {
  const value = partsOf(node)[0];
  const { returns } = functionAround(draft, scope) ?? {};
  returns?.push(readExpression(value, { reading: draft.reading, scope, depth: 0 }));
}

function readCalled({ reading, calls }: Draft, node: SyntaxNode, scope: number): void {
  const chain = isLink(node, reading) ? null : readExpression(node, { reading, scope, depth: 0 });
  if (chain?.kind === "chain") calls.push(chain);
}

function readImport({ reading }: Draft, node: SyntaxNode): void {
  const from = nameOf(node.childForFieldName("source"));
  if (from !== null) reading.required.set(from, reading.lineAt(node.startIndex));
}

/** `import express = require("express")`. */
function readRequired(draft: Draft, node: SyntaxNode, scope: number): void {
  const from = nameOf(node.childForFieldName("source"));
  const name = node.namedChildren[0]?.text;
  if (from !== null && name !== undefined) addName(draft, scope, name, { kind: "module", from });
}

function readDeclaredType({ types }: Draft, node: SyntaxNode, scope: number): void {
  const name = node.childForFieldName("name")?.text;
  const type = readType(node.childForFieldName("value") ?? node.childForFieldName("body"));
  if (scope === 0 && name !== undefined && type !== null) types.set(name, type);
}

function readVariable(draft: Draft, node: SyntaxNode, scope: number): void {
  const value = node.childForFieldName("value");
  const name = node.childForFieldName("name");
  const type = readType(node.childForFieldName("type"));
  if (type !== null && name?.type === "identifier") {
    draft.scopes[scope]?.types.set(name.text, type);
    if (value !== null && isFunction(value.type)) draft.functionTypes.set(value.startIndex, type);
  }
  const said = readExpression(value, { reading: draft.reading, scope, depth: 0 });
  // `let app;` says nothing yet.
  if (value === null && name?.type === "identifier") draft.scopes[scope]?.names.set(name.text, []);
  else bind(draft, scope, name, (path) => (path.length === 0 ? said : { kind: "part", of: said, path }));
}

function readEnum(draft: Draft, node: SyntaxNode, scope: number): void {
  const fields = new Map<string, Expr>();
  for (const member of node.childForFieldName("body")?.namedChildren ?? []) {
    const name = nameOf(member.childForFieldName("name"));
    const value = member.childForFieldName("value");
    if (name !== null) fields.set(name, readExpression(value, { reading: draft.reading, scope, depth: 0 }));
  }
  const name = node.childForFieldName("name")?.text ?? "";
  addName(draft, scope, name, { kind: "object", fields, hasMore: false });
}

function listOf({ reading }: Draft, node: SyntaxNode, scope: number): Partial<Scope> {
  if (node.type !== "for_in_statement") return {};
  const list = readExpression(node.childForFieldName("right"), { reading, scope, depth: 0 });
  if (node.childForFieldName("operator")?.type === "of") return { list };
  const line = reading.lineAt(node.startIndex);
  const call = { kind: "call", id: node.startIndex, isNew: false, arguments: [list], types: [] } as const;
  const steps = [{ kind: "member", name: "keys", line } as const, { ...call, line, scope }];
  return { list: { kind: "chain", base: { kind: "name", name: "Object", scope }, steps, scope } };
}

function readClass(draft: Draft, node: SyntaxNode, scope: number): void {
  const { reading } = draft;
  const id = node.startIndex;
  const name = node.childForFieldName("name");
  if (name !== null && node.type !== "class") addName(draft, scope, name.text, { kind: "class", id });
  const heritage = node.namedChildren.find(({ type }) => type === "class_heritage");
  const clause = heritage?.namedChildren.find(({ type }) => type === "extends_clause");
  const base =
    clause?.childForFieldName("value") ?? (clause === undefined ? heritage?.namedChildren[0] : null);
  const isBase = base != null && base.type !== "implements_clause";
  // `@Controller() export class`: it stands before the word.
  const around = node.parent?.type === "export_statement" ? node.parent.namedChildren : [];
  draft.classes.set(id, {
    id,
    name: name?.text ?? null,
    line: reading.lineAt(name?.startIndex ?? id),
    base: isBase ? readExpression(base, { reading, scope, depth: 0 }) : null,
    baseTypes: readTypeArguments(clause?.childForFieldName("type_arguments") ?? null),
    typeParameters: (node.childForFieldName("type_parameters")?.namedChildren ?? []).map(
      (one) => one.childForFieldName("name")?.text ?? "",
    ),
    decorators: readDecorators([...around, ...node.namedChildren], reading, scope),
    methods: new Map(),
    fields: new Map(),
  });
}

const isGet = ({ type }: SyntaxNode) => type === "get";

type Inside = { readonly ofClass: number | null; readonly scope: number };

/** What stands in its body, where `this` is known. Decorators stand before what they are about. */
function readMembers({ classes, reading }: Draft, body: SyntaxNode, { ofClass, scope }: Inside): void {
  const own = ofClass === null ? undefined : classes.get(ofClass);
  let decorators: Decorator[] = [];
  for (const member of partsOf(body)) {
    if (member.type === "decorator") {
      decorators = [...decorators, ...readDecorators([member], reading, scope)];
      continue;
    }
    const name = nameOf(member.childForFieldName("name") ?? member.childForFieldName("property"));
    const value = member.childForFieldName("value"); // `router: Router;` has none yet
    if (name !== null && member.type === "method_definition")
      own?.methods.set(name, { fn: member.startIndex, decorators, isGetter: member.children.some(isGet) });
    else if (name !== null && /field_definition$/.test(member.type))
      own?.fields.set(name, value === null ? [] : [readExpression(value, { reading, scope, depth: 0 })]);
    decorators = [];
  }
}

/** What a file gives to others, where it is not simply handed on from a third: that is among its imports. */
function readExports({ exports, reading }: Draft, node: SyntaxNode, scope: number): void {
  const here = { reading, scope: 0, depth: 0 };
  const isMarked = (sign: string) => node.children.some(({ type }) => type === sign);
  if (scope !== 0 || node.childForFieldName("source") !== null) return;
  const declaration = node.childForFieldName("declaration");
  const value = node.childForFieldName("value") ?? declaration;
  if (isMarked("default")) exports.set("default", readExpression(value, here));
  else if (isMarked("=")) exports.set("=", readExpression(partsOf(node)[0], here));
  else if (declaration !== null) {
    for (const name of declaredNames(declaration)) exports.set(name, { kind: "name", name, scope: 0 });
  }
  for (const clause of node.namedChildren.filter(({ type }) => type === "export_clause")) {
    for (const one of partsOf(clause)) {
      const name = nameOf(one.childForFieldName("name"));
      const alias = nameOf(one.childForFieldName("alias")) ?? name;
      if (name !== null && alias !== null) exports.set(alias, { kind: "name", name, scope: 0 });
    }
  }
}

function declaredNames(declaration: SyntaxNode): string[] {
  const name = declaration.childForFieldName("name");
  if (name !== null) return [name.text];
  return declaration.namedChildren.flatMap((one) => {
    const pattern = one.childForFieldName("name");
    if (pattern === null) return [];
    if (pattern.type === "identifier") return [pattern.text];
    return pattern.namedChildren
      .map((part) => part.childForFieldName("value")?.text ?? part.text)
      .filter((text) => /^[\w$]+$/.test(text));
  });
}

/** A name that gets another value, a field, or what `require` gives to others. */
function readAssignment(draft: Draft, node: SyntaxNode, scope: number): void {
  const left = node.childForFieldName("left");
  const isPlain = node.type === "assignment_expression";
  const here = { reading: draft.reading, scope, depth: 0 };
  const value = isPlain ? readExpression(node.childForFieldName("right"), here) : UNKNOWN;
  const target = left?.text.replace(/\s/g, "") ?? "";
  const exported = /^(?:module\.exports|exports)(?:\.([\w$]+))?$/.exec(target);
  if (exported !== null) {
    draft.exports.set(exported[1] ?? "=", value);
  } else if (left?.type === "identifier") {
    draft.assigned.push({ scope, name: left.text, value });
  } else if (left?.type === "member_expression" && left.childForFieldName("object")?.type === "this") {
    const fields = classAround(draft, scope)?.fields;
    const name = nameOf(left.childForFieldName("property"));
    if (name !== null) fields?.set(name, [...(fields.get(name) ?? []), value]);
  }
}
