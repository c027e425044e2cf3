import { capFlags } from "../caps.ts";
import type { Catalog } from "../catalog.ts";
import type { EachSource } from "../draft.ts";
import { counted, listQuoted, quoted } from "../text/figures.ts";

type Variable = { readonly name: string };
type Invalid =
  | { readonly kind: "no-variable"; readonly task: string }
  | { readonly kind: "name" | "no-source"; readonly name: string }
  | {
      readonly kind: "pattern";
      readonly pattern: string;
      readonly problem: string;
      readonly fix: string | null;
    }
  | { readonly kind: "repeated-value"; readonly value: string }
  | { readonly kind: "not-utf8"; readonly path: string };

const PLAIN_GLOB = "use a path from the root of the repository: `src/**/*.js`";

/** What is wrong, and what to do about it. */
function describeInvalid(params: Invalid): readonly [message: string, hint: string | null] {
  switch (params.kind) {
    case "no-variable": {
      const hint = "delete `each`, or add a variable: `each: { file: src/**/*.js }`";
      return [`${quoted(params.task)} has \`each\` without a variable`, hint];
    }
    case "name": {
      const hint = "start with a letter, then use a-z, 0-9, - and _, such as `file`";
      return [`invalid variable name ${quoted(params.name)} in \`each\``, hint];
    }
    case "no-source": {
      const hint = `name its files: \`${params.name}: src/**/*.js\``;
      return [`the variable {${params.name}} has neither files nor a command`, hint];
    }
    case "pattern":
      return [
        `\`each\` uses the pattern ${quoted(params.pattern)}, which ${params.problem}`,
        params.fix ?? PLAIN_GLOB,
      ];
    case "not-utf8": {
      const hint = "rename the file, or add it to `exclude`";
      return [`the name of ${quoted(params.path)} is not valid UTF-8`, hint];
    }
    default: {
      const value = quoted(params.value);
      return [`the value ${value} is listed twice`, `delete the second ${value}`];
    }
  }
}

/** A variable whose source has no values. */
type Empty = Variable & { readonly source: EachSource; readonly files?: EmptyFiles };
/** Why no tracked file matches, as far as it is known. */
export type EmptyFiles =
  | { readonly kind: "all-excluded" }
  | { readonly kind: "plain-word"; readonly word: string }
  | { readonly kind: "no-folder"; readonly folder: string; readonly suggestion: string | null }
  | { readonly kind: "unknown" };

function formatEmpty({ name, source }: Empty): string {
  if (source.kind === "values") return `the variable {${name}} has no values`;
  if (source.kind === "command") return `the command for {${name}} printed nothing`;
  const patterns = source.patterns.map(({ value }) => value);
  return `no tracked file matches ${listQuoted(patterns, "patterns")}`;
}

function formatEmptyFix({ name, source, files }: Empty): string {
  if (source.kind === "command") return "print one value per line: `ls packages`";
  switch (files?.kind) {
    case "all-excluded":
      return "list fewer files in `exclude`";
    case "plain-word":
      return `to use the value itself, write a list: \`[${files.word}]\``;
    case "no-folder":
      return files.suggestion === null
        ? `commit the folder or file, or correct its name: ${quoted(files.folder)}`
        : `did you mean ${quoted(files.suggestion)}?`;
    case "unknown":
      return "commit the files first: git add, git commit";
    default:
      return `add a value: \`${name}: [api]\``;
  }
}

/** Tasks that stand for many. */
export const eachCatalog = {
  "bad-each": {
    severity: "error",
    title: "Invalid variable in `each`",
    explanation:
      "Each variable has a name of letters, digits, dashes and underscores, and a source of values: a file pattern, a list of values, or a command that prints one value per line. Values must be unique.",
    example:
      "- id: port\n  each: { file: src/legacy/**/*.js }\n  prompt: Port {file} to TypeScript.\n  owns: ['{file}', '{file.dir}/{file.stem}.ts']",
    message: (params: Invalid) => describeInvalid(params)[0],
    hint: (params: Invalid) => describeInvalid(params)[1],
  },
  "each-empty": {
    severity: "error",
    title: "`each` has no values",
    explanation:
      "A pattern matches tracked files of the commit the run starts from, by their paths from the root of the repository. Uncommitted files do not count.",
    message: formatEmpty,
    hint: formatEmptyFix,
  },
  "each-repository": {
    severity: "error",
    title: "`each` needs a git repository",
    explanation:
      "File patterns match files tracked by git, and commands run at the root of the checkout. Run plait inside the repository.",
    message: ({ name }: Variable) =>
      `the values of {${name}} come from git, but this folder is not in a git repository`,
    hint: "run plait in the repository, or name its folder: --cwd <folder>",
  },
  "each-command": {
    severity: "error",
    title: "A command in `each` failed",
    explanation:
      "The command runs once at the root of the checkout before the run starts. It must exit with code 0 within a minute and print one value per line, in UTF-8.",
    example: "each: { package: { command: ls packages } }",
    message: ({ line, problem }: { readonly line: string; readonly problem: string }) =>
      `${quoted(line)} ${problem}`,
    hint: ({ line, output }: { readonly line: string; readonly output: string }) =>
      output === ""
        ? `run the command yourself to see why: ${quoted(line)}`
        : `fix the command; its last output:\n${output}`,
  },
  "each-not-run": {
    severity: "warning",
    title: "Values of `each` are not known yet",
    explanation:
      "A command of the plan prints the values. Checking a plan runs no commands, so the task is shown once, as written. `plait run` runs the command; --run-commands runs it when checking.",
    message: ({ name, line }: Variable & { readonly line: string }) =>
      `the values of {${name}} are unknown until ${quoted(line)} runs`,
    hint: "run the command now: --run-commands",
  },
  "each-same-id": {
    severity: "error",
    title: "Two values give the same task id",
    explanation:
      "An id with a part of a value, such as {file.stem}, is the same for files of one name in two folders. Write {file} in the id, or omit it: plait then adds it.",
    example: 'id: "port-{file}"',
    message: ({ values, id }: { readonly values: readonly string[]; readonly id: string }) =>
      `${listQuoted(values, "values")} give the same task id ${quoted(id)}`,
    hint: ({ names }: { readonly names: readonly string[] }) =>
      `use whole values in the id: \`${names.map((name) => `{${name}}`).join("-")}\``,
  },
  "each-shell": {
    severity: "error",
    title: "Unsafe value in a shell command",
    explanation:
      "plait quotes values with spaces or special characters. Inside quotes in the command, or next to comments and here-documents, part of the value could run as code. Write the command as a list, or pass the value in `env`.",
    example: 'env: { FILE: "{file}" }\ngates: [\'node --check "$FILE"\']',
    message: ({ name, value }: Variable & { readonly value: string }) =>
      `the value ${quoted(value)} of {${name}} cannot be quoted safely in this shell command`,
    hint: ({ name }: Variable) =>
      `pass it as an environment variable and use "$VALUE": \`env: { VALUE: "{${name}}" }\``,
  },
  "each-unused": {
    severity: "warning",
    title: "Unused variable in `each`",
    explanation: "All tasks made from this one would ask for the same work. Use the variable in the prompt.",
    example: "prompt: Port {file} to TypeScript.",
    message: ({ task, name }: Variable & { readonly task: string }) => `${quoted(task)} never uses {${name}}`,
    hint: ({ name }: Variable) => `use the variable in the prompt: {${name}}`,
  },
  "each-unknown-part": {
    severity: "warning",
    title: "Unknown part of a value",
    explanation:
      "The parts of a value are {x.name}, {x.stem}, {x.dir} and {x.slug}. Anything else in braces is left unchanged, because prompts contain code.",
    message: ({ task, written }: UnknownPart) =>
      `${quoted(task)} uses ${quoted(written)}, but values of \`each\` have no such part`,
    hint: ({ written, parts }: UnknownPart) => {
      const variable = written.slice(0, written.indexOf("."));
      return `use one of ${parts.map((part) => quoted(`${variable}.${part}}`)).join(", ")}`;
    },
  },
  "too-many-tasks": {
    severity: "error",
    title: "The plan has too many tasks",
    explanation:
      "The limit protects against generated plans that were not meant to run; --max-tasks raises it.",
    message: (params: { readonly limit: number; readonly each?: EachCount }) =>
      params.each === undefined
        ? `the plan has more than ${params.limit} tasks`
        : `${quoted(params.each.task)} expands to ${counted(params.each.most, "task")} (one for each ${params.each.from}); the limit is ${params.limit}`,
    hint: ({ each }: { readonly each?: EachCount }) =>
      `raise the limit: ${capFlags.maxTasks}${each === undefined ? "" : ` ${each.total}`}`,
  },
} as const satisfies Catalog;

/** `written`: `{file.ext}`. */
type UnknownPart = { readonly task: string; readonly written: string; readonly parts: readonly string[] };

/** How many tasks one entry stands for, and the plan with it. */
type EachCount = {
  readonly task: string;
  readonly most: number;
  readonly total: number;
  readonly from: string;
};
