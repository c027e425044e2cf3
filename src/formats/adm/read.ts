import type { Caps } from "../../core/caps.ts";
import type { PlanDraft } from "../../core/draft.ts";
import type { Diagnostic } from "../../core/source.ts";
import { buildFormatFinding } from "../catalog.ts";
import { type FormatResult, nameFrom, type PlanFiles } from "../format.ts";
import { unsaid, unset } from "../unsaid.ts";
import { readBlock } from "./block.ts";
import { check, conventions } from "./check.ts";
import { type Manifest, manifestOf } from "./manifest.ts";
import { orderOf } from "./order.ts";
import { placesAround } from "./paths.ts";
import { oneLine, tasksOf } from "./tasks.ts";

/** Reads an Agent Dispatch Manifest: the one ```json dispatch block of a Markdown file. The rest is for people. */
export async function readAdm(
  file: { readonly path: string; readonly text: string },
  caps: Caps,
  around: PlanFiles,
): Promise<FormatResult> {
  const { index, tree, ...parsed } = readBlock(file, caps);
  if (!tree) return { draft: null, diagnostics: parsed.diagnostics };

  const checked = check(index, tree);
  const manifest = manifestOf(tree, index);
  const tooMany = refuseTooMany(manifest, caps);
  if (tooMany) return { draft: null, diagnostics: [...parsed.diagnostics, tooMany] };
  const order = orderOf(manifest.batches);
  const places = await placesAround(around);
  const diagnostics = [
    ...parsed.diagnostics,
    ...checked.diagnostics,
    ...order.diagnostics,
    ...conventions(manifest, places),
  ];
  const isSound = diagnostics.every(({ severity }) => severity !== "error");
  const tasks = tasksOf(manifest.batches, order.before, places);
  if (!isSound && tasks.length === 0) return { draft: null, diagnostics, unlisted: checked.unlisted };
  const draft = draftOf({ path: file.path, name: manifest.planId, tasks, isSound });
  return { draft, diagnostics, unlisted: checked.unlisted };
}

function refuseTooMany({ batches }: Manifest, caps: Caps): Diagnostic | null {
  let left = caps.maxTasks;
  for (const { agents, id } of batches) {
    left -= agents.length;
    if (left >= 0) continue;
    return buildFormatFinding("too-many-tasks", { limit: caps.maxTasks }, agents.at(left)?.nameAt ?? id.at);
  }
  return null;
}

type Parts = {
  readonly path: string;
  readonly name: string | null;
  readonly tasks: PlanDraft["tasks"];
  readonly isSound: boolean;
};

function draftOf({ path, name, tasks, isSound }: Parts): PlanDraft {
  return {
    format: "adm",
    path,
    name: oneLine(name ?? nameFrom(path)),
    ...unsaid,
    tasks,
    defaults: unset,
    landStyle: { as: "merge" }, // its promise is a merge for each stream
    ...(!isSound && { lost: { tasks: "any", groups: [] } as const }),
  };
}
