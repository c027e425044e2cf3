import type { SyntaxNode } from "../../../../syntax/tree.ts";
import { reasons } from "../../reasons.ts";
import type { DeclaredShape, TypeShape } from "../shape.ts";
import { literalsOf } from "../value-types.ts";
import type { Place } from "./classes.ts";
import { type Expression, expressionOf } from "./expression.ts";
import { neutralName } from "./known-types.ts";
import type { Names } from "./names.ts";
import { type Assignment, assignmentsIn } from "./source.ts";
import { valueType } from "./value-type.ts";

/** Other names of types: `type Sku = str`, `Sku: TypeAlias = str`, `Sku = NewType("Sku", str)`, `Status = Literal["a", "b"]`. */
export function readAlias(statement: SyntaxNode, place: Place): DeclaredShape[] {
  if (statement.type === "type_alias_statement") return typeStatement(statement, place);
  return assignmentsIn(statement).flatMap((assignment) => assigned(assignment, place) ?? []);
}

function typeStatement(statement: SyntaxNode, place: Place): DeclaredShape[] {
  const [left, right] = [statement.childForFieldName("left"), statement.childForFieldName("right")];
  const name = /^\s*([\p{L}_][\p{L}\p{N}_]*)/u.exec(left?.text ?? "")?.[1];
  if (left === null || right === null || name === undefined) return [];
  return [alias({ name, start: left.startIndex, sort: "type" }, expressionOf(right), place)];
}

function assigned({ name, annotation, value, start }: Assignment, place: Place): DeclaredShape | null {
  if (value === null) return null;
  const { names } = place;
  const said = annotation?.kind === "name" ? names.meaning(annotation.name) : null;
  if (said === "typing.TypeAlias") return alias({ name, start, sort: "alias" }, value, place);
  if (annotation !== null) return null;
  if (value.kind === "call") return made({ name, start }, value, place);
  const isAlias = isName(name) ? isType(value, names) : /^_*[A-Z]/.test(name) && isCertain(value, names);
  return isAlias && value.kind !== "none" ? alias({ name, start, sort: "alias" }, value, place) : null;
}

type Head = { readonly name: string; readonly start: number; readonly sort: string };

function alias({ name, start, sort }: Head, of: Expression, { names, scope, lineOf }: Place): DeclaredShape {
  const type = valueType(of, { names, scope });
  const values = literalsOf(type);
  const shape: TypeShape = values === null ? { kind: "alias", type } : { kind: "values", values };
  return { name, line: lineOf(start), shape, bases: [], sort: values === null ? sort : "Literal" };
}

const VARIABLES = /^typing\.(?:TypeVar|ParamSpec|TypeVarTuple)$/;
const BASES = /^sqlalchemy\.(?:declarative_base|automap_base)$/;
const MAKERS =
  /^(?:enum\.\w*(?:Enum|Flag)|typing\.(?:TypedDict|NamedTuple|namedtuple)|dataclasses\.make_dataclass|pydantic\.create_model|attr\.make_class|msgspec\.defstruct)$/;

/** A type that a call makes. Of sort `call` it may be anything else as well, such as an object. */
function made(
  head: Omit<Head, "sort">,
  value: Extract<Expression, { kind: "call" }>,
  place: Place,
): DeclaredShape | null {
  const called = value.of.kind === "name" ? value.of.name : "";
  const meaning = place.names.meaning(called);
  const [, second] = value.args;
  if (meaning === "typing.NewType" && second !== undefined)
    return alias({ ...head, sort: "NewType" }, second, place);
  if (VARIABLES.test(meaning) || !isName(head.name)) return null;
  const common = { name: head.name, line: place.lineOf(head.start), bases: [] };
  if (BASES.test(meaning))
    return { ...common, shape: { kind: "fields", fields: [], more: null }, sort: "sqlalchemy model" };
  const why = reasons.createdByCall(value.of.text.slice(0, 60));
  return { ...common, shape: { kind: "unknown", why }, sort: MAKERS.test(meaning) ? called : "call" };
}

/** As types are called, and constants are not. */
const isName = (name: string) => /^_*\p{Lu}/u.test(name) && !/^_*[A-Z0-9][A-Z0-9_]+$/.test(name);

/** Whether it is the name of a type, as far as names tell, or made of such names. */
function isType(value: Expression, names: Names): boolean {
  if (isCertain(value, names)) return true;
  if (value.kind === "name") return isName(value.name.split(".").at(-1) ?? "");
  if (value.kind === "subscript") return isType(value.of, names);
  return value.kind === "union" && value.of.every((one) => one.kind === "literal" || isType(one, names));
}

/** Whether it can only be meant as a type: `str`, `list[X]`, `X | None`. */
function isCertain(value: Expression, names: Names): boolean {
  if (value.kind === "none") return true;
  if (value.kind === "name") return neutralName(names.meaning(value.name)) !== null;
  if (value.kind === "union") return value.of.some((one) => isCertain(one, names));
  if (value.kind !== "subscript" || value.of.kind !== "name") return false;
  return isCertain(value.of, names) || names.meaning(value.of.name).startsWith("typing.");
}
