import * as z from "zod";
import { strictSchema } from "./json-schema.ts";
import { designSchema } from "./schema.ts";

/**
 * The changes of a design: the parts that become different, and nothing else. Parts are found by their keys, tasks by their ids, so that
 * nothing in it depends on lines or places. The form of a task is that of a design; what it means is checked when it is part of one.
 */
const { manifest, waves, out_of_scope: outOfScope, tasks } = designSchema.shape;

const ignored = z.unknown().optional();
const replaced = (about: string) => z.string().nullish().meta({ description: about });
const whole = "the whole new text; null keeps it";
const contract = replaced('the whole new text; null keeps it, "" removes it');

const patchShape = {
  $schema: ignored,
  output_dir: ignored,
  manifest: manifest.meta({ description: "all of it if any of it changes; null keeps it" }),
  context_summary: replaced(whole),
  architecture_summary: replaced(whole),
  contracts: z
    .strictObject({ types: contract, api_schema: contract })
    .meta({ title: "contracts" })
    .nullish()
    .meta({
      description:
        "`types` and `api_schema`: each the whole new text; null keeps it, an empty one removes it",
    }),
  waves: waves.meta({ description: "all of them if any changes; null keeps them" }),
  out_of_scope: outOfScope.meta({ description: "all of them if any changes; null keeps them" }),
  remove_tasks: z.array(z.string()).nullish().meta({ description: "ids of tasks to remove; empty if none" }),
};

const tasksAbout = {
  description:
    "each changed or added task, with all of its keys; it replaces the task with its id; empty if none",
};

/** As it is read: a task that is known already may leave out the keys that stay as they are. */
export const patchSchema = z
  .strictObject({
    ...patchShape,
    manifest: z.looseObject({}).nullish(),
    waves: z.array(z.unknown()).nullish(),
    out_of_scope: z.array(z.unknown()).nullish(),
    tasks: z.array(z.looseObject({ id: z.string() })).nullish(),
  })
  .meta({ title: "patch" });

export type DesignPatch = z.infer<typeof patchSchema>;

/** JSON Schema of the answer, for structured output. Parts for which null keeps the current value have that as an alternative. */
export function strictPatchJsonSchema(): object {
  const schema = z.strictObject({ ...patchShape, tasks: z.array(tasks.element).meta(tasksAbout) });
  const strict = strictSchema(z.toJSONSchema(schema, { io: "input", target: "draft-2020-12" })) as StrictMap;
  const properties = Object.fromEntries(
    Object.entries(strict.properties).map(([key, one]) => [key, WHOLE.has(key) ? orNull(one) : one]),
  );
  return { ...strict, properties };
}

/** Lists and maps of which an empty one would say something else than that nothing changes. */
const WHOLE: ReadonlySet<string> = new Set(["manifest", "waves", "out_of_scope"]);

type Node = { readonly description?: string };
type StrictMap = { readonly properties: Readonly<Record<string, Node>> };

function orNull({ description, ...value }: Node): object {
  return { ...(description !== undefined && { description }), anyOf: [value, { type: "null" }] };
}
