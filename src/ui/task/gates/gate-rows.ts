import { elapsed } from "../../../core/select/run-words.ts";
import type { ShownState } from "../../../core/select/task-rows.ts";
import type { GateVerdict } from "../../../report/model.ts";
import type { ShownAttempt, ShownTask } from "../use-task.ts";

/** A gate on the work of an attempt, on one line. */
export type GateRow = { readonly name: string; readonly sign: ShownState; readonly says: string };

export function gateRows({ state, i }: ShownTask, attempt: ShownAttempt): GateRow[] {
  const { stage } = attempt.live ?? {};
  const missing = stage?.kind === "gate" ? stage.missing : [];
  const names = (state.index.checks[i] ?? []).map(({ gate }) => gate.name);
  const verdicts = attempt.gates.filter(({ on }) => on === "work");
  const all = [...new Set([...names, ...verdicts.map(({ name }) => name)])];
  return all.map((name) => {
    const verdict = verdicts.findLast((one) => one.name === name);
    if (verdict !== undefined) return { name, sign: signOf(verdict), says: verdictSays(verdict) };
    const isNext = missing[0]?.gate.name === name;
    return { name, sign: isNext ? "gating" : "waiting", says: isNext ? "running" : "" };
  });
}

/** Green only when it was tried again is for the clock: nobody has to do anything, and it may come again. */
export function signOf({ verdict, tries }: GateVerdict): ShownState {
  if (verdict === "red") return "failed";
  return tries > 1 ? "backoff" : "merged";
}

/** `12 s`, `cached`, `exit 1`. */
function verdictSays({ how, durationMs }: GateVerdict): string {
  if (how === "known") return "cached";
  if (how === "unaffected") return "unaffected";
  if (how === "no-new-failures") return "known red";
  return duration(durationMs);
}

/** `0 s`, `0.4 s`, `38 s`, `2:05`. */
export function duration(ms: number): string {
  if (ms < 50) return "0 s";
  if (ms < 950) return `${(ms / 1_000).toFixed(1)} s`;
  return ms < 99_500 ? `${Math.round(ms / 1_000)} s` : elapsed(ms);
}
