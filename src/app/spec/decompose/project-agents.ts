import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { findAgent } from "../../../agents/registry.ts";
import type { Caps } from "../../../core/caps.ts";
import type { Diagnostic } from "../../../core/source.ts";
import { listSubAgents } from "../../../engines/local/probe-agent.ts";
import { inheritable } from "../../../engines/local/run-context.ts";
import { parseSkillsMapping, SKILLS_FILE } from "../../../formats/cpo/skills.ts";
import { agentsKnownTo, type KnownAgent, type ProjectAgents } from "../../../spec/known-agents.ts";
import { newMarker } from "../../ask/looking-place.ts";
import { agentsFor, type Host } from "../../host.ts";
import { readText } from "../../read-text.ts";
import type { Decomposition } from "./prepare.ts";

type FoundAgents = ProjectAgents & {
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, string>;
};

export async function projectAgents(root: string, caps: Caps): Promise<FoundAgents> {
  const own = await ownAgents(root);
  for (const file of [join("parallel", SKILLS_FILE), SKILLS_FILE]) {
    const read = await readText(join(root, file), caps.maxPlanBytes);
    if (!read.ok) continue;
    const parsed = parseSkillsMapping({ file, text: read.text }, caps);
    return { own, ...parsed, sources: new Map([[file, read.text]]) };
  }
  return { own, mapping: new Map(), diagnostics: [], sources: new Map() };
}

const FOLDER = ".claude/agents";
const MAX_BYTES = 256 * 1024;
const MOST = 200;

async function ownAgents(root: string): Promise<Omit<KnownAgent, "skills">[]> {
  const names = await readdir(join(root, FOLDER)).catch(() => []); // most have none
  const files = names.filter((name) => name.endsWith(".md")).sort();
  const read = files.slice(0, MOST).map(async (name) => {
    const file = await readText(join(root, FOLDER, name), MAX_BYTES);
    const [, head = ""] = /^---\r?\n(.*?)\r?\n---/s.exec(file.ok ? file.text : "") ?? [];
    return { name: field(head, "name") || name.slice(0, -".md".length), does: field(head, "description") };
  });
  return Promise.all(read);
}

const LONGEST = 200;

/** One line of simple front matter; whatever else it is, is not told. */
function field(head: string, key: string): string {
  const [, value = ""] = new RegExp(`^${key}:[ \\t]*(\\S.*)$`, "m").exec(head) ?? [];
  return value
    .trim()
    .replace(/^(["'])(.*)\1$/, "$2")
    .slice(0, LONGEST);
}

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
