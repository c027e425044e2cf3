import { taskAt } from "../run-index.ts";
import type { PastAttempt, RunState } from "../run-state.ts";
import { entries } from "../sorted-map.ts";
import { integrationDue } from "./integration-due.ts";
import { count } from "./preview/words.ts";
import { listed } from "./run-words.ts";

/** What stopped nothing, and somebody should know all the same: one sentence each, in the order of the plan. */
export function remarks(state: RunState): string[] {
  const found: string[] = state.landing.kind === "landed" ? [...state.landing.notes] : [];
  for (const [gate, times] of entries(state.flaky)) {
    found.push(`gate ${gate} is flaky: ${count(times, "time")} it was green only when it was tried again`);
  }
  for (const [i, { phase, past }] of entries(state.tasks)) {
    const isDone = phase.kind === "merged" || phase.kind === "passed";
    const last = isDone ? past.find(({ id }) => id === phase.attempt) : past.at(-1);
    if (last === undefined) continue;
    const { id } = taskAt(state.index, i);
    if (isDone) found.push(...aboutDone(id, last));
    if (last.saved.kept !== null)
      found.push(`${id} left more than may be saved: all of it is in ${last.saved.kept}`);
  }
  const due = integrationDue(state);
  return due === null ? found : [...found, due];
}

const MOST_PATHS = 5;

function aboutDone(task: string, { ended, saved }: PastAttempt): string[] {
  const denied = [...new Set(ended.denials)];
  const outside = saved.findings.filter(({ kind }) => kind === "outside-claims" || kind === "boundary");
  const guarded = saved.findings.filter(({ kind }) => kind === "guarded");
  const unsure = saved.findings.filter(({ kind }) => kind === "unsure");
  const unsearched = saved.findings.filter(({ kind, blocks }) => kind === "secret" && !blocks);
  return [
    ...(denied.length === 0 ? [] : [`${task} was refused ${listed(denied)}, and did without`]),
    ...(outside.length === 0 ? [] : [`${task} changed what is not its own: ${pathsOf(outside)}`]),
    ...(guarded.length === 0
      ? []
      : [`${task} changed what is guarded, without the plan's consent: ${pathsOf(guarded)}`]),
    ...(unsure.length === 0
      ? []
      : [`it cannot be told whether all that ${task} changed is its own: ${pathsOf(unsure)}`]),
    ...(unsearched.length === 0
      ? []
      : [`${task} has files too large to be searched for secrets: ${pathsOf(unsearched)}`]),
  ];
}

function pathsOf(findings: readonly { readonly path: string }[]): string {
  const paths = [...new Set(findings.map(({ path }) => path))];
  const shown = paths.slice(0, MOST_PATHS);
  const more = paths.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
