import { isKey } from "../../types/link.ts";
import { neutralName } from "../../types/python/known-types.ts";
import type { ValueType } from "../../types/shape.ts";
import { anyType, named, nullType, unionOf } from "../../types/value-types.ts";
import { type Expression, type ExpressionKind, sourceOf } from "./expression.ts";
import { insideOf } from "./facts.ts";
import { lastStep, quotedType } from "./models.ts";
import { bindingPlace, type Place, type PythonProject } from "./project.ts";

const DEEPEST = 12;

/** The type that an annotation of a handler means. Classes of the project are keys, as linked types have them. */
export function valueType(type: Expression, place: Place, project: PythonProject, depth = 0): ValueType {
  const unknown: ValueType = { kind: "unknown", text: sourceOf(type) };
  const go = (one: Expression, at = place) => valueType(one, at, project, depth + 1);
  if (depth > DEEPEST || !project.spend()) return unknown;
  switch (type.kind) {
    case "text":
      return go(quotedType(type.value));
    case "constant":
      return type.source === "None" ? nullType : unknown;
    case "union":
      return unionOf(type.of.map((one) => go(one)));
    case "generic":
      return ofGeneric(type, go) ?? unknown;
    case "name":
      return ofName(type.name, place, { project, go }) ?? unknown;
    default:
      return unknown;
  }
}

type Go = (one: Expression, at?: Place) => ValueType;

const LISTS =
  /^(?:list|List|Sequence|MutableSequence|Iterable|Collection|set|Set|frozenset|FrozenSet|tuple|Tuple)$/;
const MAPS = /^(?:dict|Dict|Mapping|MutableMapping)$/;

function ofGeneric({ of, args }: ExpressionKind<"generic">, go: Go): ValueType | null {
  const name = lastStep(of);
  const [first] = args;
  if (first === undefined) return null;
  if (name === "Optional") return unionOf([go(first), nullType]);
  if (name === "Annotated") return go(first);
  if (name === "Union") return unionOf(args.map((one) => go(one)));
  if (name === "Literal") {
    const values = args.map(literalOf);
    return values.every((one) => one !== null) ? unionOf(values) : null;
  }
  if (/^[tT]uple$/.test(name)) return named("list", anyType);
  if (LISTS.test(name)) return named("list", go(first));
  if (MAPS.test(name)) return named("map", anyType, args[1] === undefined ? anyType : go(args[1]));
  // `Page[Order]`
  const model = go(of);
  if (model.kind !== "name" || !isKey(model.name)) return null;
  const types = args.map((one) => go(one));
  return named(model.name, ...types);
}

function literalOf(one: Expression): ValueType | null {
  if (one.kind === "text") return { kind: "literal", value: JSON.stringify(one.value) };
  if (one.kind !== "constant") return null;
  if (one.source === "None") return nullType;
  const value = /^(?:True|False)$/.test(one.source) ? one.source.toLowerCase() : one.source;
  return { kind: "literal", value };
}

function ofName(
  name: string,
  place: Place,
  { project, go }: { readonly project: PythonProject; readonly go: Go },
): ValueType | null {
  const found = project.look(name, place);
  if (found.rest.length > 0) return null;
  if (found.kind === "class") return named(`${found.path}#${insideOf(found.fact)}`);
  if (found.kind === "binding") return go(found.binding.value, bindingPlace(found));
  if (found.kind === "outside") return neutral(found.name.replace(/^typing_extensions\./, "typing."));
  return found.kind === "unknown" ? neutral(`builtins.${found.name}`) : null;
}

/** A list or map of which nothing is said holds anything. */
function neutral(meaning: string): ValueType | null {
  const name = neutralName(meaning);
  if (name === null) return null;
  if (name === "list" || name === "set" || name === "tuple") return named("list", anyType);
  return name === "map" ? named("map", anyType, anyType) : named(name);
}
