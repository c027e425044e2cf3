import { parameter } from "../script/operators.ts";
import type { ValueType } from "../shape.ts";
import { anyType, named, nullType, unionOf } from "../value-types.ts";
import type { Call, Expression } from "./expression.ts";
import { forwardReference } from "./forward-reference.ts";
import { neutralName } from "./known-types.ts";
import type { Names } from "./names.ts";

/** Where a type is written: what names mean there, and the class around it, if any. */
export type Around = {
  readonly names: Names;
  readonly scope: string;
  /** Names that stand for any type, in their order. */
  readonly parameters?: readonly string[];
};

/** Strings in strings, and what hostile texts do. */
const DEEPEST = 30;

/** The type that an expression in the place of a type means, in the words of types/shape.ts. */
export function valueType(expression: Expression, around: Around, depth = 0): ValueType {
  const unknown: ValueType = { kind: "unknown", text: expression.text };
  if (depth > DEEPEST) return unknown;
  const inner = (one: Expression) => valueType(one, around, depth + 1);
  switch (expression.kind) {
    case "none":
      return nullType;
    case "name":
      return bare(expression.name, around);
    case "union":
      return unionOf(expression.of.map(inner));
    case "literal":
      return expression.value.startsWith('"')
        ? inner(forwardReference(JSON.parse(expression.value)))
        : unknown;
    case "ellipsis":
      return named("...");
    case "subscript":
      return subscript(expression, around, inner) ?? unknown;
    case "call":
      return constrained(expression, around, inner) ?? unknown;
    default:
      return unknown;
  }
}

const ARGUMENTS: { readonly [neutral: string]: number } = { list: 1, set: 1, map: 2 };

/** `list` says nothing about what is in it. */
function bare(name: string, { names, scope, parameters = [] }: Around): ValueType {
  // By its place: what it is called is nobody's concern.
  if (parameters.includes(name)) return parameter(parameters.indexOf(name) + 1);
  const meaning = names.meaning(name);
  if (meaning === "typing.Self") return named(scope);
  const neutral = neutralName(meaning);
  if (neutral === null) return named(names.inScope(name, scope));
  return named(neutral, ...Array.from({ length: ARGUMENTS[neutral] ?? 0 }, () => anyType));
}

type Inner = (one: Expression) => ValueType;

function subscript(
  { of, args }: Extract<Expression, { kind: "subscript" }>,
  around: Around,
  inner: Inner,
): ValueType | null {
  if (of.kind !== "name") return null;
  const meaning = around.names.meaning(of.name);
  const [first] = args;
  if (first === undefined) return null;
  switch (meaning) {
    case "typing.Optional":
      return unionOf([inner(first), nullType]);
    case "typing.Union":
      return unionOf(args.map(inner));
    case "typing.Literal":
      return unionOf(args.map(literal));
    case "typing.Annotated":
    case "typing.Final":
    case "typing.ReadOnly":
    case "typing.Required":
    case "typing.NotRequired":
    case "sqlalchemy.Mapped":
      return inner(first);
    case "typing.Callable":
      return null;
  }
  const neutral = neutralName(meaning);
  const name = neutral ?? around.names.inScope(of.name, around.scope);
  return named(name, ...args.map(inner));
}

function literal(one: Expression): ValueType {
  if (one.kind === "literal") return { kind: "literal", value: one.value };
  return one.kind === "none" ? nullType : { kind: "unknown", text: one.text };
}

/** `conint(gt=0)`, `conlist(Line, min_length=1)`. */
function constrained({ of, args, named: byName }: Call, { names }: Around, inner: Inner): ValueType | null {
  const meaning = of.kind === "name" ? names.meaning(of.name) : "";
  const neutral = neutralName(meaning);
  if (neutral === null || !meaning.startsWith("pydantic.")) return null;
  if (ARGUMENTS[neutral] === undefined) return named(neutral);
  const item = args[0] ?? byName.get("item_type");
  return named(neutral, item === undefined ? anyType : inner(item));
}
