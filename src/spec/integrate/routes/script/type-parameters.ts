import type { ClassFacts, FunctionFacts, TypeUse } from "./facts.ts";

/** What the parameters of a class stand for: `User` for `T`. */
export type Meant = ReadonlyMap<string, TypeUse>;

const ANYTHING: TypeUse = { kind: "name", name: "any", arguments: [] };

/** What a class tells the one that it extends; what it leaves out may be anything. */
export function meantInBase(file: string, own: ClassFacts, base: ClassFacts, meant: Meant): Meant {
  return new Map(
    base.typeParameters.map((name, i) => {
      const told = own.baseTypes[i];
      return [
        name,
        told === undefined ? ANYTHING : { kind: "elsewhere", file, of: withMeant(told, meant) },
      ] as const;
    }),
  );
}

export function functionWithMeant(fn: FunctionFacts, meant: Meant): FunctionFacts {
  if (meant.size === 0) return fn;
  const put = (type: TypeUse | null) => (type === null ? null : withMeant(type, meant));
  return {
    ...fn,
    returnType: put(fn.returnType),
    parameters: fn.parameters.map((one) => ({ ...one, type: put(one.type) })),
  };
}

/** Types are not nested further than they are read. */
function withMeant(type: TypeUse, meant: Meant): TypeUse {
  const inside = (one: TypeUse) => withMeant(one, meant);
  switch (type.kind) {
    case "name": {
      const told = type.arguments.length === 0 ? meant.get(type.name) : undefined;
      return told ?? { ...type, arguments: type.arguments.map(inside) };
    }
    case "list":
      return { ...type, of: inside(type.of) };
    case "union":
      return { ...type, of: type.of.map(inside) };
    default:
      return type;
  }
}
