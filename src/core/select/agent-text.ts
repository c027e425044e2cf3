import type { AgentChoice } from "../plan.ts";

/** `claude, reviewer, opus`; what has no agent is a command. */
export function agentText(agent: AgentChoice | null): string {
  return agent === null ? "command" : [agent.use, agent.name, agent.model].filter(Boolean).join(", ");
}
