import type { CommandSpec } from "./commands.ts";

/** Commands around plans and runs: plait for agents, under other names, its schemas and its findings. */
export const aroundCommands: readonly CommandSpec[] = [
  {
    name: "mcp",
    says: "serve plait to agents as tools, over standard input and output (MCP)",
    flags: ["allowRoot", "allowNested"],
    examples: [
      ["plait mcp", "for agents to start, such as: claude mcp add plait -- plait mcp"],
      ["plait mcp -C ../shop", "for another folder"],
      ["plait mcp --allow-root", "as root, where agents are to run as root as well"],
    ],
    load: async () => (await import("./commands/mcp.ts")).mcp,
  },
  {
    name: "compat",
    argument: ["<action>", "link or unlink"],
    says: "put the names cast-parallel, parallel-orchestra and cpo on your PATH, each started by plait",
    flags: ["dir"],
    examples: [
      ["plait compat link", "in ~/.local/bin; what is there already is never overwritten"],
      ["plait compat link --dir ~/bin", "in another folder"],
      ["plait compat unlink", "and away again"],
    ],
    load: async () => (await import("./commands/compat.ts")).compat,
  },
  {
    name: "schema",
    argument: ["[what]", "plan, config or design (default plan)"],
    says: "print the JSON Schema of plan files, configuration files or designs, for editors",
    flags: [],
    examples: [
      ["plait schema", "print that of plans"],
      ["plait schema > plan.schema.json", "keep it"],
      ["plait schema design", "how a tech spec is cut into tasks, as one JSON document"],
      [
        "# yaml-language-server: $schema=plan.schema.json",
        "as the first line of a plan: editors check it while you type",
      ],
    ],
    load: async () => (await import("./commands/schema.ts")).schema,
  },
  {
    name: "explain",
    argument: ["[code]", "the code of a finding, such as unknown-key"],
    says: "tell more about a finding, or list all",
    flags: ["json"],
    examples: [
      ["plait explain unknown-key", "what it means and what to do"],
      ["plait explain", "all codes"],
      ["plait explain --json", "all codes for other programs"],
    ],
    load: async () => (await import("./commands/explain.ts")).explain,
  },
];
