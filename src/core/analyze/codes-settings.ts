import type { CodeEntry } from "./code-entry.ts";

/** About what tasks, gates and the plan set. */
export const settingCodes = [
  {
    code: "empty-prompt",
    severity: "error",
    title: "A prompt has nothing in it",
    explanation:
      "An agent without a task would do something, but nobody knows what. Write what is to be done.",
  },
  {
    code: "bad-command",
    severity: "error",
    title: "A command cannot be run",
    explanation:
      "A command is a line for the shell, or a list of a program and its arguments. It must name a program, and no part of it may contain a NUL character, which no system can pass on.",
    example: "command: [npm, run, docs]",
  },
  {
    code: "bad-agent",
    severity: "error",
    title: "The name of an agent, sub-agent or model cannot be used",
    explanation:
      "These names become arguments of the agent's command line. One that begins with a dash would be taken for an option, and blanks at its ends or control characters are never meant. Write the name alone.",
    example: "agent: { use: claude, model: opus }",
  },
  {
    code: "unknown-agent",
    severity: "warning",
    title: "The name of an agent is not a well-known one",
    explanation:
      "plait runs agent programs by their name, and this one is none of those that it knows. Mostly the name is misspelt. The plan is not refused for that: whether the program is there is found out when the run starts.",
    example: "agent: claude",
  },
  {
    code: "bad-tool",
    severity: "error",
    title: "A tool rule cannot be used",
    explanation:
      "Tool rules become arguments of the agent's command line. One that is empty, begins with a dash or contains control characters would not be read as a rule.",
    example: "tools: { allow: [Read, 'Bash(npm test:*)'] }",
  },
  {
    code: "bad-number",
    severity: "error",
    title: "A number is out of range",
    explanation:
      "The message names the value and what is allowed. Times are bounded by what a timer can wait for, the others by what makes sense in one run.",
  },
  {
    code: "race-on-command",
    severity: "error",
    title: "A command cannot race",
    explanation:
      "A race starts several attempts at once and takes the first good one, because agents answer differently each time. A command does the same each time. Delete race from this task.",
  },
  {
    code: "slots-out-of-range",
    severity: "error",
    title: "A number of slots is out of range",
    explanation:
      "At least one attempt or gate must be able to run, and more than 256 at once would only stand in each other's way on one machine.",
  },
  {
    code: "bad-ports",
    severity: "error",
    title: "The ports for worktrees cannot be used",
    explanation:
      "Each worktree and each tree that is judged gets `count` ports of its own, between `from` and `to`: from 1024, because lower ones are for root alone, to 65535. With n slots up to 2n + 2 of them are in use at once, and there must be ports for all.",
    example: "ports: { from: 21000, to: 21999, count: 10 }",
  },
  {
    code: "bad-group-name",
    severity: "error",
    title: "The name of a group cannot be used",
    explanation:
      "Names of groups follow the rule for task ids: 1 to 64 letters a-z, digits, dots, dashes and underscores, beginning with a letter or a digit.",
    example: "limits:\n  database: 1",
  },
  {
    code: "unknown-group",
    severity: "error",
    title: "A task is in a group that has no limit",
    explanation:
      "A group exists to limit how many of its tasks run at once, so every group must have a number under limits. Mostly the name is misspelt in one of the two places.",
    example:
      "limits:\n  database: 1\ntasks:\n  - id: migrate\n    group: database\n    prompt: Add the table.",
  },
  {
    code: "duplicate-limit",
    severity: "error",
    title: "A group has two limits",
    explanation:
      "It would be unclear which of the two numbers holds. Keep one. In a native plan the name is a key, so the same mistake is told as duplicate-key; this code is for formats that list their limits.",
  },
  {
    code: "limit-out-of-range",
    severity: "error",
    title: "The limit of a group is out of range",
    explanation: "A limit says how many tasks of the group may run at once: a whole number from 1 to 256.",
  },
  {
    code: "unused-limit",
    severity: "warning",
    title: "A limit belongs to a group without tasks",
    explanation: "It changes nothing. Perhaps the tasks that should be in the group do not say so.",
  },
  {
    code: "bad-env-name",
    severity: "error",
    title: "The name of a variable cannot be used",
    explanation:
      "Names of environment variables consist of letters, digits and underscores and do not begin with a digit. Shells drop or mangle others.",
    example: 'env: { LOG_LEVEL: "debug" }',
  },
  {
    code: "bad-env-value",
    severity: "error",
    title: "The value of a variable cannot be passed on",
    explanation: "It contains a NUL character, at which every system cuts an environment variable off.",
  },
  {
    code: "env-refused",
    severity: "error",
    title: "A plan may not set this variable",
    explanation:
      "Some variables change which program runs, or what is loaded into it, for everything that plait starts: a plan from somebody else could take over the machine by one line. Others belong to git or to plait itself. If a command really needs one, set it inside the command.",
    example: "command: PYTHONPATH=src pytest",
  },
  {
    code: "copy-escapes",
    severity: "error",
    title: "A path to copy leads out of the repository",
    explanation:
      'What is copied into a worktree comes from the repository\'s own folder, by a relative path without "..", and never from .git. So a plan cannot bring other files of yours in front of an agent.',
    example: "copy: [.env, config/local.yaml]",
  },
  {
    code: "dir-escapes",
    severity: "error",
    title: "A path leads out of the tree",
    explanation:
      'A gate judges the tree that it is given, and a task works in one: their folder, and the file by which a task says that it is done, are given by relative paths without "..".',
    example: "gates:\n  - run: npm test\n    dir: packages/web",
  },
  {
    code: "duplicate-gate-name",
    severity: "warning",
    title: "Two gates of one task have the same name",
    explanation:
      "Reports could not tell them apart. A gate without a name is called by its command, so perhaps the same check is asked for twice: the plan's gates already run for every writing task.",
  },
] as const satisfies readonly CodeEntry[];
