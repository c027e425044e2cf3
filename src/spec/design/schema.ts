import * as z from "zod";
import { technologies } from "../spec-contents.ts";

/**
 * A design: how a tech spec is split into tasks, as one JSON document. An agent writes it (or a person: `--from-file`), plait checks
 * it and makes every file of the artifact folder from it. Keys are those that designs of the older system have; what only that
 * system used may be there and means nothing. An `error` ends "… must be", as in the native schema.
 */
const text = z
  .string()
  .regex(/\S/, { error: "not be empty" })
  .refine((value) => !value.includes("\0"), { error: "text without the character NUL" });
const anything = z.unknown().optional();
const words = (about: string) => text.meta({ description: about });
const paths = (about: string) => z.array(text).meta({ description: about });
const maybe = <Schema extends z.ZodType>(schema: Schema, about: string) =>
  schema.nullish().meta({ description: about });
const list = (about: string) => maybe(z.array(text), about);

function line(form: RegExp, error: string, about: string) {
  return z.string().regex(form, { error }).meta({ description: about });
}

function filled(about: string) {
  return z.array(text).min(1, { error: "a list with at least one string" }).meta({ description: about });
}

function whole(about: string) {
  const error = "a whole number from 1";
  return z.int({ error }).min(1, { error }).meta({ description: about });
}

const packages = z
  .strictObject({
    add: list("new packages, as name==1.2.3 for Python and name@1.2.3 for Node"),
    upgrade: list("packages to change to another version, with the new version"),
    remove: list("names of packages to remove"),
    add_dev: list("new packages that only tests and tools need"),
  })
  .meta({ title: "dependencies" });

const scope = z
  .strictObject({
    create: paths(
      "files that only this task creates, relative to the repository root; globs and {a,b} braces are allowed",
    ),
    modify: paths(
      "existing files that this task changes; narrow with path::Class, path::function or path::Class.method",
    ),
    boundary: paths("files that other tasks own and this task must not change"),
  })
  .meta({ title: "scope", description: "paths the task may and must not change" });

const task = z
  .strictObject({
    id: line(/^task-\d{3}$/, "written task-001, task-002, …", "task-001, task-002, …"),
    title: line(/^[^\S\r\n]*\S[^\r\n]*$/, "one line of text", "one line"), // no two of its parts take the same character
    component: line(
      /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
      "lower-case words with dashes, such as order-api",
      "a slug; the task file is named after it",
    ),
    wave: whole("from 1; tasks in one wave run in parallel"),
    deps: list("ids of tasks in earlier waves whose work this task needs"),
    agent: words("the agent, as plugin:agent"),
    skills: list("plugin:skill; if missing or empty, the project's mapping file decides"),
    contracts: list("paths such as contracts/types.py; if missing or empty, all contracts"),
    covers: list("ids of the requirements that this task builds, such as R1"),
    operations: list("operations of the API contract that this task implements, such as GET /products/{sku}"),
    scope,
    objective: words("one paragraph: what is true when the task is done"),
    requirements: filled("what to build; the agent gets these lines unchanged"),
    checklist: filled("how to verify that the task is done"),
    hours: maybe(z.number({ error: "a number of hours" }), "hours a person would need, usually 2 to 4"),
    dependencies: maybe(
      z
        .strictObject({
          python: list("such as fastapi>=0.115 or fastapi==0.115.6"),
          node: list("such as zod@^3.24 or zod@3.24.1"),
        })
        .meta({ title: "the dependencies of a task" }),
      "packages this task needs, each a name with a range or version",
    ),
  })
  .meta({ title: "task" });

const outOfScope = z
  .strictObject({
    id: words("the id of the requirement"),
    reason: words("why no task covers it, for the person who approves the design"),
  })
  .meta({ title: "out of scope" });

const wave = z
  .strictObject({
    number: whole("the wave's number, as in its tasks"),
    validation: maybe(text, "a shell command that must succeed after the wave is merged"),
  })
  .meta({ title: "wave" });

const dependencies = z
  .strictObject({
    python: maybe(packages, "installed with uv"),
    node: maybe(packages, "installed with npm, pnpm or yarn"),
  })
  .meta({ title: "dependencies" });

const manifest = z
  .strictObject({
    technology: maybe(z.enum(technologies), "decides the language of the shared types"),
    python_version: maybe(text, "such as 3.12"),
    dependencies: maybe(dependencies, "what is installed before any task starts"),
  })
  .meta({ title: "manifest" });

export const designSchema = z
  .strictObject({
    $schema: anything.meta({ description: "for editors" }),
    output_dir: anything.meta({ description: "ignored: plait decides where files go" }),
    manifest: maybe(manifest, "manifest contents other than waves and tasks"),
    context_summary: words(
      "Markdown for every agent: what is built and why, conventions, how to run tests and linter",
    ),
    architecture_summary: words("Markdown: the parts, and how they work together"),
    contracts: z
      .strictObject({
        types: maybe(text, "source code with every type that two tasks share, in the project's language"),
        api_schema: maybe(
          text,
          "an OpenAPI 3 document in YAML with every endpoint; null where there is no API",
        ),
      })
      .meta({ title: "contracts", description: "contracts that tasks share, fixed before any task starts" }),
    waves: maybe(z.array(wave), "what is checked between waves"),
    out_of_scope: maybe(z.array(outOfScope), "requirements that are deliberately left out"),
    tasks: z
      .array(task)
      .min(1, { error: "a list with at least one task" })
      .meta({ description: "in any order" }),
  })
  .meta({
    title: "design",
    description: "How a tech spec is divided into tasks that agents do in parallel.",
  });

export type Design = z.infer<typeof designSchema>;
export type DesignTask = Design["tasks"][number];
