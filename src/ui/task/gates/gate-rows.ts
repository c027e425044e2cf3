import { isToContinue, type StatusKind } from "../../../core/select/task-status.ts";
import { elapsed } from "../../../core/text/figures.ts";
import type { GateVerdict } from "../../../report/model.ts";
import type { ShownAttempt, ShownTask } from "../use-task.ts";

/** A gate on the work of an attempt, on one line. */
export type GateRow = { readonly name: string; readonly sign: StatusKind; readonly text: string };

export function listGateRows({ state, i, row }: ShownTask, attempt: ShownAttempt): GateRow[] {
  const { stage } = attempt.live ?? {};
  // Gates that a stopped run has left are not running.
  const isAtRest = isToContinue(row.status);
  const missing = stage?.kind === "gate" && !isAtRest ? stage.missing : [];
  const names = (state.index.checks[i] ?? []).map(({ gate }) => gate.name);
  const verdicts = attempt.gates.filter(({ on }) => on === "work");
  const all = [...new Set([...names, ...verdicts.map(({ name }) => name)])];
  return all.map((name) => {
    const verdict = verdicts.findLast((one) => one.name === name);
    if (verdict !== undefined) return { name, sign: findGateSign(verdict), text: formatVerdict(verdict) };
    const isNext = missing[0]?.gate.name === name;
    return { name, sign: isNext ? "checking" : "waiting", text: isNext ? "running" : "" };
  });
}

/** A flaky gate needs no action, but it may be red again. */
export function findGateSign({ verdict, runs }: GateVerdict): StatusKind {
  if (verdict === "red") return "failed";
  return runs > 1 ? "retrying" : "merged";
}

/** Of a gate that did not decide by running. */
export const HOW: { readonly [H in GateVerdict["how"]]?: string } = {
  known: "cached",
  remembered: "remembered",
  unaffected: "unaffected",
  "no-new-failures": "known red",
};

/** `12 s`, `cached`. */
const formatVerdict = ({ how, durationMs }: GateVerdict): string => HOW[how] ?? formatGateTime(durationMs);

/** `0 s`, `0.4 s`, `38 s`, `2:05`. */
export function formatGateTime(ms: number): string {
  if (ms < 50) return "0 s";
  if (ms < 950) return `${(ms / 1_000).toFixed(1)} s`;
  return ms < 99_500 ? `${Math.round(ms / 1_000)} s` : elapsed(ms);
}
