import { expect, test } from "vitest";
import { activity, story } from "../../../test/support/checkout.ts";
import { hashOf } from "../../../test/support/plans.ts";
import type { AttemptId } from "../ids.ts";
import { attemptLines, redGate } from "./task-attempts.ts";
import { type TaskRow, taskRows } from "./task-rows.ts";

const failure = { reason: "gate", gate: "test:tax", on: "attempt", summary: "", detail: "" } as const;

test("attempts are told with why they ended, how long they took and what they cost", () => {
  const run = story();
  const rows = taskRows(run.state, run.now, { activity });
  const lines = (id: string) =>
    attemptLines(run.state, rows.find(({ task }) => task === id) as TaskRow, { now: run.now, activity }).map(
      ({ n, shown, short, costUsd }) => [n, shown, short, costUsd],
    );
  expect(lines("tax")).toEqual([
    [1, "failed", "gate test:tax", 0.4],
    [2, "failed", "gate test:tax", 0.4],
    [3, "failed", "gate test:tax", 0.34],
  ]);
  expect(lines("webhooks")).toEqual([
    [1, "failed", "agent error", 0.44],
    [2, "running", "running", 1],
  ]);
  expect(lines("deps")).toEqual([[1, "merged", "merged", null]]);
  expect(lines("refunds")).toEqual([[1, "checking", "checking", 1.02]]);
});

test("the verdict that an attempt failed for is its own, and not one that comes later", () => {
  const run = story();
  const facts = run.facts.map((fact) =>
    fact.type === "gate.judged" ? { ...fact, output: hashOf(`${fact.at}`) } : fact,
  );
  const of = (attempt: string, upTo = facts.length) =>
    redGate(facts, upTo, { attempt: attempt as AttemptId, failure });
  const [first, third] = [of("tax/1"), of("tax/3")];
  expect(first?.at).toBeLessThan(third?.at ?? 0);
  expect(third?.output).toBe(hashOf(`${third?.at}`));
  expect(of("tax/3", facts.findIndex(({ at }) => at === first?.at) + 1)).toBeNull();
  expect(
    redGate(facts, facts.length, { attempt: "tax/3" as AttemptId, failure: { reason: "crash", detail: "" } }),
  ).toBeNull();
});
