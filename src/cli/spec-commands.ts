import type { CommandSpec } from "./commands.ts";
import type { FlagName } from "./flags.ts";

/** Of `plait spec integrate`, and of `plait integrate` beside those of plans. */
export const integrateFlags: readonly FlagName[] = [
  ...(["parallelDir", "run", "integratedTech", "noChecks", "allowUnknown", "enforce"] as const),
  ...(["out", "json", "fixParts", "fixPartsRounds", "fixPartsYes", "allowRoot"] as const),
  ...(["judge", "judgeModel", "judgeBudget", "judgeTimeout", "allowNested"] as const),
];

/** `plait spec …`: from a tech spec to an artefact folder that `plait run` takes. */
export const specCommands: readonly CommandSpec[] = [
  {
    name: "spec go",
    argument: ["<source...>", "requirements file, sentence, or tech spec to continue with"],
    says: "Build requirements or a sentence: spec, plan, run, integrate",
    flags: [
      ...["goYes", "goAgent", "goModel", "goBudget", "specName", "tech", "rounds", "concurrency", "land"],
      ...["allowUnknown", "progress", "ui", "json", "allowRedBase", "allowRoot", "allowNested"],
    ] as FlagName[],
    examples: [
      ["plait spec go docs/prd.md", "Ask twice: for the tech spec and for the plan"],
      ['plait spec go "Reports of low stock" --yes', "Ask nothing"],
      ["plait spec go TS-0042", "Continue where it stopped"],
      ["plait spec go TS-0042 --land never", "Keep the result off your branch"],
    ],
    load: async () => (await import("./commands/spec/go/go.ts")).go,
  },
  {
    name: "spec setup",
    says: "make parallel/ with what explains it, and tell CLAUDE.md of it; nothing is written over",
    flags: ["tech"],
    examples: [
      ["plait spec setup", "in the root of the repository, whatever folder you are in"],
      ["plait spec setup --tech django", "with the tests and linters of that technology"],
      ["plait -C shop spec setup", "in another project"],
    ],
    load: async () => (await import("./commands/spec/setup.ts")).setup,
  },
  {
    name: "spec new",
    argument: ["<title...>", "its title, in quotes or not"],
    says: "make a tech spec with the next free number, as a draft",
    flags: ["rfc", "prd", "author"],
    examples: [
      ['plait spec new "Inventory service"', "tech-specs/draft/TS-0001-inventory-service.md"],
      ['plait spec new "Inventory service" --rfc RFC-0007', "after a decision"],
      ['plait spec new "Inventory service" --prd docs/inventory.md', "for these requirements"],
    ],
    load: async () => (await import("./commands/spec/new.ts")).newSpec,
  },
  {
    name: "spec list",
    says: "list tech specs, and what is wrong with those that cannot be used",
    flags: ["specStatus", "json"],
    examples: [
      ["plait spec list", "all, by number"],
      ["plait spec list --status approved", "those that may be built"],
      ["plait spec list --json", "for other programs"],
    ],
    load: async () => (await import("./commands/spec/list.ts")).list,
  },
  {
    name: "spec status",
    argument: ["<id>", "TS-0042, 42, or the path of the file"],
    says: "show where a tech spec is, or move it on: folder and front matter together",
    flags: ["set", "json"],
    examples: [
      ["plait spec status TS-0042", "where it is, and where it may go"],
      ["plait spec status TS-0042 --set approved", "from tech-specs/draft/ to tech-specs/approved/"],
      ["plait spec status 42 --json", "for other programs"],
    ],
    load: async () => (await import("./commands/spec/status.ts")).status,
  },
  {
    name: "spec init",
    argument: ["<folder>", "the artefact folder, which must not exist"],
    says: "make an artefact folder with one example task, valid from the first moment",
    flags: ["specSource", "specName", "tech"],
    examples: [
      ["plait spec init parallel/TS-0042-inventory -t TS-0042 -n inventory", "then replace what says so"],
      [
        "plait spec init parallel/TS-0042-shop -t TS-0042 -n shop --tech typescript",
        "with types in TypeScript",
      ],
      ["plait validate parallel/TS-0042-inventory", "check the whole of it"],
    ],
    load: async () => (await import("./commands/spec/init.ts")).init,
  },
  {
    name: "spec decompose",
    argument: ["[tech-spec]", "its file or its id; with --tech-spec the product requirements"],
    says: "let an agent design how a tech spec is cut into tasks, check that, and make the artefact folder",
    flags: [
      ...["prd", "specName", "tech", "architect", "architectModel", "rounds", "fromFile", "into", "yes"],
      ...["techSpecId", "techSpec", "designBudget", "designTimeout", "json", "allowNested"],
    ] as FlagName[],
    examples: [
      ["plait spec decompose TS-0042", "designed by Claude, shown, and written when you say yes"],
      [
        "plait spec decompose tech-specs/approved/TS-0042-inventory.md --prd docs/inventory.md",
        "with the product requirements",
      ],
      ["plait spec decompose TS-0042 --agent codex -y", "by another agent, and without a question"],
      [
        "plait spec decompose TS-0042 --from-file design.json",
        "from a design that is there: no agent is asked",
      ],
      ["plait spec decompose docs/inventory.md --tech-spec TS-0042", "the older form: requirements first"],
    ],
    load: async () => (await import("./commands/spec/decompose.ts")).decompose,
  },
  {
    name: "spec prompts",
    argument: ["<folder>", "the artefact folder"],
    says: "generate the prompts of an artefact folder from its task files, or check them",
    flags: ["checkPrompts", "fix", "verbose", "json", "maxPlanBytes", "maxDepth", "maxTasks"],
    examples: [
      ["plait spec prompts parallel/TS-0042-inventory", "generate all; the ones before are kept beside"],
      ["plait spec prompts parallel/TS-0042-inventory --check", "write nothing: 1 where some are not valid"],
      ["plait spec prompts parallel/TS-0042-inventory --check --fix", "generate those again"],
      ["plait spec prompts parallel/TS-0042-inventory --check --json", "the same for other programs"],
    ],
    load: async () => (await import("./commands/spec/prompts.ts")).prompts,
  },
  {
    name: "spec graph",
    argument: ["<folder>", "the artifact folder"],
    says: "Redraw task-graph.md from the manifest and task files",
    flags: ["json", "maxPlanBytes", "maxDepth", "maxTasks"],
    examples: [
      ["plait spec graph parallel/TS-0042-inventory", "the previous graph is kept beside it"],
      ["plait validate parallel/TS-0042-inventory", "says when the graph is stale"],
    ],
    load: async () => (await import("./commands/spec/graph.ts")).graph,
  },
  {
    name: "spec coverage",
    argument: ["<folder>", "the artifact folder"],
    says: "Write coverage.md and name requirements without a task",
    flags: ["json", "maxPlanBytes", "maxDepth", "maxTasks"],
    examples: [
      ["plait spec coverage parallel/TS-0042-inventory", "1 where a requirement has no task"],
      ["plait spec coverage parallel/TS-0042-inventory --json", "the table with files and tests"],
    ],
    load: async () => (await import("./commands/spec/coverage.ts")).coverage,
  },
  {
    name: "spec align",
    argument: ["<folder>", "the artefact folder"],
    says: "pin the packages of an artefact folder to versions that go with the project",
    flags: ["checkPins", "json", "maxPlanBytes", "maxDepth", "maxTasks"],
    examples: [
      ["plait spec align parallel/TS-0042-shop", "ranges become pins, by uv, npm, pnpm or yarn"],
      ["plait spec align parallel/TS-0042-shop --check", "write nothing; exit 1 where something has no pin"],
      ["plait spec align parallel/TS-0042-shop --json", "the same for other programs"],
    ],
    load: async () => (await import("./commands/spec/align.ts")).align,
  },
  {
    name: "spec integrate",
    says: "judge whether the parts fit: tasks merged, boundaries, contracts, checks, tech spec; with a report",
    flags: integrateFlags,
    examples: [
      ["plait spec integrate", "the only folder below parallel/; 1 where something must be fixed"],
      ["plait spec integrate --parallel-dir parallel/TS-0042-inventory", "that one"],
      ["plait spec integrate --agent claude", "and let an agent judge the code by the tech spec"],
      ["plait spec integrate --fix", "send findings back to the agents of their tasks, and judge again"],
      [
        "plait spec integrate --parallel-dir parallel/TS-0042-inventory --enforce",
        "as a gate: what blocks makes it red",
      ],
    ],
    load: async () => (await import("./commands/spec/integrate.ts")).specIntegrate,
  },
];
