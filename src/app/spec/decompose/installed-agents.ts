import { findAgent } from "../../../agents/registry.ts";
import { listSubAgents } from "../../../engines/local/probe-agent.ts";
import { inheritable } from "../../../engines/local/run-context.ts";
import { agentsKnownTo } from "../../../spec/known-agents.ts";
import { newMarker } from "../../ask/looking-place.ts";
import { agentsFor, type Host } from "../../host.ts";
import type { Decomposition } from "./prepare.ts";

/**
 * The program that designs is, as a rule, the one that runs the tasks: where it tells which agents it can start, those are offered
 * and no others, since a run refuses what it cannot start. Asked without spending a token.
 */
export async function withInstalledAgents(
  host: Host,
  decomposition: Decomposition,
  use: string,
): Promise<Decomposition> {
  const installed = await installedAgents(host, decomposition.root, use);
  return { ...decomposition, agents: agentsKnownTo(decomposition.project, installed) };
}

/** Null where it does not tell. */
async function installedAgents(host: Host, cwd: string, use: string): Promise<readonly string[] | null> {
  const found = findAgent(agentsFor(host), use);
  if (!found.ok || found.adapter.subAgents === null) return null;
  const asking = { env: inheritable(host.env), cwd, run: newMarker() };
  return listSubAgents(found.adapter.subAgents, asking);
}
