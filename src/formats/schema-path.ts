import * as z from "zod";

/** The map schemas that a path of a file may mean. More than one only where a union offers several. */
export function objectsAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodObject[] {
  let reached = alternatives(schema);
  for (const step of path) reached = reached.flatMap((one) => inside(one, step)).flatMap(alternatives);
  return reached.filter((one): one is z.core.$ZodObject => one._zod.def.type === "object");
}

/** What the schema calls itself, in the words of the user's file. */
export function titleOf(schema: z.core.$ZodType): string | undefined {
  return z.globalRegistry.get(schema)?.title;
}

/** Still read, but no longer offered. */
export function isDeprecated(schema: z.core.$ZodType): boolean {
  return z.globalRegistry.get(schema)?.deprecated === true;
}

/** Strips what does not show in a file: optional, nullable, transform, lazy; takes unions apart. */
function alternatives(schema: z.core.$ZodType): z.core.$ZodType[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "optional" || def.type === "nullable") return alternatives(def.innerType);
  if (def.type === "pipe") return alternatives(def.in);
  if (def.type === "lazy") return alternatives(def.getter());
  if (def.type === "union") return def.options.flatMap(alternatives);
  return [schema];
}

function inside(schema: z.core.$ZodType, step: PropertyKey): z.core.$ZodType[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "array") return [def.element];
  if (def.type === "record") return [def.valueType];
  const found = def.type === "object" && typeof step === "string" ? def.shape[step] : undefined;
  return found ? [found] : [];
}
