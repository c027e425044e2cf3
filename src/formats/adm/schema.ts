import * as z from "zod";

/**
 * The Agent Dispatch Manifest. An `error` text is what is expected, as the end of "… must be"; formats/schema-diagnostics.ts makes the sentence.
 */

const EMPTY = "a non-empty string";
const text = z.string().regex(/\S/, { error: EMPTY });

const NUMBER_OR_TEXT = "a number or a string";
/** Anything that can be written as a word; what it is does not matter, only that others are not the same. */
const batchId = z.union(
  [
    z.string({ error: NUMBER_OR_TEXT }).regex(/\S/, { error: EMPTY }),
    z.number({ error: NUMBER_OR_TEXT }),
    z.boolean({ error: NUMBER_OR_TEXT }),
  ],
  { error: NUMBER_OR_TEXT },
);

/** `main` or nothing: the agent itself, without a sub-agent. */
const subagent = z.string().regex(/^(?:[A-Za-z0-9_-]+(?::[A-Za-z0-9_-]+)?)?$/, {
  error: "a name such as code-writer or plugin:code-writer",
});

const agent = z
  .strictObject({
    subagent_type: subagent,
    prompt: text,
    owns_files: z.array(text).optional(),
    commit_repos: z.unknown().optional(),
    /** Of plait alone: the agent succeeds without a change, too. */
    allow_empty: z.boolean().optional(),
  })
  .meta({ title: "an agent" });

const batch = z
  .strictObject({
    id: batchId,
    description: z.string().optional(),
    parallel: z.boolean().optional(),
    type: z.enum(["sequential", "fan-out"]).optional(),
    agents: z.array(agent),
    verify_files: z.array(text).optional(),
    depends_on: z.array(batchId).optional(),
  })
  .meta({ title: "a batch" });

export const manifest = z
  .strictObject({
    plan_id: z.union([z.string(), z.number()]).optional(),
    batches: z.array(batch).min(1, { error: "a list of at least one batch" }),
    pre_approved: z.unknown().optional(),
  })
  .meta({ title: "plan" });
