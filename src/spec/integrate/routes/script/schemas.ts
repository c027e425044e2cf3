import type { Import } from "../../../../syntax/imports.ts";
import type { ModelUse } from "../route.ts";
import type { Expr } from "./facts.ts";
import { UNDECLARED } from "./models.ts";
import type { Place } from "./values.ts";
import type { World } from "./world.ts";

const INFERS = /^(?:(?:\w+\.)?(?:infer|output|input|TypeOf)|Static|FromSchema|InferOutput|InferInput)$/;

/**
 * The type that a schema describes, where the project gives it a name: `type Order = z.infer<typeof orderSchema>`. The name of the
 * schema itself is no name of a type.
 */
export function schemaModel(world: World, schema: Expr | undefined, at: Place): ModelUse {
  if (schema?.kind === "chain") return schemaCall(world, schema, at);
  if (schema?.kind !== "name") return UNDECLARED;
  const [file, name] = declaredAt(world, at.file, schema.name);
  const value = world.modules.get(file)?.facts.scopes[0]?.names.get(name)?.[0];
  const registered = value?.kind === "chain" ? registeredName(value) : null;
  if (registered !== null) return { kind: "declared", model: registered, isList: false };
  const types = typesOf(world, file, name);
  const [only] = types;
  return types.length === 1 && only !== undefined
    ? { kind: "declared", model: only, isList: false }
    : UNDECLARED;
}

type Chain = Extract<Expr, { kind: "chain" }>;

/** `z.array(order)`, `order.array()`. */
function schemaCall(world: World, { base, steps }: Chain, at: Place): ModelUse {
  const [first, second] = steps;
  const isCall = steps.length === 2 && first?.kind === "member" && second?.kind === "call";
  if (!isCall || !/^[aA]rray$/.test(first.name)) return UNDECLARED;
  const inner = second.arguments.length === 0 ? base : second.arguments[0];
  const use = schemaModel(world, inner, at);
  return use.kind === "declared" && !use.isList ? { ...use, isList: true } : UNDECLARED;
}

/** `z.object({ … }).openapi("Order")` is called so in the API. */
function registeredName({ steps }: Chain): string | null {
  const [member, call] = steps.slice(-2);
  if (member?.kind !== "member" || member.name !== "openapi" || call?.kind !== "call") return null;
  const [name] = call.arguments;
  return name?.kind === "text" ? name.text : null;
}

const DEEPEST = 10;

/** Where a name is declared, through imports. */
export function declaredAt(world: World, file: string, name: string, depth = 0): readonly [string, string] {
  const module = world.modules.get(file);
  if (module?.facts.scopes[0]?.names.has(name) || depth > DEEPEST) return [file, name];
  const found =
    module?.imports.find(({ local }) => local === name) ??
    module?.imports.find((one) => isHandedOn(world, file, one, name));
  const target = found === undefined ? null : world.resolve(found.from, file);
  if (found?.imported == null || target === null) return [file, name];
  const wanted = found.imported === "*" ? name : found.imported;
  const there = world.modules.get(target)?.facts.exports.get(wanted);
  return declaredAt(world, target, there?.kind === "name" ? there.name : wanted, depth + 1);
}

/** `export * from "./order"`. */
function isHandedOn(world: World, file: string, { isExported, local, imported, from }: Import, name: string) {
  const target = isExported && local === null && imported === "*" ? world.resolve(from, file) : null;
  return target !== null && world.modules.get(target)?.facts.exports.has(name) === true;
}

function typesOf({ modules }: World, file: string, schema: string): string[] {
  return [...(modules.get(file)?.facts.types ?? [])].flatMap(([name, type]) => {
    const of = type.kind === "name" && INFERS.test(type.name) ? type.arguments[0] : undefined;
    return of?.kind === "typeof" && of.name === schema ? [name] : [];
  });
}
