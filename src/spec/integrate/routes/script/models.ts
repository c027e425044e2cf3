import { reasons } from "../../reasons.ts";
import type { ModelUse } from "../route.ts";
import type { Expr, FunctionFacts, TypeUse } from "./facts.ts";
import { typeNamed } from "./types.ts";
import type { Place, Value, World } from "./world.ts";

export const UNDECLARED: ModelUse = { kind: "undeclared" };
export const NONE: ModelUse = { kind: "none" };

/** These say nothing about what a body is. */
const ANYTHING = /^(?:any|unknown|never|object|Object|Response|Record)$/;
/** What a value is in for a while. */
const AROUND = /^(?:Promise|PromiseLike|Observable|Awaited|Readonly)$/;
const DEEPEST = 10;

/** The model that a type names. Another name for a type is followed to what it stands for. */
export function modelOf(world: World, file: string, type: TypeUse | null | undefined, depth = 0): ModelUse {
  if (type == null) return UNDECLARED;
  const unclear: ModelUse = { kind: "unclear", text: typeText(type) };
  if (depth > DEEPEST) return unclear;
  switch (type.kind) {
    case "list": {
      const of = modelOf(world, file, type.of, depth + 1);
      if (of.kind === "declared") return of.isList ? unclear : { ...of, isList: true };
      return of.kind === "undeclared" ? of : unclear;
    }
    case "union": {
      const isNothing = (one: TypeUse) => one.kind === "name" && /^(?:null|undefined)$/.test(one.name);
      const rest = type.of.filter((one) => !isNothing(one) && !isError(one));
      return rest.length === 1 ? modelOf(world, file, rest[0], depth + 1) : unclear;
    }
    case "object":
      return type.members.size === 0 && /^\{\s*\}$/.test(type.text) ? UNDECLARED : unclear;
    case "name":
      return namedModel(world, file, type, depth);
    case "elsewhere":
      return modelOf(world, type.file, type.of, depth + 1);
    default:
      return unclear;
  }
}

/** Errors have responses of their own in a contract: `User | ErrorBody`, `User | { error: string }`. */
function isError(type: TypeUse): boolean {
  if (type.kind === "object") return type.members.has("error") || type.members.has("errors");
  return type.kind === "name" && ERRORS.test(type.name);
}

const ERRORS =
  /(?:Error|Problem|Failure|Exception)(?:s|Body|Details|Dto|DTO|Message|Payload|Reply|Response|Result)?$/;

type Named = Extract<TypeUse, { kind: "name" }>;

function namedModel(world: World, file: string, type: Named, depth: number): ModelUse {
  const unclear: ModelUse = { kind: "unclear", text: typeText(type) };
  if (AROUND.test(type.name) && type.arguments.length === 1)
    return modelOf(world, file, type.arguments[0], depth + 1);
  if (/^(?:void|undefined)$/.test(type.name)) return NONE;
  const meant = typeNamed(world, file, type.name);
  const name = meant.name;
  if (meant.kind === "foreign")
    return type.arguments.length > 0 || name === ""
      ? unclear
      : { ...declared(name), doubt: reasons.typeFromPackage };
  if (meant.type !== null) {
    if (type.arguments.length > 0) return unclear;
    if (isOwnShape(meant.type)) return declared(name);
    return modelOf(world, meant.file, meant.type, depth + 1);
  }
  // Classes and enums are values as well.
  if (!world.modules.get(meant.file)?.facts.scopes[0]?.names.has(name))
    return ANYTHING.test(type.name) ? UNDECLARED : unclear;
  return type.arguments.length > 0 ? unclear : declared(name);
}

const declared = (model: string) => ({ kind: "declared", model, isList: false }) as const;

/** It says what there is, rather than which other type it is: `{ … }`, an interface, what a schema describes. */
function isOwnShape(type: TypeUse): boolean {
  if (type.kind === "object") return true;
  return type.kind === "name" && type.arguments.some(({ kind }) => kind === "typeof");
}

function typeText(type: TypeUse): string {
  switch (type.kind) {
    case "name":
      return type.arguments.length === 0
        ? type.name
        : `${type.name}<${type.arguments.map(typeText).join(", ")}>`;
    case "list":
      return `${typeText(type.of)}[]`;
    case "union":
      return type.of.map(typeText).join(" | ");
    case "typeof":
      return `typeof ${type.name}`;
    case "elsewhere":
      return typeText(type.of);
    default:
      return type.text;
  }
}

/** Several places that speak of the same body must say the same. */
export function agreed(uses: readonly ModelUse[]): ModelUse {
  const said = uses.filter(({ kind }) => kind !== "undeclared");
  const texts = [...new Set(said.map(useText))];
  return texts.length > 1 ? { kind: "unclear", text: texts.join(", ") } : (said[0] ?? UNDECLARED);
}

function useText(use: ModelUse): string {
  if (use.kind === "declared") return use.isList ? `${use.model}[]` : use.model;
  return use.kind === "unclear" ? use.text : "nothing";
}

export type Handler = { readonly file: string; readonly fn: FunctionFacts };

/** The last that answers, whatever it is wrapped in: `asyncHandler(async (req, res) => …)`. */
export function handlerOf(world: World, given: readonly Expr[], at: Place): Handler | null {
  const last = given.at(-1);
  if (last === undefined) return null;
  const handlers = world.evaluate(last, at).flatMap((one) => functionIn(world, one));
  if (handlers.length === 1) return handlers[0] ?? null;
  if (last.kind === "list") return handlerOf(world, last.of, at);
  const call = last.kind === "chain" ? last.steps.at(-1) : undefined;
  if (call?.kind !== "call") return null;
  const inside = call.arguments.flatMap((one) => world.evaluate(one, at));
  const wrapped = inside.flatMap((one) => functionIn(world, one));
  return wrapped.length === 1 ? (wrapped[0] ?? null) : null;
}

function functionIn({ modules }: World, value: Value): Handler[] {
  if (value.kind !== "function") return [];
  const fn = modules.get(value.file)?.facts.functions.get(value.id);
  return fn === undefined ? [] : [{ file: value.file, fn }];
}
