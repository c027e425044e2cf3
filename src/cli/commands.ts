import type { FlagName } from "./flags.ts";
import { planFlags } from "./flags.ts";
import type { RunCommand } from "./request.ts";

/** Every command, in one table. What a command does is in a file of its own, loaded when it is asked for. */
export type CommandSpec = {
  readonly name: string;
  readonly alias?: string;
  /** As commander reads it, with what it is. */
  readonly argument?: readonly [usage: string, says: string];
  readonly says: string;
  readonly flags: readonly FlagName[];
  readonly examples: readonly (readonly [command: string, says: string])[];
  readonly load: () => Promise<RunCommand>;
};

export const commands: readonly CommandSpec[] = [
  {
    name: "validate",
    alias: "check",
    argument: ["<plan>", "the plan file"],
    says: "check a plan and name everything that is wrong with it",
    flags: ["json", ...planFlags],
    examples: [
      ["plait validate plan.yaml", "all problems, each with its place and a hint"],
      ["plait validate plan.yaml --strict", "also refuse what may clash"],
      ["plait validate plan.yaml --json", "the same for other programs"],
    ],
    load: async () => (await import("./commands/validate.ts")).validate,
  },
  {
    name: "plan",
    argument: ["<plan>", "the plan file"],
    says: "show what a run of a plan would do, and whether it is worth it",
    flags: ["concurrency", "graph", "json", "agent", "model", ...planFlags],
    examples: [
      ["plait plan plan.yaml", "order, time, cost, ownership, commands"],
      ["plait plan plan.yaml -j 8", "the same with eight attempts at once"],
      ["plait plan plan.yaml --graph svg > plan.svg", "the graph as a picture"],
      ["plait plan plan.yaml --graph mermaid", "the graph for a Markdown page"],
      ["plait plan plan.yaml --json", "everything for other programs"],
    ],
    load: async () => (await import("./commands/plan.ts")).plan,
  },
  {
    name: "schema",
    says: "print the JSON Schema of plan files, for editors",
    flags: [],
    examples: [
      ["plait schema", "print it"],
      ["plait schema > plan.schema.json", "keep it"],
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
