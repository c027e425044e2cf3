import type { CommandSpec } from "./commands.ts";
import { commandLines } from "./compat/command-lines.ts";

/** Commands that set plait up, clean up after runs, and explain findings. */
export const aroundCommands: readonly CommandSpec[] = [
  {
    name: "explain",
    argument: ["[code]", "Code, such as unknown-key (default: list all)"],
    summary: "Explain an error code",
    flags: ["json"],
    examples: ["plait explain unknown-key", "plait explain"],
    load: async () => (await import("./commands/explain.ts")).explain,
  },
  {
    name: "mcp",
    summary: "Serve plait to agents over MCP",
    flags: ["allowRoot", "allowNested"],
    examples: ["plait mcp", "claude mcp add plait -- plait mcp"],
    load: async () => (await import("./commands/mcp.ts")).mcp,
  },
  {
    name: "schema",
    argument: ["[what]", "plan (default), config or design"],
    summary: "Print a JSON Schema for editors",
    flags: [],
    examples: ["plait schema > plan.schema.json", "plait schema config"],
    load: async () => (await import("./commands/schema.ts")).schema,
  },
  {
    name: "compat",
    argument: ["<action>", "link or unlink"],
    summary: "Install the cast-parallel, parallel-orchestra and cpo commands",
    flags: ["dir"],
    rows: Object.entries(commandLines).map(([name, { argument, summary }]) => [
      `${name} ${argument}`,
      summary,
    ]),
    examples: ["plait compat link", "plait compat link --dir ~/bin", "plait compat unlink"],
    load: async () => (await import("./commands/compat.ts")).compat,
  },
  {
    name: "clean",
    argument: ["[run]", "Run name (default: all runs older than --days)"],
    summary: "Remove old runs and their saved work",
    flags: ["days", "forceClean", "dryRemove", "json"],
    examples: ["plait clean --dry-run", "plait clean --days 0", "plait clean shop-k7f2"],
    load: async () => (await import("./commands/clean.ts")).clean,
  },
  {
    name: "restore",
    argument: ["[run]", "Run name (default: the latest that changed any)"],
    summary: "Restore hooks and git config changed during a run",
    flags: ["dryRestore", "force", "json"],
    examples: ["plait restore --dry-run", "plait restore shop-k7f2"],
    load: async () => (await import("./commands/restore.ts")).restore,
  },
];
