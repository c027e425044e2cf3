import { type Catalog, suggest } from "../catalog.ts";
import { formatPortsFix, formatPortsProblem, type PortsProblem } from "../ports.ts";
import { listQuoted, quoted } from "../text/figures.ts";

/** Who sets something, as the beginning of a sentence: `the plan`, a task, `the gate x`. */
type By = { readonly subject: string };
type Group = { readonly group: string };
type GroupFix = {
  readonly suggestion: string | null;
  readonly groups: readonly string[];
  readonly key?: "limits" | "concurrency_limits";
};
type NumberRule = { readonly value: number; readonly low: number; readonly high: number };
/** A path or name and what is wrong with it, as the end of a sentence. */
type Invalid = By & { readonly value: string; readonly problem: string };

const formatFirst = (): string => "first used here";
const formatInvalid =
  (noun: string) =>
  ({ subject, value, problem }: Invalid): string =>
    `${subject} ${noun} ${quoted(value)}, which ${problem}`;

/** Settings of tasks, gates and the plan. */
export const settingsCatalog = {
  "empty-prompt": {
    severity: "error",
    title: "The prompt is empty",
    explanation: "An agent needs a prompt.",
    message: ({ task }: { readonly task: string }) => `the prompt of ${quoted(task)} is empty`,
    hint: "describe the work in `prompt`",
  },
  "bad-command": {
    severity: "error",
    title: "Invalid command",
    explanation:
      "A command is a shell command, or a list of a program and its arguments. It must name a program and contain no NUL character.",
    example: "command: [npm, run, docs]",
    message: ({ subject, problem }: By & { readonly problem: "empty" | "nul" }) =>
      problem === "empty"
        ? `${subject} has a command without a program`
        : `${subject} has a command with a NUL character`,
    hint: ({ problem }: { readonly problem: "empty" | "nul" }) =>
      problem === "empty" ? "name the program to run: `npm test`" : "remove the NUL character: `npm test`",
  },
  "bad-agent": {
    severity: "error",
    title: "Invalid agent, sub-agent or model name",
    explanation:
      "These names become arguments of the agent's command line. They must not start with a dash, start or end with a space, or contain control characters.",
    example: "agent: { use: claude, model: opus }",
    message: ({ kind, ...rest }: Invalid & { readonly kind: "agent" | "sub-agent" | "model" }) =>
      formatInvalid(`uses the ${kind}`)(rest),
    hint: ({ fix = "use only the name: `agent: claude`" }: { readonly fix?: string }) => fix,
  },
  "unknown-agent": {
    severity: "error",
    title: "Unknown agent",
    explanation:
      "plait runs agent programs by name, and this name is not one it knows. Correct the spelling, or configure the agent. The run checks whether the program exists.",
    example: "agent: claude",
    message: ({ agent }: { readonly agent: string }) => `unknown agent ${quoted(agent)}`,
    hint: ({
      suggestion,
      known,
    }: {
      readonly suggestion: string | null;
      readonly known: readonly string[];
    }) => suggest(suggestion, `use a known agent: ${known.join(", ")}`),
    related: ({ agent }: { readonly agent: string }) => `${quoted(agent)} is used here too`,
  },
  "bad-tool": {
    severity: "error",
    title: "Invalid tool rule",
    explanation:
      "Tool rules become arguments of the agent's command line. They must not be empty, start with a dash or contain control characters.",
    example: "tools: { allow: [Read, 'Bash(npm test:*)'] }",
    message: formatInvalid("has the tool rule"),
    hint: ({ fix = "use the agent's own syntax: `Bash(npm test:*)`" }: { readonly fix?: string }) => fix,
  },
  "bad-number": {
    severity: "error",
    title: "Number out of range",
    explanation: "The message shows the value and the allowed range.",
    message: ({ subject, name, value }: By & NumberRule & { readonly name: string }) =>
      `${subject} sets \`${name}\` to ${value}, which is out of range`,
    hint: ({ name, low, high, isInteger }: NumberRule & { name: string; isInteger: boolean }) =>
      `use ${isInteger ? "an integer" : "a number"} from ${low} to ${high}, such as \`${name}: ${low}\``,
  },
  "race-on-command": {
    severity: "error",
    title: "`race` on a command task",
    explanation:
      "`race` starts several attempts in parallel and takes the first one green. A command gives the same result each time, so only agents can race.",
    message: ({ task }: { readonly task: string }) =>
      `${quoted(task)} runs a command, so \`race\` does not apply`,
    hint: "delete `race`",
  },
  "slots-out-of-range": {
    severity: "error",
    title: "Concurrency out of range",
    explanation: "From 1 to 256 attempts or gates may run in parallel.",
    message: ({ subject, value }: By & NumberRule) =>
      `${subject} sets \`concurrency\` to ${value}, which is out of range`,
    hint: ({ low, high }: NumberRule) => `use an integer from ${low} to ${high}, such as \`concurrency: 4\``,
  },
  "bad-ports": {
    severity: "error",
    title: "Invalid port range",
    explanation:
      "Each worktree gets `count` ports between `from` and `to`, which may be 1024 to 65535. With n slots, up to 2n + 2 worktrees need ports.",
    example: "ports: { from: 21000, to: 21999, count: 10 }",
    message: (problem: PortsProblem) => formatPortsProblem(problem),
    hint: (problem: PortsProblem) => formatPortsFix(problem),
  },
  "bad-group-name": {
    severity: "error",
    title: "Invalid group name",
    explanation:
      "Group names follow the rule for task ids: 1 to 64 letters a-z, digits, dots, dashes and underscores, starting with a letter or digit.",
    example: "limits:\n  database: 1",
    message: ({ group, problem }: Group & { readonly problem: string }) =>
      group === "" ? "a group name is empty" : `the group name ${quoted(group)} ${problem}`,
    hint: "use letters a-z, digits, dots, dashes and underscores: `database`",
  },
  "unknown-group": {
    severity: "error",
    title: "A task's group has no limit",
    explanation:
      "A group limits how many of its tasks run in parallel, so every group needs a number in `limits`. Often one of the two names is misspelled.",
    example:
      "limits:\n  database: 1\ntasks:\n  - id: migrate\n    group: database\n    prompt: Add the table.",
    message: ({ group }: Group) => `the group ${quoted(group)} has no limit`,
    hint: ({ group, suggestion, groups, key = "limits" }: Group & GroupFix) =>
      suggest(
        suggestion,
        groups.length === 0
          ? `add \`${key}: { ${group}: 1 }\``
          : `use one of the groups ${listQuoted(groups, "groups")}`,
      ),
  },
  "duplicate-limit": {
    severity: "error",
    title: "A group has two limits",
    explanation: "Keep one of the two numbers. In a native plan this is `duplicate-key`.",
    message: ({ group }: Group) => `the group ${quoted(group)} has two limits`,
    hint: ({ group }: Group) => `delete the second limit of ${quoted(group)}`,
    related: formatFirst,
  },
  "limit-out-of-range": {
    severity: "error",
    title: "Group limit out of range",
    explanation:
      "A limit is the number of the group's tasks that may run in parallel: an integer from 1 to 256.",
    message: ({ group, value }: Group & NumberRule) =>
      `the group ${quoted(group)} has the limit ${value}, which is out of range`,
    hint: ({ group, low, high }: Group & NumberRule) =>
      `use an integer from ${low} to ${high}, such as \`${group}: ${low}\``,
  },
  "unused-limit": {
    severity: "warning",
    title: "Limit for a group without tasks",
    explanation: "The limit has no effect. Tasks that belong to the group may lack `group`.",
    message: ({ group }: Group) => `no task is in the group ${quoted(group)}`,
    hint: ({ group }: Group) => `delete the limit of ${quoted(group)}`,
  },
  "bad-env-name": {
    severity: "error",
    title: "Invalid environment variable name",
    explanation: "Names consist of letters, digits and underscores, and do not start with a digit.",
    example: 'env: { LOG_LEVEL: "debug" }',
    message: ({ subject, name }: By & { readonly name: string }) =>
      `${subject} sets ${quoted(name)}, which is not a valid variable name`,
    hint: "use letters, digits and underscores: `LOG_LEVEL`",
  },
  "bad-env-value": {
    severity: "error",
    title: "Invalid environment variable value",
    explanation: "The value contains a NUL character, which ends an environment variable.",
    message: ({ subject, name }: By & { readonly name: string }) =>
      `${subject} sets ${quoted(name)} to a value with a NUL character`,
    hint: ({ name }: { readonly name: string }) => `remove the NUL character from ${quoted(name)}`,
  },
  "env-refused": {
    severity: "error",
    title: "Plans must not set this variable",
    explanation:
      "The variable changes which programs run or which code they load, so one line of a plan could take control of your machine; or it belongs to git or plait. If a command needs it, set it inside the command.",
    example: "command: PYTHONPATH=src pytest",
    message: ({ subject, name, reason }: By & { readonly name: string; readonly reason: string }) =>
      `${subject} cannot set ${quoted(name)}: the variable ${reason}`,
    hint: ({ name }: { readonly name: string }) =>
      `set it inside the command that needs it: \`${name}=… command\``,
  },
  "env-redirects": {
    severity: "error",
    title: "Plans must not redirect requests without your permission",
    explanation:
      "The variable sends an agent's requests, logins or downloads somewhere else: whoever wrote the plan could get your key. Allow it with --allow-env, or for all plans with `allow-env` in your own configuration; a project's configuration cannot allow it.",
    example: "allow-env: [HTTPS_PROXY] # ~/.config/plait/config.yaml",
    message: ({ subject, name, reason }: By & { readonly name: string; readonly reason: string }) =>
      `${subject} sets ${quoted(name)}, which ${reason}`,
    hint: ({ name }: { readonly name: string }) => `delete ${quoted(name)}, or allow it: --allow-env ${name}`,
  },
  "copy-escapes": {
    severity: "error",
    title: "Path to copy is outside the repository",
    explanation:
      'Files are copied into worktrees from the repository\'s folder, by relative paths without "..", and never from .git. This keeps a plan from showing your other files to an agent.',
    example: "copy: [.env, config/local.yaml]",
    message: formatInvalid("copies"),
    hint: "copy only files in the repository: `copy: [.env]`",
  },
  "setup-reuse": {
    severity: "error",
    title: "Invalid input or output of a setup command",
    explanation:
      "`outputs` lists the ignored files and folders that a setup command makes, so that other worktrees get copies. Each is a relative path, not a glob. `inputs` lists the tracked files the command depends on; one that matches no files is a warning.",
    example: "setup:\n  - { run: npm run generate, inputs: [schema/**], outputs: [src/generated] }",
    message: (params: SetupProblem) => {
      const { path } = params;
      if (params.kind === "invalid")
        return `${params.subject} has the setup output ${quoted(path)}, which ${params.problem}`;
      if (params.kind === "unused-input") return `the setup input ${quoted(path)} matches no tracked files`;
      if (params.kind === "tracked") return `the setup output ${quoted(path)} is tracked by git`;
      return `the setup output ${quoted(path)} is not ignored by git`;
    },
    hint: ({ path, kind }: SetupProblem) => {
      if (kind === "unused-input") return "in `inputs`, list the files the setup command depends on";
      if (kind === "not-ignored") return `add it to .gitignore: \`${path.replace(/^(?:\.\/)+|\/+$/g, "")}\``;
      return "list only ignored files and folders in `outputs`";
    },
  },
  "dir-escapes": {
    severity: "error",
    title: "Path is outside the worktree",
    explanation:
      'The folder of a gate or task and the `done-file` of a task are relative paths without "..".',
    example: "gates:\n  - run: npm test\n    dir: packages/web",
    message: ({ key, ...rest }: Invalid & { readonly key: string }) =>
      formatInvalid(`has the \`${key}\``)(rest),
    hint: ({ key }: { readonly key: string }) => `set \`${key}\` to a path inside the worktree`,
  },
  "duplicate-gate-name": {
    severity: "warning",
    title: "Two gates have the same name",
    explanation:
      "Reports cannot distinguish the two. A gate without `name` is called by its command, so one check may be listed twice: the plan's gates already run for every task that writes.",
    message: ({ gate }: { readonly gate: string }) => `two gates in one task are named ${quoted(gate)}`,
    hint: "delete one, or give it another `name`",
    related: formatFirst,
  },
} as const satisfies Catalog;

type SetupProblem =
  | { readonly kind: "unused-input" | "tracked" | "not-ignored"; readonly path: string }
  | { readonly kind: "invalid"; readonly path: string; readonly subject: string; readonly problem: string };
