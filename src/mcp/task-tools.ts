import * as z from "zod";
import { type FoundRun, findAttempt, findTask, type OrRefusal, taskDiff } from "../app/index.ts";
import type { AttemptId } from "../core/ids.ts";
import { act, acted, found, masked, maskOf, run } from "./run-tools.ts";
import { type Tool, tool } from "./tool.ts";

/** One task of a run: what its agent did, what it changed, and another try. */

const task = z.string().min(1).describe("The id of the task.");
const attempt = z.int().min(1).optional().describe("Which attempt; without it the last.");

const MOST_CHARS = 200_000;
const USUAL_CHARS = 20_000;
const maxChars = z
  .int()
  .min(1)
  .max(MOST_CHARS)
  .optional()
  .describe(`At most so many characters, ${USUAL_CHARS} unless said otherwise.`);

function attemptOf(
  { known }: FoundRun,
  name: string,
  n: number | undefined,
): OrRefusal<{ attempt: AttemptId }> {
  const meant = findTask(known, name);
  return meant.ok ? findAttempt(known, meant.task, n ?? null) : meant;
}

const taskLog = tool({
  name: "task_log",
  title: "Read what an agent did",
  says: "What the agent of a task said and did in an attempt, and what became of its work; the end of it where it is long.",
  input: z.strictObject({ run, task, attempt, max_chars: maxChars }),
  output: z.object({
    run: z.string(),
    attempt: z.string(),
    text: z.string(),
    left_out: z.int().describe("Characters in front of it."),
  }),
  hints: { readOnly: true },
  act: async ({ run: name, task: id, attempt: n, max_chars = USUAL_CHARS }, workshop) => {
    const asked = await found(workshop, name);
    if (!asked.ok) return asked;
    const { known } = asked.found;
    const meant = attemptOf(asked.found, id, n);
    if (!meant.ok) return meant;
    const mask = await maskOf(asked);
    const text = mask(await workshop.logText(known, meant.attempt)); // before it is cut: half a secret is found by nobody
    const shown = text.slice(-max_chars);
    const about = { run: known.run, attempt: meant.attempt };
    return masked(asked, { ...about, text: shown, left_out: text.length - shown.length });
  },
});

const taskDiffTool = tool({
  name: "task_diff",
  title: "Read what an attempt changed",
  says: "What an attempt of a task changed against what it started from, as a patch, or with `stat` only which files.",
  input: z.strictObject({
    run,
    task,
    attempt,
    stat: z.boolean().optional().describe("Only names of files and counts of lines."),
    max_chars: maxChars,
  }),
  output: z.object({
    run: z.string(),
    attempt: z.string(),
    is_saved: z.boolean().describe("False: it is at work, and nothing is saved yet."),
    text: z.string(),
    left_out_bytes: z.int(),
  }),
  hints: { readOnly: true },
  act: async ({ run: name, task: id, attempt: n, stat = false, max_chars = USUAL_CHARS }, workshop) => {
    const asked = await found(workshop, name);
    if (!asked.ok) return asked;
    const meant = attemptOf(asked.found, id, n);
    if (!meant.ok) return meant;
    const mask = await maskOf(asked);
    const made = await taskDiff(asked.found, meant.attempt, { maxBytes: max_chars, stat, mask });
    if (!made.ok) return made;
    const { text, cutBytes } = made.kind === "diff" ? made.diff : { text: "", cutBytes: 0 };
    const about = { run: asked.found.known.run, attempt: meant.attempt, is_saved: made.kind === "diff" };
    return masked(asked, { ...about, text, left_out_bytes: cutBytes });
  },
});

const taskRetry = tool({
  name: "task_retry",
  title: "Try a task again",
  says: "Gives a task that failed, was skipped or cancelled another set of chances; what was skipped for its sake follows, and the run goes on to its landing.",
  input: z.strictObject({ run, task }),
  output: acted,
  hints: { readOnly: false, destructive: true, idempotent: false },
  act: async ({ run: name, task: id }, workshop) =>
    act(workshop, name, ({ known }) => {
      const meant = findTask(known, id);
      return meant.ok ? { ok: true, action: { kind: "retry", task: meant.task } } : meant;
    }),
});

export const taskTools: readonly Tool[] = [taskLog, taskDiffTool, taskRetry];
