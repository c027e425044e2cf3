import * as z from "zod";
import { gates, taskGates } from "../native/task-schema.ts";
import { guards } from "../native/values.ts";

/**
 * The shapes of the files in an artefact folder. Values that only other tools read may be anything. An `error` text ends "… must
 * be", as in the native schema.
 */
const text = z.string().regex(/\S/, { error: "a non-empty string" });
const anything = z.unknown().optional();
const texts = z.union([text, z.array(text)]);
/** Ids of requirements: `1.1` is one, though YAML takes it for a number. */
const id = z.union([text, z.number()]);
const ids = z.union([id, z.array(id)]);

const packages = z
  .strictObject({
    add: z.array(text).optional(),
    upgrade: z.array(text).optional(),
    remove: z.array(text).optional(),
    add_dev: z.array(text).optional(),
  })
  .meta({ title: "dependencies" });

const integration = z
  .strictObject({ status: anything, report_path: anything, completed_at: anything, checks: anything })
  .meta({ title: "integration" });

const task = z
  .strictObject({
    id: text,
    agent: z.string().optional(),
    prompt_file: text.optional(),
    covers: ids.optional(),
  })
  .meta({ title: "task" });

const number = "a whole number from 1";
const parallel = "a whole number from 1 to 256";

const wave = z
  .strictObject({
    number: z.int({ error: number }).min(1, { error: number }),
    tasks: z.array(task),
    validation: z.string().optional(),
    name: anything,
    description: anything,
  })
  .meta({ title: "wave" });

/** How work is checked, with the keys and values of plait's own format. */
const rules = {
  gates: gates.optional(),
  enforce: z.enum(["report", "fail"]).optional(),
  consent: guards.optional(),
};

/** What a manifest is of today; task files say the rest. */
export const manifestSchema = z
  .strictObject({
    tech_spec_id: text,
    waves: z.array(wave),
    name: text.optional(),
    technology: anything,
    python_version: anything,
    dependencies: z
      .strictObject({ python: packages.optional(), node: packages.optional() })
      .meta({ title: "dependencies" })
      .optional(),
    metadata: z
      .strictObject({
        tech_spec: anything,
        prd: anything,
        generated_at: anything,
        total_tasks: anything,
        critical_path: anything,
        out_of_scope: z
          .array(z.strictObject({ id: text, reason: text }).meta({ title: "out of scope" }))
          .optional(),
        max_parallel: z
          .int({ error: parallel })
          .min(1, { error: parallel })
          .max(256, { error: parallel })
          .optional(),
      })
      .meta({ title: "metadata" })
      .optional(),
    ...rules,
    integration: integration.optional(),
    execution: anything,
    version: anything,
    $schema: anything,
  })
  .meta({ title: "manifest" });

/** The generation before: tasks are files, and each says its own wave. */
export const legacySchema = z
  .strictObject({
    version: text,
    created_at: anything,
    updated_at: anything,
    tech_spec: z
      .strictObject({ id: text, title: text.optional(), path: anything, status: anything })
      .meta({ title: "tech_spec" }),
    sources: anything,
    command: anything,
    technology: anything,
    tasks: z
      .strictObject({ total: anything, waves: anything, files: z.array(text) })
      .meta({ title: "tasks" }),
    ...rules,
    integration: integration.optional(),
    execution: anything,
    $schema: anything,
  })
  .meta({ title: "manifest" });

/** The front matter of a task file. What is missing is told by who knows what the manifest says instead. */
export const taskFileSchema = z
  .strictObject({
    id: text.optional(),
    component: anything,
    wave: z.int({ error: number }).min(1, { error: number }).optional(),
    deps: texts.nullish(),
    blocks: texts.nullish(),
    agent: z.string().optional(),
    skills: texts.nullish(),
    tech_spec: anything,
    contracts: texts.nullish(),
    covers: ids.nullish(),
    operations: texts.nullish(),
    tools: texts.optional(),
    allowed_tools: texts.optional(),
    title: anything,
    status: anything,
    priority: anything,
    estimate: anything,
    gates: taskGates.optional(),
    consent: guards.optional(),
    "allow-empty": z.boolean().optional(),
  })
  .meta({ title: "front matter" });

export const skillsSchema = z
  .strictObject({
    agents: z.record(
      z.string(),
      z.strictObject({ skills: texts, description: anything }).meta({ title: "agent" }),
    ),
  })
  .meta({ title: "skills mapping" });
