// What else somebody should know at the end: where work is that they may look for elsewhere, and who was not told.

import { lookAtCheckout, type RunState, webhookLog } from "../../../app/index.ts";
import { stayingTrees } from "../../../core/select/task-lists.ts";
import { shortRef } from "../../../core/text/figures.ts";
import { findingLines } from "../../../report/parallel-orchestra/findings.ts";
import type { Result } from "../../../report/parallel-orchestra/results.ts";
import { createHost } from "../../host.ts";
import type { Ended } from "./finish.ts";

export async function endNotes(end: Ended, state: RunState, all: readonly Result[]): Promise<string[]> {
  return [
    ...findingLines(all),
    ...stayingTrees(state).map(({ task, path }) => `the worktree of ${task} is kept: ${path}`),
    ...(await landedElsewhere(end, state)),
    ...(await untoldWebhooks(end)),
  ];
}

/** Work lands on the branch of the start; whoever has switched meanwhile does not see it. */
async function landedElsewhere({ request }: Ended, { landing }: RunState): Promise<string[]> {
  if (landing.kind !== "landed") return [];
  const { head, branch } = await lookAtCheckout(createHost(request, ""));
  if (head === null || branch === landing.target) return [];
  const now = branch === null ? "no branch" : shortRef(branch);
  return [`landed on ${shortRef(landing.target)}; you are on ${now}`];
}

async function untoldWebhooks({ run, told }: Ended): Promise<string[]> {
  const lines = (await webhookLog(run.view.folder)).slice(told);
  return lines
    .filter((line) => !/^\w+: answered 2\d\d\b/.test(line))
    .map((line) => `the webhook on_${line.replace(":", " was not told:")}`);
}
