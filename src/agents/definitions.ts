import type { Plan } from "../core/plan.ts";
import type { Agents } from "./registry.ts";

/** What the user configured of the agents that a plan uses, by name, each as the hash that `hash` makes of it. */
export function hashDefinitions(
  { tasks }: Pick<Plan, "tasks">,
  agents: Agents,
  hash: (text: string) => string,
): { readonly [name: string]: string } {
  const names = new Set(tasks.flatMap(({ work }) => (work.kind === "agent" ? [work.agent.use] : [])));
  const found = [...names].flatMap((name): [string, string][] => {
    const { definition } = agents.get(name) ?? {};
    return definition === undefined ? [] : [[name, hash(definition)]];
  });
  return Object.fromEntries(found);
}
