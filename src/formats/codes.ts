import type { CodeEntry } from "../core/analyze/code-entry.ts";
import { cpoCodes } from "./cpo/codes.ts";

/** Findings about the writing of a plan, in the order in which a file is looked at. */
export const formatCodes = [
  {
    code: "plan-empty",
    severity: "error",
    title: "The plan file has nothing in it",
    explanation: "The file is empty, or holds only blank lines and comments.",
    example: "plait: 1\ntasks:\n  - id: hello\n    prompt: Write a greeting into hello.txt.",
  },
  {
    code: "unknown-format",
    severity: "error",
    title: "The file is not a plan that plait knows",
    explanation:
      'The format of a plan is recognised by its content. A native plan has the key "plait: 1" at the top, in YAML, in JSON, or in the front matter of a Markdown file. An artefact folder has a manifest.json with waves of tasks. A dispatch manifest is a ```json dispatch block in a Markdown file.',
    example: "plait: 1\nname: checkout\ntasks:\n  - id: hello\n    prompt: Write a greeting into hello.txt.",
  },
  {
    code: "two-formats",
    severity: "error",
    title: "The file is a plan in more than one way",
    explanation:
      "The signs of several formats are in it, such as front matter with a plan and a ```json dispatch block below. plait does not guess which of them is meant: --format says it.",
  },
  {
    code: "not-a-file",
    severity: "error",
    title: "Something else than a file was named",
    explanation:
      "plait reads regular files only. Pipes and devices are refused, since reading them may never end. A folder is a plan only where it holds a manifest.json with the files of its tasks; otherwise name the file in it.",
  },
  {
    code: "too-deep",
    severity: "error",
    title: "Maps and lists are nested too deeply",
    explanation:
      "A plan needs about eight levels. The limit protects against files made to exhaust the reader; --max-depth raises it.",
  },
  {
    code: "two-plans",
    severity: "error",
    title: "The file holds more than one plan",
    explanation:
      'A line "---" starts another YAML document, and a second ```json dispatch block is another manifest. plait runs one plan a file; it would be unclear which of them is meant.',
  },
  {
    code: "front-matter",
    severity: "error",
    title: "Front matter is not at the top of the file, or not closed",
    explanation:
      'In a Markdown file the plan stands between two lines "---", and the first of them is the first line of the file: that is where all tools look for it. Headings and text come below the second one.',
    example:
      "---\nplait: 1\ntasks:\n  - id: hello\n    prompt: Write a greeting into hello.txt.\n---\n\n# Notes",
  },
  {
    code: "no-dispatch",
    severity: "error",
    title: "There is no dispatch block in the file",
    explanation:
      "A dispatch manifest is a block of code in a Markdown file whose first line is ```json dispatch. A block that is only shown, inside a longer one, in a comment or indented by four blanks, does not count.",
    example: '```json dispatch\n{ "batches": [ … ] }\n```',
  },
  {
    code: "open-fence",
    severity: "error",
    title: "A dispatch block is never closed",
    explanation:
      "Everything up to the end of the file, or of the list or quotation that it stands in, would be part of it. Close it by as many signs as open it.",
  },
  {
    code: "markdown-too-long",
    severity: "error",
    title: "The Markdown around a dispatch block is too much to read",
    explanation:
      "The limit protects against files made to exhaust the reader: some ten thousand lines, fewer where many are items of lists or quotations.",
  },
  {
    code: "batch-custom",
    severity: "warning",
    title: "A batch is not as manifests have them",
    explanation:
      "Ids of batches grow, a batch has agents, and at most four of them run together. Nothing depends on it here, but perhaps something else was meant.",
  },
  {
    code: "owns-outside",
    severity: "warning",
    title: "A claimed file is not in the repository",
    explanation:
      "Claims say which part of the tree a task may change, and plait watches over the tree only. Absolute paths count where they lead into the repository that you are in. The claim is left out.",
  },
  {
    code: "yaml-syntax",
    severity: "error",
    title: "The text is not valid YAML",
    explanation:
      'Common causes: a text that contains ": " or starts with one of * & ! % @ ` { [ without quotes; lines of one list or map that start in different columns; a quote that is never closed.',
    example: 'prompt: "Fix this: the button is too small"',
  },
  {
    code: "yaml-tab",
    severity: "error",
    title: "A tab is used for indentation",
    explanation: "YAML forbids tabs before the first character of a line. Use two spaces a level.",
  },
  {
    code: "yaml-tag",
    severity: "error",
    title: "A YAML tag is used",
    explanation:
      'A word that starts with "!" is a YAML tag, which tells a program to build a special value. Plans are plain data: quote the text if it is one.',
    example: 'boundary: ["!important/**"]',
  },
  {
    code: "yaml-alias",
    severity: "error",
    title: "An alias cannot be used",
    explanation:
      'A word that starts with "*" refers to an anchor (&name) earlier in the file. Either there is none, or the aliases unpack to far more than a plan needs. A glob that starts with "*" must be quoted.',
    example: 'owns: ["**/*.css"]',
  },
  {
    code: "json-syntax",
    severity: "error",
    title: "What should be JSON is not",
    explanation:
      "Comments, trailing commas and unquoted words are YAML, not JSON. Other tools would refuse them in a .json file or a dispatch block, so plait does too. Name a plan .yaml to use them.",
  },
  {
    code: "unsupported-version",
    severity: "error",
    title: "The plan is written for another version of the format",
    explanation:
      'The number after "plait:" is the version of the plan format. This plait reads version 1. A manifest of parallel-orchestra says po_plan_version: "0.1", in quotes; a manifest.json has no version, or 1.0.0 where its tasks are files.',
    example: "plait: 1",
  },
  {
    code: "too-many-tasks",
    severity: "error",
    title: "The plan has too many tasks",
    explanation:
      "The limit protects against generated plans that nobody meant to run; --max-tasks raises it.",
  },
  {
    code: "duplicate-key",
    severity: "error",
    title: "A key is used twice in one map",
    explanation: "Most readers would silently take the last one. Keep the one you mean.",
  },
  {
    code: "unknown-key",
    severity: "error",
    title: "A key is not known here",
    explanation:
      "Unknown keys are refused, because a mistyped key that is silently ignored changes what a run does; in a dispatch manifest, which other tools read too, they are warned of. The hint names the nearest key and the keys that are known at this place.",
  },
  {
    code: "missing-key",
    severity: "error",
    title: "A key is missing",
    explanation: "The map at this place is not complete without the key.",
  },
  {
    code: "wrong-type",
    severity: "error",
    title: "A value is of the wrong type",
    explanation:
      "YAML decides the type by how a value is written: 1 is a number, true is true, 1.10 is the number 1.1. Where a text is expected, quote such values.",
    example: 'env: { PORT: "3000" }',
  },
  {
    code: "bad-value",
    severity: "error",
    title: "A value is not allowed here",
    explanation:
      "The type is right, but the value is out of range, not one of the words known here, or badly formed.",
    example: "timeout: 45m\nidle-timeout: 90s\nsave: { max-bytes: 50MB }",
  },
  {
    code: "task-work",
    severity: "error",
    title: "A task must have exactly one kind of work",
    explanation:
      'A task is done by an agent that gets a text ("prompt", or "prompt-file" for a file that holds it), or by a program ("command"). Exactly one of the three keys is needed.',
    example: "- id: docs\n  command: npm run docs",
  },
  {
    code: "unused-key",
    severity: "warning",
    title: "A key has no effect here",
    explanation:
      "The task runs a command and the key is about agents, or the key belongs to another tool whose plans plait reads.",
  },
  {
    code: "managed-key",
    severity: "error",
    title: "A task sets what is managed internally",
    explanation:
      "In a manifest of parallel-orchestra a task has no folder, time limits or pauses of its own. The folder is cwd at the top, the time limit is that of plait run --timeout, and how long plait waits between tries follows from why the last one failed.",
  },
  {
    code: "coerced-value",
    severity: "warning",
    title: "A value is taken for a number that is not written as one",
    explanation:
      'parallel-orchestra takes the whole part of 2.9, the digits of "2", and true for 1. So does plait for its manifests, and tells you, because it is seldom meant.',
    example: "max_retries: 2",
  },
  {
    code: "folder-missing",
    severity: "error",
    title: "The folder that the plan is about does not exist",
    explanation:
      "The key cwd of a manifest leads from the folder of the manifest to that of the project. Nothing can be run in a folder that is not there.",
    example: "cwd: ../..",
  },
  {
    code: "path-base",
    severity: "warning",
    title: "A path means another file than it did in parallel-orchestra",
    explanation:
      "Paths under writes are taken from cwd, as parallel-orchestra documents it; its program took them from the folder of the manifest. Where the two differ, the message names both.",
  },
  {
    code: "cwd-elsewhere",
    severity: "warning",
    title: "A manifest is about a folder outside the repository",
    explanation:
      "parallel-orchestra worked in the repository that it was started in, wherever the manifest was, and so does plait: tasks start at the root of the repository you are in, paths under writes are taken from there, and agents are those of its .claude folder. To work in another repository, go there first.",
  },
  {
    code: "report-twice",
    severity: "error",
    title: "Two tasks write the same report",
    explanation:
      "What a read-only task of parallel-orchestra lists under writes is its report. No other task may write that file, not even one that depends on the task: one of the two would be lost. Give each task a file of its own.",
    example: "- id: review\n  agent: reviewer\n  read_only: true\n  writes: [reports/review.md]",
  },
  {
    code: "report-outside",
    severity: "warning",
    title: "A report is outside the repository",
    explanation:
      "What a read-only task lists under writes is its report, which plait brings into your checkout. A path that leads out of the repository, and the whole folder of the manifest, cannot be a report: the report is then the agent's last message. Write the path of a file, from cwd.",
  },
  {
    code: "agents-elsewhere",
    severity: "warning",
    title: "An agent is defined in two places",
    explanation:
      "Tasks that write start at the root of a worktree. They get the .claude folder of cwd there, as a copy that is never committed. A file that git tracks at the root stays as it is, so an agent that is in both places is the one of the root. parallel-orchestra wrote over it, and committed that.",
  },
  ...cpoCodes,
] as const satisfies readonly CodeEntry[];

export type FormatCode = (typeof formatCodes)[number]["code"];
