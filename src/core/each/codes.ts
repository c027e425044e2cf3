import type { CodeEntry } from "../analyze/code-entry.ts";

/** About tasks that stand for many. */
export const eachCodes = [
  {
    code: "bad-each",
    severity: "error",
    title: "A variable of each cannot be used",
    explanation:
      "Each variable has a name of letters, digits, dashes and underscores, and where its values come from: a pattern of files, a list of values, or a command whose lines are the values. A value stands there once.",
    example:
      "- id: port\n  each: { file: src/legacy/**/*.js }\n  prompt: Port {file} to TypeScript.\n  owns: ['{file}', '{file.dir}/{file.stem}.ts']",
  },
  {
    code: "each-empty",
    severity: "error",
    title: "There is no value to make a task of",
    explanation:
      "A pattern matches the tracked files of the commit that a run would start from, by their paths from the root of the repository; what is not committed does not count. A run that silently does nothing would look like one that is done.",
  },
  {
    code: "each-repository",
    severity: "error",
    title: "The values of each come from a repository, and there is none",
    explanation:
      "Files are those that git tracks, and commands run at the root of the checkout. plait takes the repository around the folder you are in.",
  },
  {
    code: "each-command",
    severity: "error",
    title: "A command that should print the values of each failed",
    explanation:
      "It runs once, at the root of the checkout, before anything else is done. It must end with exit code 0 within a minute, and print one value a line, in UTF-8.",
    example: "each: { package: { command: ls packages } }",
  },
  {
    code: "each-not-run",
    severity: "warning",
    title: "The values of each are not known yet",
    explanation:
      "They are printed by a command of the plan. Looking at a plan runs nothing of it, so the task is shown once, as it is written. `plait run` runs the command; --run-commands runs it here.",
  },
  {
    code: "each-same-id",
    severity: "error",
    title: "Two values give the same task id",
    explanation:
      "An id with a part of a value, such as {file.stem}, is the same for files of one name in two folders. Write {file} in the id, or leave it out: plait then adds it.",
    example: 'id: "port-{file}"',
  },
  {
    code: "each-shell",
    severity: "error",
    title: "A value cannot be put into a shell line safely",
    explanation:
      "A value with blanks, quotes or other characters that a shell reads is put in quotes. Inside quotes of the line itself, or beside comments and here-documents, that could run a part of the value as a command. Write the command as a list, or hand the value over in env.",
    example: 'env: { FILE: "{file}" }\ngates: [\'node --check "$FILE"\']',
  },
  {
    code: "each-unused",
    severity: "warning",
    title: "No text of the task uses the variable",
    explanation:
      "All tasks that are made would ask for the same thing. Write the variable in braces where its value belongs.",
    example: "prompt: Port {file} to TypeScript.",
  },
  {
    code: "each-unknown-part",
    severity: "warning",
    title: "A variable has no such part",
    explanation:
      "Of a value there are {x.name}, {x.stem}, {x.dir} and {x.slug}. Anything else stays as it is written, because prompts contain code. Where it is code, give the variable another name.",
  },
] as const satisfies readonly CodeEntry[];

export type EachCode = (typeof eachCodes)[number]["code"];
