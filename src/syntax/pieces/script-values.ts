import type { SyntaxNode } from "../tree.ts";
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
  type Range,
  type Reader,
  rangeOf,
  type Scope,
  type Source,
  textOf,
  unnamed,
  withMembers,
} from "./part.ts";

/** One declarator of `const a = 1, { b, c } = f()`: a part for each name that it gives. */
export function declaratorParts(node: SyntaxNode, words: Range, place: Place): Part[] {
  const name = node.childForFieldName("name");
  if (name === null) return [unnamed(node, place.scope)];
  const names = name.type === "identifier" ? [name] : bound(name);
  if (names.length === 0 || names.length > MOST_NAMES) return [unnamed(node, place.scope)];
  const value = name.type === "identifier" ? node.childForFieldName("value") : null;
  const ranges = [words, rangeOf(node)];
  return names.flatMap((one) =>
    valueParts(textOf(one, place.source), value, { start: one.startIndex, ranges, place }),
  );
}

/** `module.exports = …`, `exports.a = …`, `Cart.prototype.total = …`. */
export function assignmentParts(node: SyntaxNode, place: Place): Part[] {
  const { source, scope, outer } = place;
  const left = node.childForFieldName("left");
  const path = left === null ? null : assignedPath(textOf(left, source).replace(/\s/g, ""));
  if (left === null || path === null) return [unnamed(outer, scope, rootOf(node, source))];
  const ranges = [rangeOf(outer)];
  const value = node.childForFieldName("right");
  const parts = valueParts(path, value, { start: left.startIndex, ranges, place });
  return path === EXPORTS && value !== null ? exported(parts, value, source) : parts;
}

const EXPORTS = "module.exports";

/** `module.exports = { a, b: c }`: each name is a part for itself, and there is a head only where something has none. */
function exported([head, ...names]: readonly Part[], value: SyntaxNode, source: Source): Part[] {
  if (head === undefined) return [];
  if (head.kind !== "head" || bodyIn(value)?.type !== "object")
    return [aboutValue(head, value, source), ...names];
  const nameless = head.ranges.length > 2; // what is before the object, what is behind it, and more
  const inObject = names.map((part): Part => {
    const path = part.path?.slice(EXPORTS.length + 1) ?? null;
    if (part.kind === "comment") return { ...part, path: path === "" ? null : path, within: EXPORTS };
    return { ...part, kind: "export", path, about: valueName(part, source), within: EXPORTS };
  });
  return nameless ? [head, ...inObject] : inObject;
}

/** The name that is handed out: of `b: c` it is `c`. */
function valueName({ ranges }: Part, { text }: Source): string[] {
  const [, name] = /:\s*([\p{L}_$][\p{L}\p{N}_$]*)$/u.exec(text.slice(...(ranges.at(-1) ?? [0, 0]))) ?? [];
  return name === undefined ? [] : [name];
}

/** What is handed out as the whole of a file is about the names in it: `memo(Button)`. */
export function aboutValue(part: Part, value: SyntaxNode, source: Source): Part {
  const about = rootOf(value, source);
  return value.type === "call_expression"
    ? called({ ...part, about })
    : { ...part, about: value.type === "identifier" ? about : [] };
}

function assignedPath(text: string): string | null {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*(?:\.#?[\p{L}_$][\p{L}\p{N}_$]*)*$/u.test(text)) return null;
  return text.replace(/^(?:module\.)?exports\.(?=.)/, "").replace(".prototype.", ".");
}

type Valued = { readonly start: number; readonly ranges: readonly Range[]; readonly place: Place };

/** An object or a class that is a value has members as a declared one has. */
export function valueParts(name: string, value: SyntaxNode | null, { start, ranges, place }: Valued): Part[] {
  const { scope, source } = place;
  const path = pathIn(scope, name);
  const whole: Part = namedPart(path, ranges, start);
  const body = value === null || scope.depth >= DEEPEST ? null : bodyIn(value);
  if (body === null) return [whole];
  const cut = ranges.flatMap((range) => without(range, rangeOf(body)));
  return withMembers({ ...whole, ranges: cut }, membersOf(body, inside(scope, path), source));
}

const AROUND = /^(?:as_expression|satisfies_expression|parenthesized_expression)$/;

function bodyIn(value: SyntaxNode): SyntaxNode | null {
  let at: SyntaxNode | undefined = value;
  for (let i = 0; i < DEEPEST && at !== undefined && AROUND.test(at.type); i += 1) at = at.namedChildren[0];
  if (at?.type === "object") return at;
  return at?.type === "class" ? at.childForFieldName("body") : null;
}

function without([start, end]: Range, [from, to]: Range): Range[] {
  if (to <= start || from >= end) return [[start, end]];
  return [
    [start, from],
    [to, end],
  ];
}

function bound(pattern: SyntaxNode, depth = 0): SyntaxNode[] {
  if (/^(?:identifier|shorthand_property_identifier_pattern)$/.test(pattern.type)) return [pattern];
  if (depth > DEEPEST) return [];
  const value = pattern.childForFieldName("value") ?? pattern.childForFieldName("left");
  if (value !== null) return bound(value, depth + 1);
  if (!/_pattern$/.test(pattern.type)) return [];
  return pattern.namedChildren.flatMap((child) => bound(child, depth + 1));
}

/** `const x = require("x")`, `const { a } = require("x").b`, `const x = await import("x")`. */
export function isRequired(declarator: SyntaxNode, source: Source): boolean {
  let at = declarator.childForFieldName("value");
  for (let i = 0; i < DEEPEST && at?.type === "member_expression"; i += 1)
    at = at.childForFieldName("object");
  const isAwaited = at?.type === "await_expression";
  if (isAwaited) at = at?.namedChildren[0] ?? null;
  const loader = at?.type === "call_expression" ? at.childForFieldName("function") : null;
  return loader != null && textOf(loader, source) === (isAwaited ? "import" : "require");
}

const INTO: Readonly<Record<string, string>> = {
  ...{ call_expression: "function", member_expression: "object", subscript_expression: "object" },
  ...{ assignment_expression: "left", augmented_assignment_expression: "left" },
};

/** The name that an expression begins with: `app` of `app.use(…).listen(…)`. */
export function rootOf(node: SyntaxNode, source: Source): string[] {
  let at: SyntaxNode | null = /^await_/.test(node.type) ? (node.namedChildren[0] ?? null) : node;
  for (let i = 0; i < DEEPEST * DEEPEST && at !== null && Object.hasOwn(INTO, at.type); i += 1)
    at = at.childForFieldName(INTO[at.type] as string);
  return at?.type === "identifier" ? [textOf(at, source)] : [];
}

/** The members of a class, an interface, an enum or an object. */
function membersOf(body: SyntaxNode, scope: Scope, source: Source): Part[] {
  return cutBody(bodyOf(body, source), scope, memberParts);
}

const memberParts: Reader = (node, scope, source) => {
  if (node.type === "index_signature") return [unnamed(node, scope)];
  const name = BARE.test(node.type)
    ? node
    : (node.childForFieldName("name") ?? node.childForFieldName("property") ?? node.childForFieldName("key"));
  if (name === null) return [unnamed(node, scope)];
  const written = textOf(name, source);
  const text = name.type === "string" ? written.slice(1, -1) : written.replace(/\s/g, "");
  return [namedPart(pathIn(scope, text), [rangeOf(node)], name.startIndex)];
};

/** Those of an enum without a value and `{ a }` are nothing but their name. */
const BARE = /^(?:property_identifier|shorthand_property_identifier|string|number)$/;

/** Where a declaration stands: `outer` is all of it, with `export`, `declare` and its decorators. */
export type Place = { readonly scope: Scope; readonly source: Source; readonly outer: SyntaxNode };

/** `start` is the place of the name. */
type Named = { readonly start: number; readonly body: SyntaxNode | null; readonly place: Place };

/** What is declared by a name, with its members if it has a body. */
export function namedParts(name: string, { start, body, place }: Named): Part[] {
  const { scope, source, outer } = place;
  const path = pathIn(scope, name);
  const whole: Part = namedPart(path, [rangeOf(outer)], start);
  if (body === null || scope.depth >= DEEPEST) return [whole];
  const ranges: Range[] = [
    [outer.startIndex, body.startIndex],
    [body.endIndex, outer.endIndex],
  ];
  return withMembers({ ...whole, ranges }, membersOf(body, inside(scope, path), source));
}
