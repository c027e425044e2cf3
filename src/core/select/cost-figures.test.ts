import { expect, test } from "vitest";
import { activity, ended, story } from "../../../test/support/checkout.ts";
import { everySegment } from "../../../test/support/every-segment.ts";
import { agentWork } from "../../../test/support/plans.ts";
import { Scenario } from "../../../test/support/scenario.ts";
import { costFigures } from "./cost-figures.ts";
import { overview } from "./overview.ts";
import { runEnd } from "./run-end.ts";
import { gapsOf } from "./timeline/segment.ts";

const cents = (usd: number) => Math.round(usd * 100) / 100;

test("spent, by task and by agent are the same money", () => {
  for (const run of [story(), ended(), everySegment()]) {
    const seen = overview(run.state, run.now, { activity });
    const figures = costFigures(seen, gapsOf(run.facts));
    const total = cents(seen.spending.usd ?? 0);
    const sum = (list: readonly { readonly usd: number | null }[]) =>
      cents(list.reduce((all, { usd }) => all + (usd ?? 0), 0));
    expect([sum(figures.byTask), sum(figures.byAgent)]).toEqual([total, total]);
    expect(cents(figures.spent.at(-1)?.usd ?? 0)).toBe(total);
    const lost = cents(figures.byAgent.reduce((all, { lostUsd }) => all + lostUsd, 0));
    expect(lost).toBe(cents(figures.lostUsd));
    expect(
      figures.spent.every((point, n) => n === 0 || point.usd >= (figures.spent[n - 1]?.usd ?? 0) - 1e-9),
    ).toBe(true);
  }
});

test("what was not merged is what attempts cost that were retried or failed", () => {
  const figures = costFigures(overview(story().state, story().now, { activity }));
  const of = (task: string) => figures.byTask.find(({ row }) => row.task === task);
  expect([of("tax")?.usd, of("tax")?.lostUsd].map((usd) => cents(usd ?? 0))).toEqual([1.14, 1.14]);
  expect(of("webhooks")).toMatchObject({ usd: 1.44, lostUsd: 0.44 });
  expect(of("schema")).toMatchObject({ lostUsd: 0 });
  expect(figures.byTask.map(({ usd }) => usd)).toEqual(
    [...figures.byTask.map(({ usd }) => usd)].sort((a, b) => b - a),
  );
});

test("an attempt spends evenly from its start to its end", () => {
  const run = new Scenario([{ id: "a" }])
    .later(60_000)
    .start("a/1")
    .later(100_000)
    .end("a/1", null, { costUsd: 2 });
  const { spent } = costFigures(overview(run.state, run.now));
  const at = (ms: number) => {
    const n = spent.findIndex((point) => point.at >= ms);
    const [a, b] = [spent[n - 1], spent[n]];
    if (a === undefined || b === undefined) return b?.usd;
    return a.usd + ((b.usd - a.usd) * (ms - a.at)) / (b.at - a.at);
  };
  const { startedAt } = run.task("a").live[0] as { startedAt: number };
  expect(
    [at(startedAt - 30_000), at(startedAt + 50_000), spent.at(-1)?.usd].map((usd) => cents(usd ?? -1)),
  ).toEqual([0, 1, 2]);
});

test("nobody spends anything while the machine sleeps", () => {
  const run = new Scenario([{ id: "a" }]).start("a/1").later(60_000);
  const from = run.now;
  run
    .later(8 * 3_600_000)
    .fact({ type: "run.slept", from })
    .later(60_000)
    .end("a/1", null, { costUsd: 2 });
  const gaps = gapsOf(run.facts);
  const { spent } = costFigures(overview(run.state, run.now), gaps);
  const usdAt = (at: number) => cents(spent.find((point) => point.at >= at - 5)?.usd ?? -1);
  expect([usdAt(from), usdAt(gaps[0]?.to ?? 0), spent.at(-1)?.usd]).toEqual([1, 1, 2]);
  expect(spent.every(({ at }, n) => at >= (spent[n - 1]?.at ?? run.state.startedAt))).toBe(true);
});

test("what is expected is told while the run goes on, and what makes the figures doubtful", () => {
  const { expected, remarks } = costFigures(overview(story().state, story().now, { activity }));
  expect(expected?.usd).toBeGreaterThan(20);
  expect(remarks).toEqual([]);
  expect(costFigures(overview(ended().state, ended().now)).expected).toBeNull();
  const work = { ...agentWork, agent: { use: "codex", name: null, model: null } };
  const run = new Scenario([{ id: "a", work }, { id: "b" }]).work("a/1");
  const untold = costFigures(overview(run.state, run.now));
  expect([untold.total, untold.byAgent]).toMatchObject(["–", [{ agent: "codex", usd: null }]]);
  expect(untold.remarks).toEqual(["No agent reported costs, so the budget cannot be enforced."]);
  run.start("b/1").end("b/1", null, { costUsd: 0 }).save("b/1");
  const partly = costFigures(overview(run.state, run.now));
  expect([partly.total, partly.noTask]).toEqual(["at least $0.00", "No task reported a cost."]);
  expect(partly.remarks).toEqual([
    "Some attempts did not report a cost, so the total is too low.",
    "codex did not report all of its costs, so the budget cannot be enforced.",
  ]);
});

test("at the end every agent has cost what the terminal says", () => {
  const { state, now } = ended();
  const told = runEnd(state).byAgent.map(({ agent, usd }) => `${agent} ${cents(usd)}`);
  const figures = costFigures(overview(state, now)).byAgent;
  expect(figures.map(({ agent, usd }) => `${agent} ${cents(usd ?? 0)}`).sort()).toEqual([...told].sort());
});
