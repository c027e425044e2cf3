import * as z from "zod";
import { type FoundRun, findAttempt, findTask, type OrRefusal, taskDiff } from "../app/index.ts";
import type { AttemptId } from "../core/ids.ts";
import { act, acted, found, masked, maskOf, run } from "./run-tools.ts";
import { type Tool, tool } from "./tool.ts";

/** One task of a run: what its agent did, what it changed, and another try. */

const task = z.string().min(1).describe("Id of the task, or a unique prefix.");
const attempt = z.int().min(1).optional().describe("Attempt number (default: the last).");

const MOST_CHARS = 200_000;
const USUAL_CHARS = 20_000;
const maxChars = z
  .int()
  .min(1)
  .max(MOST_CHARS)
  .optional()
  .describe(`Maximum characters (default ${USUAL_CHARS}).`);

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
  title: "Read a task's log",
  description:
    "Returns what the agent did in an attempt and the result of its work; only the end if it is long.",
  input: z.strictObject({ run, task, attempt, max_chars: maxChars }),
  output: z.object({
    run: z.string(),
    attempt: z.string(),
    text: z.string(),
    left_out: z.int().describe("Number of characters omitted before it."),
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
  title: "Read a task's diff",
  description: "Returns the changes of an attempt as a patch or, with `stat`, the list of changed files.",
  input: z.strictObject({
    run,
    task,
    attempt,
    stat: z.boolean().optional().describe("Only file names and line counts."),
    max_chars: maxChars,
  }),
  output: z.object({
    run: z.string(),
    attempt: z.string(),
    is_saved: z.boolean().describe("False: the attempt is running; nothing is saved yet."),
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
  title: "Retry a task",
  description:
    "Retries a failed, skipped or dropped task, then the tasks skipped because of it; the run continues, and lands if it was started that way.",
  input: z.strictObject({
    run,
    task,
    now: z
      .boolean()
      .optional()
      .describe("Retry now instead of waiting for the usage limit to reset; one attempt tests the account."),
  }),
  output: acted,
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  act: async ({ run: name, task: id, now = false }, workshop) =>
    act(workshop, name, ({ known }) => {
      const meant = findTask(known, id);
      return meant.ok
        ? { ok: true, action: { kind: "retry", task: meant.task, ...(now && { now }) } }
        : meant;
    }),
});

export const taskTools: readonly Tool[] = [taskLog, taskDiffTool, taskRetry];
