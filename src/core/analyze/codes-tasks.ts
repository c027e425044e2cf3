import type { CodeEntry } from "./code-entry.ts";

/** About tasks, their names and their order. */
export const taskCodes = [
  {
    code: "no-tasks",
    severity: "error",
    title: "The plan has no tasks",
    explanation:
      "A run works through the tasks of its plan, and here there are none. Perhaps the list is empty, or all of it is commented out.",
    example: "tasks:\n  - id: hello\n    prompt: Write a greeting into hello.txt.",
  },
  {
    code: "bad-id",
    severity: "error",
    title: "A task id cannot be used",
    explanation:
      "Ids become parts of branch names, folder names and command lines, so they must be safe in all of them without quoting. Use 1 to 64 letters a-z (large or small), digits, dots, dashes and underscores, and begin with a letter or a digit. The title of a task may be any text.",
    example: "- id: user-api\n  title: The API for users & groups",
  },
  {
    code: "duplicate-id",
    severity: "error",
    title: "Two tasks have the same id",
    explanation:
      "Needs, reports and branches refer to a task by its id, so each may be used once. Often the second task is a copy that was never renamed.",
  },
  {
    code: "id-differs-only-in-case",
    severity: "error",
    title: "Two ids differ only in upper and lower case",
    explanation:
      "On macOS and Windows such ids would share one folder and one branch file. Rename one of the tasks.",
  },
  {
    code: "unknown-need",
    severity: "error",
    title: "A task needs a task that is not in the plan",
    explanation:
      "Every id under needs must be the id of a task of the same plan. plait does not guess: a task that starts before what it builds on would do its work twice or wrongly. Correct the id, or delete the need.",
    example: "- id: page\n  needs: [api]",
  },
  {
    code: "needs-itself",
    severity: "error",
    title: "A task needs itself",
    explanation:
      "It would wait for its own end and never start. Delete the need, or name the task that was meant.",
  },
  {
    code: "duplicate-need",
    severity: "warning",
    title: "A need is written twice",
    explanation: "The second one changes nothing. Perhaps another task was meant.",
  },
  {
    code: "cycle",
    severity: "error",
    title: "Tasks wait for one another in a circle",
    explanation:
      "Each task in the circle waits for the next, so none could ever start. Delete the need that is least true, or split a task so that its first half needs nothing from the others. A wave counts as a need on every task of the wave before it.",
  },
  {
    code: "bad-wave",
    severity: "error",
    title: "A wave is not a whole number",
    explanation:
      "Waves run one after the other in the order of their numbers, which are whole numbers from 0. Numbers may be left out.",
    example: "wave: 2",
  },
  {
    code: "needs-later-wave",
    severity: "error",
    title: "A task needs a task of its own or a later wave",
    explanation:
      "All tasks of a wave may start together, and only after all earlier waves are done. A need inside a wave or on a later one contradicts that. Move one of the two tasks to another wave, or leave the waves out and say everything by needs.",
  },
  {
    code: "heard-not-needed",
    severity: "error",
    title: "A task hears of one that it does not need",
    explanation:
      "What another task said at its end can be told only when it has ended. Name it among the needs too.",
    example:
      "- id: join\n  needs: [look]\n  hears: { title: Findings, from: { look: researcher } }\n  prompt: Decide.",
  },
] as const satisfies readonly CodeEntry[];
