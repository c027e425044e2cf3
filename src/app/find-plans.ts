// The plans of a folder, for a command that was given none.

import { readdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { Caps } from "../core/caps.ts";
import { detectFormat } from "../formats/registry.ts";
import type { Host } from "./host.ts";
import { listArtifactFolders } from "./integrate/artifact-folder.ts";
import { readText } from "./read-text.ts";

/** The names that a plan file has by convention, in the order in which they are listed. */
const PLAN_NAMES = ["plan.yaml", "plan.yml", "plan.json", "plan.md", "plait.yaml", "plait.yml"];

/** Folders may hold thousands of files: only so many are read to suggest one. */
const MAX_READ = 50;

export type FoundPlans = {
  /** What a command may take without asking: plans with such names, and artifact folders. */
  readonly plans: readonly string[];
  /** Files in the folder that are plans and have other names; only where `plans` is empty. */
  readonly others: readonly string[];
};

/** By the names that the user would type. A folder without a plan has those of its repository's root. */
export async function findPlans(host: Host, caps: Caps): Promise<FoundPlans> {
  const listed = await listArtifactFolders(host);
  const folders = listed.ok ? listed.found : [];
  const here = await findPlanFiles(host.cwd, caps);
  const root = listed.ok ? dirname(listed.top) : host.cwd;
  const isOnlyAbove =
    here.plans.length + here.misnamed.length + here.others.length === 0 && root !== host.cwd;
  const { plans, misnamed, others } = isOnlyAbove ? await findPlanFiles(root, caps) : here;
  const nameFromHere = (name: string): string =>
    relative(host.cwd, join(isOnlyAbove ? root : host.cwd, name));
  const found = [...plans.map(nameFromHere), ...folders];
  if (found.length > 0) return { plans: found, others: [] };
  // Not a plan yet: whoever named it so wants to read why.
  return { plans: misnamed.map(nameFromHere), others: others.map(nameFromHere) };
}

/** `misnamed`: files with such names that are not plans; only where `plans` is empty. */
type PlanFiles = FoundPlans & { readonly misnamed: readonly string[] };

async function findPlanFiles(folder: string, caps: Caps): Promise<PlanFiles> {
  const names = await readdir(folder).catch((): string[] => []); // an unreadable folder has no plan to offer
  const named = PLAN_NAMES.filter((name) => names.includes(name));
  const isPlan = (name: string) => isPlanFile(join(folder, name), caps);
  const plans = await filterAsync(named, isPlan);
  if (named.length > 0) return { plans, misnamed: plans.length > 0 ? [] : named, others: [] };
  const readable = names.filter((name) => /^[^.].*\.(ya?ml|json|md)$/i.test(name)).sort();
  return { plans, misnamed: [], others: await filterAsync(readable.slice(0, MAX_READ), isPlan) };
}

async function isPlanFile(path: string, caps: Caps): Promise<boolean> {
  const read = await readText(path, caps.maxPlanBytes);
  return read.ok && detectFormat({ kind: "file", path, text: read.text }).format !== null;
}

async function filterAsync<T>(items: readonly T[], test: (item: T) => Promise<boolean>): Promise<T[]> {
  const kept = await Promise.all(items.map(test));
  return items.filter((_, i) => kept[i]);
}
