import type { RunState } from "../run-state.ts";
import { type Progress, progress } from "./progress.ts";
import type { RunEnd } from "./run-end.ts";
import { shortOid, shortRef } from "./run-words.ts";
import type { ShownState, TaskRow } from "./task-rows.ts";

/** How a run ended, in the words of terminal and report. */
export type EndWords = {
  /** `landed`, `not landed`. */
  readonly verdict: string;
  /** Where, and how many of how many; it follows the name of the run. */
  readonly text: string;
};

export function endWords(
  state: RunState,
  rows: readonly TaskRow[],
  { outcome }: Pick<RunEnd, "outcome">,
): EndWords {
  const { landing } = state;
  const counts = countsText(rows, progress(state));
  const hasGates = state.index.plan.gates.length > 0;
  if (landing.kind === "landed") {
    const where = ` on ${shortRef(landing.target)} as ${shortOid(landing.to.commit)}, ${counts}`;
    if (state.published.kind === "refused") return { verdict: "landed, not pushed", text: where };
    if (outcome !== "complete") return { verdict: "landed in part", text: where };
    return { verdict: "landed", text: `${where}${hasGates ? ", every gate green" : ""}` };
  }
  if (landing.kind === "undone") return { verdict: "taken back", text: `  ${counts}` };
  if (outcome === "complete") {
    const isEmpty = state.tip.commit === state.base.commit;
    const where = isEmpty ? "nothing to land" : `on plait/${state.run}/integration`;
    return { verdict: "done", text: `  ${counts}, ${proposedText(state) ?? where}` };
  }
  return { verdict: VERDICTS[outcome], text: `  ${counts}` };
}

/** Where others see it. */
export function proposedText({ published }: RunState): string | null {
  if (published.kind !== "published") return null;
  const { url, branch, remote } = published;
  return url === null ? `pushed to ${branch} of ${remote}` : `proposed as ${url}`;
}

const VERDICTS: { readonly [O in Exclude<RunEnd["outcome"], "complete">]: string } = {
  incomplete: "not landed",
  drained: "drained, not landed",
  stopped: "stopped, not landed",
  "over-budget": "over budget, not landed",
  "not-landed": "not landed",
  held: "held, not landed",
  "red-base": "not started",
};

/** `21 of 24 merged, 2 failed, 1 skipped`. */
export function countsText(rows: readonly TaskRow[], figures: Progress): string {
  const of = (...states: readonly ShownState[]) => rows.filter((row) => states.includes(row.shown)).length;
  const settled = of("failed", "held", "skipped", "cancelled");
  const parts = [
    [of("failed"), "failed"],
    [of("held"), "held"],
    [of("skipped"), "skipped"],
    [of("cancelled"), "cancelled"],
    [rows.length - figures.done - settled, "left"],
  ] as const;
  const told = parts.filter(([n]) => n > 0).map(([n, word]) => `${n} ${word}`);
  return [doneText(figures), ...told].join(", ");
}

/** `10 of 24 merged`. */
export function doneText(figures: Progress): string {
  return `${figures.done} of ${figures.total} ${doneWord(figures.phases.passed > 0)}`;
}

/** The same of some of the tasks. */
export function doneOf(rows: readonly TaskRow[]): string {
  const done = rows.filter(({ ball }) => ball === "done");
  return `${done.length} of ${rows.length} ${doneWord(done.some(({ shown }) => shown === "passed"))}`;
}

/** Tasks that only looked merge nothing. */
export const doneWord = (hasPassed: boolean): string => (hasPassed ? "done" : "merged");
