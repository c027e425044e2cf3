// Files that history says several tasks of a plan will change, for `plait plan`.

import type { Plan } from "../core/plan.ts";
import { findHubFiles, type HubFile } from "../core/select/preview/hub-files.ts";
import { readHistory } from "../git/index.ts";
import { findRepository, gitFor, type Host } from "./host.ts";

/** None where there is no repository, or its history cannot be read. */
export async function previewHubFiles(host: Host, plan: Plan): Promise<HubFile[]> {
  if (plan.tasks.filter(({ owns }) => owns.length > 0).length < 2) return [];
  const found = await findRepository(host);
  if (!found.ok || found.repository.workTree === null) return [];
  const history = await readHistory(gitFor(host), found.repository.workTree);
  return history === null ? [] : findHubFiles(plan, history.commits);
}
