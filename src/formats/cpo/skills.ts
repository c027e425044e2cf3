import type { Caps } from "../../core/caps.ts";
import type { Diagnostic } from "../../core/source.ts";
import { indexText } from "../text-index.ts";
import { parseYaml } from "../yaml/parse.ts";
import { checkFields, textsAt } from "./fields.ts";
import type { PlannedTask } from "./planned-tasks.ts";
import { skillsSchema } from "./schema.ts";

/** Which skills an agent loads before it starts, by `plugin:agent`. */
export type SkillsMapping = ReadonlyMap<string, readonly string[]>;

export const SKILLS_FILE = "agent-skills-mapping.yaml";

export function parseSkillsMapping(
  { file, text }: { file: string; text: string },
  caps: Caps,
): { mapping: SkillsMapping; diagnostics: readonly Diagnostic[] } {
  const index = indexText(file, text);
  const { tree, diagnostics } = parseYaml(index, { caps });
  if (!tree) return { mapping: new Map(), diagnostics };
  const doc = { index, tree };
  const agents = tree.kind === "map" ? tree.entries.get("agents")?.value : undefined;
  const names = agents?.kind === "map" ? [...agents.entries.keys()] : [];
  const mapping = new Map(
    names.map((name) => {
      const skills = textsAt(doc, "agents", name, "skills").map(({ value }) => value);
      return [name, fullNames(skills, name)] as const;
    }),
  );
  const said = checkFields(doc, skillsSchema).diagnostics;
  return { mapping, diagnostics: [...diagnostics, ...said] };
}

/** Older task files name an agent without its plugin; that is enough where only one plugin has it. */
function skillsFor(agent: string | null, mapping: SkillsMapping): readonly string[] {
  if (agent === null) return [];
  const exact = mapping.get(agent);
  if (exact !== undefined || agent.includes(":")) return exact ?? [];
  const same = [...mapping.keys()].filter((name) => name.endsWith(`:${agent}`));
  return (same.length === 1 && mapping.get(same[0] as string)) || [];
}

/** A skill without a plugin is one of the agent's own plugin. */
function fullNames(skills: readonly string[], agent: string | null): string[] {
  const plugin = agent?.includes(":") ? agent.slice(0, agent.indexOf(":") + 1) : "";
  return skills.map((skill) => (skill.includes(":") ? skill : plugin + skill));
}

type Skilled = Pick<PlannedTask, "agent" | "spec">;

/** Those of the task file; where it names none, those that the mapping has for the agent. */
export function skillsOf({ agent, spec }: Skilled, mapping: SkillsMapping): readonly string[] {
  const own = spec?.skills.map(({ value }) => value) ?? [];
  return skillsToLoad({ agent: agent?.value ?? null, own }, mapping);
}

/** Those of its own, each by its full name; where there are none, those that the mapping has for the agent. */
export function skillsToLoad(
  { agent, own }: { readonly agent: string | null; readonly own: readonly string[] },
  mapping: SkillsMapping,
): readonly string[] {
  return own.length > 0 ? fullNames(own, agent) : skillsFor(agent, mapping);
}
