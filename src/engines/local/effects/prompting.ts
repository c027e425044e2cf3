// All that an agent is told, from the texts of the run: the plan's, what its needs report, what a check found.

import type { AgentWork } from "../../../agents/adapter.ts";
import { buildPrompt, type Fix, type NeedReport } from "../../../agents/prompt.ts";
import type { TextHash } from "../../../core/ids.ts";
import type { Task } from "../../../core/plan.ts";
import type { RunState } from "../../../core/run-state.ts";
import type { Want } from "../../../core/want.ts";
import { type Site, taskOf } from "../site.ts";

export type ToPrompt = {
  readonly want: Extract<Want, { kind: "start" }>;
  readonly state: RunState;
  readonly task: Task;
  readonly work: AgentWork;
  /** Whether the agent goes on with its conversation. */
  readonly remembers: boolean;
};

export async function promptFor(
  site: Site,
  { want, state, task, work, remembers }: ToPrompt,
): Promise<string> {
  const context = state.index.plan.context.map(async ({ hash, file }) => ({
    file,
    text: await needText(site, hash),
  }));
  return buildPrompt({
    context: await Promise.all(context),
    task,
    prompt: await needText(site, work.prompt.hash),
    needs: await reports(site, state, task),
    fix: await fixFor(site, want),
    remembers,
  });
}

/** Texts are written before the first fact that names them. */
async function needText({ folder }: Site, hash: TextHash): Promise<string> {
  const text = await folder.text(hash);
  if (text === null) throw new Error(`the text ${hash} is missing from ${folder.path}`);
  return text;
}

async function reports({ folder }: Site, state: RunState, task: Task): Promise<NeedReport[]> {
  const all = task.needs.map(async (id): Promise<NeedReport[]> => {
    const { task: need, now } = taskOf(state, id);
    const hash = now.phase.kind === "passed" ? now.phase.report : null;
    const report = hash === null ? null : await folder.text(hash);
    return report === null ? [] : [{ task: id, title: need.title, report }];
  });
  return (await Promise.all(all)).flat();
}

async function fixFor({ redOutput, folder }: Site, { fix, base }: ToPrompt["want"]): Promise<Fix | null> {
  if (fix === null) return null;
  const hash = redOutput(fix.attempt);
  const output = hash === null ? "" : ((await folder.text(hash)) ?? "");
  const isAboutMerged =
    fix.because.reason === "conflict" || (fix.because.reason === "gate" && fix.because.on === "merge");
  return { because: fix.because, output, merged: isAboutMerged ? base.commit : null };
}
