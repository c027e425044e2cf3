import type { ValueType } from "../../types/shape.ts";
import { anyType, named, unionOf } from "../../types/value-types.ts";
import type { TypeUse } from "./facts.ts";
import { typeNamed } from "./types.ts";
import type { World } from "./world.ts";

const PLAIN: { readonly [name: string]: string } = {
  ...{ string: "string", number: "number", boolean: "boolean", null: "null", undefined: "undefined" },
  ...{ String: "string", Number: "number", Boolean: "boolean", bigint: "integer", Date: "datetime" },
};
/** What a value is in for a while, or is only marked with. */
const AROUND = /^(?:Promise|PromiseLike|Observable|Awaited|Readonly)$/;
const OPERATORS = /^(?:Partial|Required|Pick|Omit|NonNullable)$/;
const DEEPEST = 10;

/** The type that an annotation means. Types of the project are keys, as linked types have them; all else is hidden. */
export function valueType(world: World, file: string, type?: TypeUse | null, depth = 0): ValueType {
  const hidden: ValueType = { kind: "unknown", text: "" };
  if (type == null || depth > DEEPEST) return hidden;
  const go = (one: TypeUse) => valueType(world, file, one, depth + 1);
  switch (type.kind) {
    case "list":
      return named("list", go(type.of));
    case "union":
      return unionOf(type.of.map(go));
    case "object":
      return {
        kind: "fields",
        fields: [...type.members].map(([name, of]) => ({ ...UNREAD, name, type: go(of) })),
      };
    case "elsewhere":
      return valueType(world, type.file, type.of, depth + 1);
    case "name":
      return ofName(world, file, type, { go, depth }) ?? hidden;
    default:
      return hidden;
  }
}

/** Whether a member has a question mark was not read. */
const UNREAD = { isOptional: false, leftOutUnclear: true, line: 0 } as const;

type Name = Extract<TypeUse, { kind: "name" }>;

function ofName(
  world: World,
  file: string,
  { name, arguments: args }: Name,
  { go, depth }: { readonly go: (one: TypeUse) => ValueType; readonly depth: number },
): ValueType | null {
  const [first] = args;
  if (AROUND.test(name) && first !== undefined) return go(first);
  const meant = typeNamed(world, file, name);
  if (meant.kind === "foreign") return null;
  const isOwn = meant.type !== null || world.modules.get(meant.file)?.facts.scopes[0]?.names.has(meant.name);
  if (isOwn === true && depth <= DEEPEST) return named(`${meant.file}#${meant.name}`, ...args.map(go));
  if (Object.hasOwn(PLAIN, name)) return named(PLAIN[name] as string);
  if (/^(?:Record|object|Object)$/.test(name)) return named("map", anyType, anyType);
  return OPERATORS.test(name) && first !== undefined ? named(name, ...args.map(go)) : null;
}
