import { findAgent } from "../../../agents/registry.ts";
import { listSubAgents } from "../../../engines/local/probe-agent.ts";
import { inheritable } from "../../../engines/local/program-env.ts";
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
  const found = findAgent(agentsFor(host), use);
  if (!found.ok || found.adapter.subAgents === null) return decomposition;
  const asking = { env: inheritable(host.env), cwd: decomposition.root, run: newMarker() };
  const installed = await listSubAgents(found.adapter.subAgents, asking);
  return { ...decomposition, agents: agentsKnownTo(decomposition.project, installed) };
}
