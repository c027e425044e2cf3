import fc from "fast-check";
import type { AttemptFailure } from "../../src/core/failure.ts";
import type { Want } from "../../src/core/want.ts";
import { wants } from "../../src/core/wants.ts";
import { gateOf, type TaskSketch, taskId } from "./plans.ts";
import type { Scenario } from "./scenario.ts";

/** Runs in which anything happens that can, for properties that must hold after every fact. */
export const gate = gateOf("npm test");

export const sketches = fc
  .array(
    fc.record({
      needs: fc.array(fc.nat(40), { maxLength: 3 }),
      group: fc.constantFrom(undefined, "one", "two"),
      priority: fc.constantFrom(0, 0, 0, 3),
      race: fc.constantFrom(1, 1, 2),
      fixRounds: fc.constantFrom(0, 1),
      approve: fc.constantFrom(false, false, true),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((rows) =>
    rows.map(({ needs, group, ...rest }, i): TaskSketch => {
      const before = i === 0 ? [] : needs.map((n) => `t${n % i}`);
      return { id: `t${i}`, needs: [...new Set(before)], ...(group === undefined ? {} : { group }), ...rest };
    }),
  );

/** One random thing that could happen next. */
export function step(run: Scenario, die: number): void {
  const list = wants(run.state, run.now);
  const want = list[die % Math.max(1, list.length)];
  if (die % 11 === 0) run.later(die % 100_000);
  else if (die % 31 === 1) run.resume();
  else if (die % 37 === 2) askSomething(run, die);
  else if (want !== undefined) perform(run, want, die);
}

function askSomething(run: Scenario, die: number): void {
  const task = taskId(`t${die % run.state.index.plan.tasks.length}`);
  const kind = (["cancel", "retry", "approve", "open", "accept"] as const)[die % 5] ?? "retry";
  if (run.refusal({ kind, task }) === null) run.ask({ kind, task });
}

function perform(run: Scenario, want: Want, die: number): void {
  if (want.kind === "start") run.start(want.attempt);
  else if (want.kind === "attend") run.end(want.attempt, FAILURES[die % FAILURES.length] ?? null);
  else if (want.kind === "save") run.save(want.attempt);
  else if (want.kind === "merge") die % 5 === 0 ? run.conflict(["x"]) : run.build();
  else if (want.kind === "advance") run.advance();
  else if (want.kind === "probe") run.fact({ type: "account.probed", account: want.account, ok: true });
  else if (want.kind === "open") run.opened(want.open.attempt);
  else if (want.kind === "gate") judge(run, want, die);
}

function judge(run: Scenario, want: Extract<Want, { kind: "gate" }>, die: number): void {
  const { tree, check, asked } = want;
  const result = {
    verdict: die % 4 === 0 ? "red" : "green",
    how: "ran",
    tries: 1,
    durationMs: 1,
    summary: "",
    reference: null,
    output: null,
    failures: null,
    asked,
  } as const;
  run.fact({
    type: "gate.judged",
    tree,
    gate: check.key,
    preparation: check.preparation,
    name: "npm test",
    ...result,
  });
}

const FAILURES: readonly (AttemptFailure | null)[] = [
  null,
  null,
  null,
  { reason: "crash", detail: "" },
  { reason: "rate-limit", retryAfterMs: null, detail: "" },
  { reason: "network", detail: "" },
  { reason: "orphaned", detail: "" },
  { reason: "agent-said-no", detail: "" },
];
