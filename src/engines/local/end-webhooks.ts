// The webhooks of a plan hear of each end of the run once, in figures: `complete` of every end, `failure` where a task failed.
// That an end was told is written down before it is: better not told than twice. What becomes of it is in `hooks.log`.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunState } from "../../core/run-state.ts";
import { endFigures } from "../../core/select/progress.ts";
import { logHook } from "./hooks.ts";
import type { RunContext } from "./run-context.ts";
import { writeWhole } from "./run-folder.ts";
import { postMessage } from "./webhook.ts";

type Place = Pick<RunContext, "folder" | "masker" | "values" | "clock">;

/** For a run that has ended. */
export async function tellWebhooks(
  site: Place,
  state: RunState,
  post: typeof postMessage = postMessage,
): Promise<void> {
  const { ended, index } = state;
  const { complete, failure } = index.plan.webhooks;
  if (ended === null || (complete === null && failure === null)) return;
  if (!(await isFirst(join(site.folder.path, "webhooks.json"), ended.at))) return;
  const { durationMs, ...counts } = endFigures(state);
  const figures = {
    manifest: site.masker.text(index.plan.name),
    ...counts,
    duration_sec: Math.round(durationMs / 100) / 10,
  };
  const tell = async (event: "complete" | "failure", sealed: string | null): Promise<void> => {
    if (sealed === null) return;
    const { url = sealed } = site.values.open({ url: sealed });
    const options = { clock: site.clock, only: "outside" } as const;
    const became = await post(url, { event, ...figures }, options).catch((error: Error) => error.message);
    await logHook(site, `webhook ${event}: ${became}`);
  };
  await Promise.all([tell("complete", complete), counts.failed > 0 ? tell("failure", failure) : null]);
}

/** Whether nobody has told of this end yet; from now on somebody has. */
async function isFirst(file: string, endedAt: number): Promise<boolean> {
  const before = await readFile(file, "utf8").catch(() => null); // no end was told
  const text = `${JSON.stringify({ endedAt })}\n`;
  if (before === text) return false;
  await writeWhole(file, text).catch(() => undefined); // a full disk
  return true;
}
