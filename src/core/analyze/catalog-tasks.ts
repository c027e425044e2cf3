import { type Catalog, suggest } from "../catalog.ts";
import { listChoices, quoted } from "../text/figures.ts";

/** Some formats order batches. */
type Noun = { readonly noun?: "task" | "batch" };
type Id = Noun & { readonly id: string };
type Need = Noun & { readonly task: string; readonly need: string };

/** Tasks go by their id alone. */
const formatNode = (id: string, noun: Noun["noun"] = "task"): string =>
  noun === "task" ? quoted(id) : `${noun} ${quoted(id)}`;

const formatFirst = (): string => "first used here";
const RENAME = "change the `id` of one of them";

/** Tasks, their names and their order. */
export const taskCatalog = {
  "no-tasks": {
    severity: "error",
    title: "The plan has no tasks",
    explanation: "A run works through the tasks of its plan. The list may be empty or commented out.",
    example: "tasks:\n  - id: hello\n    prompt: Write a greeting into hello.txt.",
    message: "the plan has no tasks",
    hint: ({ line = "- id: hello" }: { readonly line?: string }) => `add a task: \`${line}\``,
  },
  "bad-id": {
    severity: "error",
    title: "Invalid task id",
    explanation:
      "Ids become parts of branch names, folder names and command lines. Use 1 to 64 letters a-z (upper or lower case), digits, dots, dashes and underscores, starting with a letter or digit. `title` may be any string.",
    example: "- id: user-api\n  title: The API for users & groups",
    message: ({ id, problem }: Id & { readonly problem: string }) =>
      id === "" ? "a task id is empty" : `the task id ${quoted(id)} ${problem}`,
    hint: ({ suggestion }: { readonly suggestion: string | null }) =>
      suggestion === null ? null : `use \`${suggestion}\``,
  },
  "duplicate-id": {
    severity: "error",
    title: "Two tasks have the same id",
    explanation:
      "Needs, reports and branches refer to a task by its id, so each id may be used once. Often the second task is a copy that was not renamed.",
    message: ({ id, noun = "task" }: Id) => `the ${noun} id ${quoted(id)} is used twice`,
    hint: RENAME,
    related: formatFirst,
  },
  "id-differs-only-in-case": {
    severity: "error",
    title: "Two ids differ only in case",
    explanation: "On macOS and Windows both tasks would share one folder and one branch. Rename one of them.",
    message: ({ id, first }: Id & { readonly first: string }) =>
      `the task ids ${quoted(first)} and ${quoted(id)} differ only in case`,
    hint: RENAME,
    related: formatFirst,
  },
  "unknown-need": {
    severity: "error",
    title: "A needed task is not in the plan",
    explanation:
      "Every id in `needs` must be the id of a task in the same plan. Correct the id, or delete the need.",
    example: "- id: page\n  needs: [api]",
    message: ({ task, need, noun, verb = "needs" }: Need & { readonly verb?: "needs" | "blocks" }) =>
      `${formatNode(task, noun)} ${verb} ${quoted(need)}, which is not a ${noun ?? "task"} in this plan`,
    hint: (params: Noun & { readonly suggestion: string | null; readonly ids: readonly string[] }) =>
      suggest(params.suggestion, listChoices(params.ids, params.noun === "batch" ? "batches" : "tasks")),
  },
  "needs-itself": {
    severity: "error",
    title: "A task needs itself",
    explanation:
      "The task would wait for its own end and never start. Delete the need, or name another task.",
    message: ({ task, isEach = false, noun }: Noun & { readonly task: string; readonly isEach?: boolean }) =>
      `${formatNode(task, noun)} needs itself${isEach ? ": the id stands for every task made from it" : ""}`,
    hint: ({ task }: { readonly task: string }) => `delete ${quoted(task)} from its needs`,
  },
  "duplicate-need": {
    severity: "warning",
    title: "A need is listed twice",
    explanation: "The second entry has no effect. Another task may have been meant.",
    message: ({ task, need }: Need) => `${quoted(task)} needs ${quoted(need)} twice`,
    hint: ({ need }: Need) => `delete the second ${quoted(need)}`,
    related: formatFirst,
  },
  cycle: {
    severity: "error",
    title: "Tasks need one another in a cycle",
    explanation:
      "Each task in the cycle waits for the next, so none can start. Delete one need, or split a task. A task in a wave needs every task in the previous wave.",
    message: ({ path }: { readonly path: readonly string[] }) =>
      `circular dependency detected: \`${formatCycle(path)}\``,
    hint: ({ key = "needs" }: { readonly key?: "needs" | "deps" | "depends_on" }) =>
      `delete one of these \`${key}\``,
    related: ({ task, need, noun, waves }: Need & { readonly waves?: readonly [number, number] }) =>
      waves === undefined
        ? `${formatNode(task, noun)} needs ${quoted(need)}`
        : `${quoted(task)} in wave ${waves[0]} needs ${quoted(need)} in wave ${waves[1]}`,
  },
  "bad-wave": {
    severity: "error",
    title: "Invalid wave number",
    explanation:
      "Waves run in the order of their numbers, which are integers, 0 or greater. Numbers may be skipped.",
    example: "wave: 2",
    message: ({ task, wave }: { readonly task: string; readonly wave: number }) =>
      `invalid wave ${quoted(String(wave))} in ${quoted(task)}`,
    hint: "use an integer, 0 or greater: `wave: 1`",
  },
  "needs-later-wave": {
    severity: "error",
    title: "A need is not in an earlier wave",
    explanation:
      "All tasks in a wave may start together, after all earlier waves are done. Move one of the two tasks to another wave, or use `needs` instead of waves.",
    message: ({ task, need, wave, needWave }: Need & { readonly wave: number; readonly needWave: number }) =>
      wave === needWave
        ? `${quoted(task)} needs ${quoted(need)}, but both are in wave ${wave}`
        : `${quoted(task)} in wave ${wave} needs ${quoted(need)} in wave ${needWave}`,
    hint: ({ task, needWave }: { readonly task: string; readonly needWave: number }) =>
      `move ${quoted(task)}: \`wave: ${needWave + 1}\``,
  },
  "summary-not-needed": {
    severity: "error",
    title: "Summary of a task not in needs",
    explanation: "A task gets summaries only from tasks it needs. Add the task to `needs`.",
    example:
      "- id: join\n  needs: [look]\n  summaries: { title: Findings, from: { look: researcher } }\n  prompt: Decide.",
    message: ({ task, need }: Need) =>
      `${quoted(task)} asks for a summary of ${quoted(need)}, which is not in its needs`,
    hint: ({ need }: Need) => `add it: \`needs: [${need}]\``,
  },
} as const satisfies Catalog;

const LONGEST_CYCLE = 30;

/** All of it if readable, otherwise both ends. The first task is repeated at the end. */
function formatCycle(path: readonly string[]): string {
  if (path.length <= LONGEST_CYCLE) return path.join(" -> ");
  return `${path.slice(0, 10).join(" -> ")} -> … -> ${path.slice(-3).join(" -> ")} (${path.length - 1} tasks)`;
}
