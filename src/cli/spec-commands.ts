import type { CommandSpec } from "./commands.ts";
import { capFlagNames, type FlagName } from "./flags.ts";

/** Of `plait spec integrate`, and of `plait integrate` beside those of plans. */
export const integrateFlags: readonly FlagName[] = [
  ...(["parallelDir", "run", "integratedTech", "noChecks", "allowUnknown", "enforce"] as const),
  ...(["out", "json", "fixParts", "fixPartsRounds", "fixPartsYes", "allowRoot"] as const),
  ...(["reviewAgent", "reviewModel", "reviewBudget", "reviewTimeout", "allowNested"] as const),
];

/** An artifact folder has no single prompt file, so only three of the limits apply. */
const folderCaps = capFlagNames.filter((name) => name !== "maxPromptBytes");

const folderArgument = ["<folder>", "Artifact folder"] as const;

/** `plait spec …`: from a tech spec to an artifact folder that `plait run` accepts. */
export const specCommands: readonly CommandSpec[] = [
  {
    name: "spec go",
    argument: ["<source...>", "Requirements file, sentence, or tech spec to continue"],
    summary: "Write a tech spec, plan it, run it, integrate it",
    flags: [
      ...(["goYes", "goAgent", "goModel", "goBudget", "specName", "tech", "rounds", "concurrency"] as const),
      ...(["land", "allowUnknown", "progress", "ui", "json"] as const),
      ...(["allowRedBase", "allowRoot", "allowNested"] as const),
    ],
    examples: [
      "plait spec go docs/prd.md",
      'plait spec go "Report low stock" --yes',
      "plait spec go TS-0042 --land never",
    ],
    load: async () => (await import("./commands/spec/go/go.ts")).go,
  },
  {
    name: "spec setup",
    summary: "Create parallel/ and add a section to CLAUDE.md",
    flags: ["tech"],
    examples: ["plait spec setup", "plait spec setup --tech django"],
    load: async () => (await import("./commands/spec/setup.ts")).setup,
  },
  {
    name: "spec new",
    argument: ["<title...>", "Title of the tech spec"],
    summary: "Create a draft tech spec with the next number",
    flags: ["rfc", "prd", "author"],
    examples: [
      'plait spec new "Inventory service"',
      'plait spec new "Inventory service" --rfc RFC-0007 --prd docs/inventory.md',
    ],
    load: async () => (await import("./commands/spec/new.ts")).newSpec,
  },
  {
    name: "spec list",
    summary: "List tech specs and their errors",
    flags: ["specStatus", "json"],
    examples: ["plait spec list", "plait spec list --status approved"],
    load: async () => (await import("./commands/spec/list.ts")).list,
  },
  {
    name: "spec status",
    argument: ["<id>", "TS-0042, 42, or the file"],
    summary: "Show or change the status of a tech spec",
    flags: ["set", "json"],
    examples: ["plait spec status TS-0042", "plait spec status TS-0042 --set approved"],
    load: async () => (await import("./commands/spec/status.ts")).status,
  },
  {
    name: "spec init",
    argument: ["<folder>", "New artifact folder"],
    summary: "Create an artifact folder with one example task",
    flags: ["specSource", "specName", "tech"],
    examples: [
      "plait spec init parallel/TS-0042-inventory -t TS-0042 -n inventory",
      "plait spec init parallel/TS-0042-shop -t TS-0042 -n shop --tech go",
    ],
    load: async () => (await import("./commands/spec/init.ts")).init,
  },
  {
    name: "spec decompose",
    argument: ["[tech-spec]", "Tech spec: id or file"],
    summary: "Split a tech spec into tasks, using an agent",
    flags: [
      ...(["prd", "specName", "tech", "architect", "architectModel", "rounds", "fromFile", "into"] as const),
      ...(["yes", "techSpecId", "techSpec", "designBudget", "designTimeout"] as const),
      ...(["json", "allowNested"] as const),
    ],
    examples: [
      "plait spec decompose TS-0042",
      "plait spec decompose TS-0042 --prd docs/inventory.md",
      "plait spec decompose TS-0042 --agent codex -y",
      "plait spec decompose TS-0042 --from-file design.json",
    ],
    load: async () => (await import("./commands/spec/decompose.ts")).decompose,
  },
  {
    name: "spec prompts",
    argument: folderArgument,
    summary: "Generate prompts from task files, or check them",
    flags: ["checkPrompts", "fix", "verbose", "json", ...folderCaps],
    examples: [
      "plait spec prompts parallel/TS-0042-inventory",
      "plait spec prompts parallel/TS-0042-inventory --check --fix",
    ],
    load: async () => (await import("./commands/spec/prompts.ts")).prompts,
  },
  {
    name: "spec graph",
    argument: folderArgument,
    summary: "Redraw task-graph.md from the manifest and task files",
    flags: ["json", ...folderCaps],
    examples: ["plait spec graph parallel/TS-0042-inventory"],
    load: async () => (await import("./commands/spec/graph.ts")).graph,
  },
  {
    name: "spec coverage",
    argument: folderArgument,
    summary: "Write coverage.md and list requirements without a task",
    flags: ["json", ...folderCaps],
    examples: ["plait spec coverage parallel/TS-0042-inventory"],
    load: async () => (await import("./commands/spec/coverage.ts")).coverage,
  },
  {
    name: "spec align",
    argument: folderArgument,
    summary: "Pin packages to versions that fit the project",
    flags: ["checkPins", "json", ...folderCaps],
    examples: ["plait spec align parallel/TS-0042-shop", "plait spec align parallel/TS-0042-shop --check"],
    load: async () => (await import("./commands/spec/align.ts")).align,
  },
  {
    name: "spec integrate",
    summary: "Check that the merged parts fit together",
    flags: integrateFlags,
    examples: [
      "plait spec integrate",
      "plait spec integrate --parallel-dir parallel/TS-0042-inventory",
      "plait spec integrate --agent claude",
      "plait spec integrate --fix",
    ],
    load: async () => (await import("./commands/integrate-plan.ts")).specIntegrate,
  },
];
