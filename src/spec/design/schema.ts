import * as z from "zod";
import { technologies } from "../spec-contents.ts";

/**
 * A design: how a tech spec is cut into tasks, as one JSON document. An agent writes it (or a person: `--from-file`), plait checks
 * it and makes every file of the artefact folder from it. Keys are those that designs of the older system have; what only that
 * system used may be there and means nothing. An `error` text ends "… must be", as in the native schema.
 */
const text = z
  .string()
  .regex(/\S/, { error: "not be empty" })
  .refine((value) => !value.includes("\0"), { error: "text without the character NUL" });
const anything = z.unknown().optional();
const words = (about: string) => text.meta({ description: about });
const maybe = (about: string) => z.array(text).nullish().meta({ description: about });
const paths = (about: string) => z.array(text).meta({ description: about });

const packages = z
  .strictObject({
    add: maybe("new packages, as name==1.2.3 for Python and name@1.2.3 for Node"),
    upgrade: maybe("packages that are there in another version, with the version that is wanted"),
    remove: maybe("names of packages that go"),
    add_dev: maybe("new packages that only tests and tools need"),
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
    boundary: paths("files that this task must not change: those that other tasks own"),
  })
  .meta({ title: "scope", description: "what the task may touch, and what it must not" });

const task = z
  .strictObject({
    id: z
      .string()
      .regex(/^task-\d{3}$/, { error: "written task-001, task-002, …" })
      .meta({ description: "task-001, task-002, …" }),
    title: z
      .string()
      .regex(/^[^\S\r\n]*\S[^\r\n]*$/, { error: "one line of text" }) // no two of its parts take the same character
      .meta({ description: "one line" }),
    component: z
      .string()
      .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, {
        error: "lower-case words with dashes, such as order-api",
      })
      .meta({ description: "a slug; the task file is named after it" }),
    wave: z
      .int({ error: number })
      .min(1, { error: number })
      .meta({ description: "counted from 1; tasks of one wave run at once" }),
    deps: maybe("ids of tasks of earlier waves whose work this one needs"),
    agent: words("who does it, as plugin:agent"),
    skills: maybe("plugin:skill; left out or empty, the mapping file of the project decides"),
    contracts: maybe("paths such as contracts/types.py; left out or empty, all of them"),
    covers: maybe("ids of the requirements that this task builds, such as R1"),
    operations: maybe(
      "operations of the API contract that this task implements, such as GET /products/{sku}",
    ),
    scope,
    objective: words("one paragraph: what is true when the task is done"),
    requirements: z
      .array(text)
      .min(1, { error: "a list with at least one text" })
      .meta({ description: "what is to be built; the agent gets them word by word" }),
    checklist: z
      .array(text)
      .min(1, { error: "a list with at least one text" })
      .meta({ description: "how one sees that it is done" }),
    hours: z
      .number({ error: "a number of hours" })
      .nullish()
      .meta({ description: "what a person would need, 2 to 4 as a rule" }),
    dependencies: z
      .strictObject({
        python: maybe("such as fastapi>=0.115 or fastapi==0.115.6"),
        node: maybe("such as zod@^3.24 or zod@3.24.1"),
      })
      .meta({ title: "the dependencies of a task" })
      .nullish()
      .meta({ description: "packages that this task needs, as a name with a range or a version" }),
  })
  .meta({ title: "task" });

const outOfScope = z
  .strictObject({
    id: words("the id of the requirement"),
    reason: words("why no task covers it, for the person who approves the design"),
  })
  .meta({ title: "out of scope" });

export const designSchema = z
  .strictObject({
    $schema: anything.meta({ description: "for editors" }),
    output_dir: anything.meta({ description: "ignored: plait decides where files go" }),
    manifest: z
      .strictObject({
        technology: z
          .enum(technologies)
          .nullish()
          .meta({ description: "decides the language of the shared types" }),
        python_version: text.nullish().meta({ description: "such as 3.12" }),
        dependencies: z
          .strictObject({
            python: packages.nullish().meta({ description: "installed with uv" }),
            node: packages.nullish().meta({ description: "installed with npm, pnpm or yarn" }),
          })
          .meta({ title: "dependencies" })
          .nullish()
          .meta({ description: "what is installed before any task starts" }),
      })
      .meta({ title: "manifest" })
      .nullish()
      .meta({ description: "what the manifest contains besides waves and tasks" }),
    context_summary: words(
      "Markdown for every agent: what is built and why, conventions, how to run tests and linter",
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
      .meta({ title: "contracts", description: "what tasks agree on before any of them begins" }),
    waves: z
      .array(
        z
          .strictObject({
            number: z
              .int({ error: number })
              .min(1, { error: number })
              .meta({ description: "of the tasks that it is about" }),
            validation: text
              .nullish()
              .meta({ description: "a shell command that must succeed when the wave is merged" }),
          })
          .meta({ title: "wave" }),
      )
      .nullish()
      .meta({ description: "what is checked between waves" }),
    out_of_scope: z
      .array(outOfScope)
      .nullish()
      .meta({ description: "requirements that are deliberately not built" }),
    tasks: z
      .array(task)
      .min(1, { error: "a list with at least one task" })
      .meta({ description: "in any order" }),
  })
  .meta({ title: "design", description: "How a tech spec is cut into tasks that agents do at once." });

export type Design = z.infer<typeof designSchema>;
export type DesignTask = Design["tasks"][number];
