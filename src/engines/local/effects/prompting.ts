// All that an agent is told, from the texts of the run: the plan's, what its needs report, what a check found.

import type { Adapter, AgentWork } from "../../../agents/adapter.ts";
import { buildPrompt, type Fix, type Heard, type NeedReport } from "../../../agents/prompt.ts";
import type { TextHash } from "../../../core/ids.ts";
import type { Task } from "../../../core/plan.ts";
import type { RunState } from "../../../core/run-state.ts";
import type { Want } from "../../../core/want.ts";
import { reportsOf } from "../reports.ts";
import { type Site, taskOf } from "../site.ts";

export type ToPrompt = {
  readonly want: Extract<Want, { kind: "start" }>;
  readonly state: RunState;
  readonly task: Task;
  readonly work: AgentWork;
  /** Whether the agent goes on with its conversation. */
  readonly remembers: boolean;
  /** What it cannot be told beside the prompt. */
  readonly said: string | null;
};

export async function promptFor(
  site: Site,
  { want, state, task, work, remembers, said }: ToPrompt,
): Promise<string> {
  const context = state.index.plan.context.map(async ({ hash, file }) => ({
    file,
    text: await needText(site, hash),
  }));
  return buildPrompt({
    context: await Promise.all(context),
    task,
    prompt: await needText(site, work.prompt.hash),
    system: said,
    heard: await heard(site, state, task),
    needs: await reports(site, state, task),
    brief: want.brief === null ? null : await needText(site, want.brief),
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

/** An argument of a program may not be longer, by far; what is goes into the prompt. */
const MOST_BESIDE = 100_000;

/** The task's system prompt, as the agent can be told it. */
export async function systemPromptFor(
  site: Site,
  { systemPrompt }: AgentWork,
  { supports }: Adapter,
): Promise<{ readonly beside: string | null; readonly inPrompt: string | null }> {
  if (systemPrompt === null) return { beside: null, inPrompt: null };
  const text = await needText(site, systemPrompt.hash);
  const isBeside = supports.systemPrompt && systemPrompt.bytes <= MOST_BESIDE;
  return isBeside ? { beside: text, inPrompt: null } : { beside: null, inPrompt: text };
}

/** The last words of needs that the task hears of by name: of what was merged too, which reports nothing otherwise. */
async function heard({ folder }: Site, state: RunState, { hears }: Task): Promise<Heard | null> {
  if (hears === null) return null;
  const all = hears.from.map(async ({ task: id, name }) => {
    const { phase, past } = taskOf(state, id).now;
    const done = phase.kind === "merged" || phase.kind === "passed" ? phase.attempt : null;
    const report = phase.kind === "passed" ? phase.report : null; // with its report files
    const hash = report ?? past.find((one) => one.id === done)?.ended.said ?? null;
    return { name, said: (hash === null ? null : await folder.text(hash)) ?? "" };
  });
  return { title: hears.title, from: await Promise.all(all) };
}

async function reports({ folder }: Site, state: RunState, task: Task): Promise<NeedReport[]> {
  const named = new Set(task.hears?.from.map((one) => one.task));
  const told = task.needs.filter((id) => !named.has(id));
  const all = told.map(async (id): Promise<NeedReport[]> => {
    const { task: need, now } = taskOf(state, id);
    if (now.phase.kind !== "passed" || now.phase.report === null) return [];
    const report = await folder.text(now.phase.report);
    const kept = await reportsOf(folder.path, now.phase.attempt);
    const files = kept?.files.map(({ path }) => path) ?? [];
    return report === null ? [] : [{ task: id, title: need.title, report, files }];
  });
  return (await Promise.all(all)).flat();
}

async function fixFor({ redOutput, folder }: Site, { fix, base }: ToPrompt["want"]): Promise<Fix | null> {
  if (fix === null || fix.because === null) return null;
  const { attempt, because } = fix;
  const hash = redOutput(attempt);
  const output = hash === null ? "" : ((await folder.text(hash)) ?? "");
  const isAboutMerged =
    because.reason === "conflict" || (because.reason === "gate" && because.on === "merge");
  return { because, output, merged: isAboutMerged ? base.commit : null };
}
