import * as z from "zod";
import { technologies } from "../spec-contents.ts";

/**
 * A design: how a tech spec is cut into tasks, as one JSON document. An agent writes it (or a person: `--from-file`), plait checks
 * it and makes every file of the artefact folder from it. Keys are those that designs of the older system have; what only that
 * system used may be there and means nothing. An `error` text ends "… must be", as in the native schema.
 */
const text = z.string().regex(/\S/, { error: "not be empty" });
const anything = z.unknown().optional();
const words = (about: string) => text.meta({ description: about });
const paths = (about: string) => z.array(text).meta({ description: about });

const packages = z
  .strictObject({
    add: z.array(text).nullish(),
    upgrade: z.array(text).nullish(),
    remove: z.array(text).nullish(),
    add_dev: z.array(text).nullish(),
  })
  .meta({ title: "dependencies" });

const number = "a whole number from 1";

const scope = z
  .strictObject({
    create: paths(
      "files that only this task creates, from the root of the repository; globs and {a,b} braces are allowed",
    ),
    modify: paths(
      "files that are there and that this task changes; path::Class, path::function, path::Class.method narrow it",
    ),
    boundary: paths("files that this task must not touch: what its neighbours own"),
  })
  .meta({ title: "scope" });

const task = z
  .strictObject({
    id: z.string().regex(/^task-\d{3}$/, { error: "be task-001, task-002, …" }),
    title: words("one line"),
    component: z
      .string()
      .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, { error: "be lower-case words with dashes, such as order-api" })
      .meta({ description: "a slug; the task file is named after it" }),
    wave: z
      .int({ error: number })
      .min(1, { error: number })
      .meta({ description: "tasks of one wave run at once" }),
    deps: z
      .array(text)
      .nullish()
      .meta({ description: "ids of tasks of earlier waves whose work this one needs" }),
    agent: words("who does it, as plugin:agent"),
    skills: z
      .array(text)
      .nullish()
      .meta({ description: "plugin:skill; left out, the mapping file of the project decides" }),
    contracts: z
      .array(text)
      .nullish()
      .meta({ description: "paths such as contracts/types.py; left out, all of them" }),
    scope,
    objective: words("one paragraph: what is true when the task is done"),
    requirements: z
      .array(text)
      .min(1, { error: "name at least one" })
      .meta({ description: "what is to be built; the agent gets them word by word" }),
    checklist: z
      .array(text)
      .min(1, { error: "name at least one" })
      .meta({ description: "how one sees that it is done" }),
    hours: z
      .number({ error: "a number of hours" })
      .nullish()
      .meta({ description: "what a person would need, 2 to 4 as a rule" }),
    dependencies: z
      .strictObject({ python: z.array(text).nullish(), node: z.array(text).nullish() })
      .nullish()
      .meta({
        title: "dependencies of a task",
        description: "packages that this task needs, as a name with a range or a version",
      }),
  })
  .meta({ title: "task" });

export const designSchema = z
  .strictObject({
    $schema: anything,
    output_dir: anything,
    manifest: z
      .strictObject({
        technology: z.enum(technologies).nullish(),
        python_version: text.nullish(),
        dependencies: z
          .strictObject({ python: packages.nullish(), node: packages.nullish() })
          .nullish()
          .meta({ title: "dependencies" }),
      })
      .nullish()
      .meta({ title: "manifest" }),
    context_summary: words(
      "Markdown that every agent is told: what is built and why, conventions, how tests and linter are run",
    ),
    architecture_summary: words("Markdown: the parts, and how they work together"),
    contracts: z
      .strictObject({
        types: text.nullish().meta({
          description: "source text with every type that two tasks share, in the language of the project",
        }),
        api_schema: text.nullish().meta({
          description: "an OpenAPI 3 document in YAML with every endpoint; null where there is no API",
        }),
      })
      .meta({ title: "contracts" }),
    waves: z
      .array(
        z
          .strictObject({
            number: z.int({ error: number }).min(1, { error: number }),
            validation: text
              .nullish()
              .meta({ description: "a shell command that must succeed when the wave is merged" }),
          })
          .meta({ title: "wave" }),
      )
      .nullish(),
    tasks: z.array(task).min(1, { error: "name at least one" }),
  })
  .meta({ title: "design" });

export type Design = z.infer<typeof designSchema>;
export type DesignTask = Design["tasks"][number];
