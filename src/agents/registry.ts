import { nearest } from "../core/suggest.ts";
import type { Adapter, Problem } from "./adapter.ts";
import { claude } from "./claude/adapter.ts";
import { claudeStandIn } from "./claude/stand-in.ts";
import { codex } from "./codex/adapter.ts";
import { commandAdapter } from "./command/adapter.ts";
import type { CommandAgent } from "./command/config.ts";
import { demoAdapter } from "./demo/adapter.ts";

/** The agents of a run, by name. A new CLI is a folder here and an entry in `agentsOf`. */
export type Agents = ReadonlyMap<string, Adapter>;

export type AgentsInput = {
  /** How the demo agent is started: a program of plait's own, whose place only the caller knows. */
  readonly demo: readonly string[];
  /** Agents that the user configured; the configuration has checked them with `commandProblems`. */
  readonly commands: readonly CommandAgent[];
  /** A program that the user says is Claude; left out where it is the one on the path. */
  readonly claude?: string | undefined;
};

export function agentsOf({ demo, commands, claude: program }: AgentsInput): Agents {
  const asClaude = program === undefined ? claude : claudeStandIn(program);
  const all = [...commands.map(commandAdapter), asClaude, codex, demoAdapter(demo)];
  return new Map(all.map((adapter) => [adapter.name, adapter]));
}

export type Found =
  | { readonly ok: true; readonly adapter: Adapter }
  | { readonly ok: false; readonly problem: Problem };

export function findAgent(agents: Agents, name: string): Found {
  const adapter = agents.get(name);
  if (adapter !== undefined) return { ok: true, adapter };
  const names = [...agents.keys()].sort();
  const meant = nearest(name, names);
  return {
    ok: false,
    problem: {
      message: `unknown agent ${JSON.stringify(name)}`,
      hint:
        meant === null
          ? `use one of ${names.join(", ")}, or add yours to plait.config.yaml under \`agents\``
          : `did you mean ${meant}?`,
    },
  };
}
