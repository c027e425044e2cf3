import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ended, story } from "../../../test/support/checkout.ts";
import { everySegment, everySegmentEnded } from "../../../test/support/every-segment.ts";
import { gateOf, taskId } from "../../../test/support/plans.ts";
import { gate, sketches, step } from "../../../test/support/random-run.ts";
import { Scenario } from "../../../test/support/scenario.ts";
import { elapsed } from "../text/figures.ts";
import { overview } from "./overview.ts";
import { NOT_STARTED, recordFact } from "./timeline/record.ts";
import { gapsOf } from "./timeline/segment.ts";
import { type Timeline, type TimelineRow, timelineFrom, timelineOf } from "./timeline.ts";

const unit = gateOf("test:unit");
const of = (run: Scenario): Timeline => timelineOf(run.facts, overview(run.state, run.now));
const row = (line: Timeline, task: string) => line.rows.find((one) => one.row.task === task) as TimelineRow;
const clock = (at: number) => new Date(at).toISOString().slice(11, 19);

/** `14:00:10 agent 4:20 a/1`; good is not said. */
function told(line: Timeline, task: string): string[] {
  const { segments, ends } = row(line, task);
  const shown = segments.map(({ kind, from, to, result, attempt, count, lane }) =>
    [
      `${clock(from)} ${kind} ${elapsed(to - from + 1)}`,
      attempt ?? "-",
      ...(count?.kind === "fix" ? [`+${count.n}`] : []),
      ...(lane.of > 1 ? [`lane ${lane.at + 1}/${lane.of}`] : []),
      ...(result === "good" ? [] : [result]),
    ].join(" "),
  );
  return [
    ...shown,
    ...ends.map(({ at, kind, note }) => `${clock(at)} ${kind}${note === null ? "" : `: ${note}`}`),
  ];
}

describe("a task has a segment for", () => {
  const line = of(everySegment());

  test("its wait for a slot, its agent, its gates, its turn to merge, and a mark for its end", () => {
    expect(told(line, "schema")).toEqual([
      "14:00:00 ready 0:10 -",
      "14:00:10 agent 4:20 schema/1",
      "14:04:30 gates 0:40 schema/1",
      "14:05:10 queue 0:00 schema/1",
      "14:05:10 merge 0:40 schema/1",
      "14:05:50 merged",
    ]);
  });

  test("a red gate, and the fix round behind it", () => {
    expect(told(line, "money").slice(1, 7)).toEqual([
      "14:00:10 agent 5:09 money/1",
      "14:05:20 gates 0:32 money/1 bad",
      "14:05:52 ready 0:03 money/1",
      "14:05:55 agent 1:45 money/2 +1",
      "14:07:40 gates 0:25 money/2 +1",
      "14:08:05 queue 0:07 money/2",
    ]);
  });

  test("attempts side by side, of which one is called off", () => {
    expect(told(line, "prices").slice(1, 4)).toEqual([
      "14:00:10 agent 7:13 prices/1 lane 1/2 called-off",
      "14:00:10 agent 6:29 prices/2 lane 2/2",
      "14:06:40 gates 0:40 prices/2 lane 2/2",
    ]);
  });

  test("its back-off, and for what did not merge; not for the time in which the machine slept", () => {
    expect(told(line, "emails").slice(2)).toEqual([
      "14:14:10 gates 0:40 emails/1",
      "14:14:50 queue 1:10 emails/1",
      "17:15:00 queue 0:10 emails/1",
      "17:15:10 conflict 0:00 emails/1 bad",
      "17:15:10 backoff 0:04 emails/1",
      "17:15:14 ready 6:45 emails/1",
      "17:22:00 agent 4:30 emails/2 under-way",
    ]);
    expect(line.gaps.map(({ from, to, why }) => `${clock(from)} ${clock(to)} ${why}`)).toEqual([
      "14:16:00 17:15:00 slept",
    ]);
  });

  test("a limit, to its end; a person who is asked; and what its failure means for others", () => {
    expect(told(line, "i18n").at(-1)).toBe("17:24:10 parked 15:50 i18n/1 under-way");
    expect(told(line, "wire").at(-1)).toBe("17:20:00 held 6:30 wire/1 under-way");
    expect(told(line, "tax").at(-1)).toBe("17:21:20 failed: gate test:unit");
    expect(told(line, "invoices")).toEqual(["17:21:20 skipped: tax failed"]);
  });

  test("what it was before somebody reopened it, and nothing while nobody drove the run", () => {
    const later = of(everySegmentEnded());
    expect(told(later, "tax").slice(5)).toEqual([
      "17:15:10 agent 5:30 tax/2",
      "17:20:40 gates 0:40 tax/2 bad",
      "23:02:00 ready 0:00 tax/2",
      "23:02:00 agent 4:59 tax/3",
      "23:07:00 gates 0:30 tax/3",
      "23:07:30 queue 0:00 tax/3",
      "23:07:30 merge 0:20 tax/3",
      "17:21:20 failed: gate test:unit",
      "23:07:50 merged",
    ]);
    expect(told(later, "e2e")[1]).toBe("17:28:00 agent 1:00 e2e/1 called-off");
    expect(later.gaps.at(-1)).toMatchObject({ why: "undriven" });
  });
});

test("an attempt that died with its driver ended with it, however late it was found", () => {
  const run = new Scenario([{ id: "a" }]).start("a/1").later(60_000).fact({ type: "run.paused" });
  const diedAt = run.now;
  run.later(3_600_000).resume().later(5_000).end("a/1", { reason: "orphaned", detail: "" }).save("a/1");
  const [agent] = row(of(run), "a").segments.filter(({ kind }) => kind === "agent");
  expect(agent).toMatchObject({ to: diedAt, result: "bad" });
  expect(of(run).slots.steps.at(-1)).toEqual({ at: diedAt, used: 0 });
});

test("a candidate that is built again is called off, and its task back in the queue", () => {
  const run = new Scenario([{ id: "a" }, { id: "b" }], {
    plan: { gates: [unit] },
    policy: { mergeBatch: 2 },
  });
  run.work("a/1").work("b/1").judge(unit, "work a/1").judge(unit, "work b/1").later(1_000).build();
  run.later(9_000).judge(unit, "merge a/1 b/1", "red").later(1_000);
  const kinds = row(of(run), "b")
    .segments.slice(-3)
    .map(({ kind, result }) => `${kind} ${result}`);
  expect(kinds).toEqual(["queue good", "merge called-off", "queue under-way"]);
});

describe("the whole run", () => {
  const line = of(story());

  test("rows stand by their first start; what never started by its end, or by when it is expected", () => {
    const ids = line.rows.map((one) => one.row.task);
    expect(ids.slice(0, 4)).toEqual(["deps", "schema", "money", "flags"]);
    expect(ids.slice(-2)).toEqual(["e2e", "release-check"]);
    expect(ids.indexOf(taskId("invoices"))).toBe(ids.indexOf(taskId("docs")) - 1);
  });

  test("the critical path is what really decided, and then the estimate, to the moment that is told as the end", () => {
    expect(line.path.map(({ task, isExpected }) => `${task}${isExpected ? "?" : ""}`)).toEqual([
      ...["deps", "schema", "api-types", "cart-api"],
      ...["checkout-ui?", "e2e?", "release-check?"],
    ]);
    expect(line.path.at(-1)?.to).toBe(line.seen.forecast?.readyAt);
    expect(line.to).toBe(line.seen.forecast?.readyAt);
    const over = of(ended());
    expect(over.path.map(({ task }) => task).slice(-2)).toEqual(["e2e", "release-check"]);
    expect(over.path.every(({ isExpected }) => !isExpected)).toBe(true);
  });

  test("what is expected begins with what is under way, and after waits", () => {
    const first = (task: string) => row(line, task).expected[0];
    expect(first("checkout-ui")?.from).toBe(line.now);
    expect(first("i18n")?.from).toBe(row(line, "i18n").segments.at(-1)?.to);
    expect(first("e2e")?.from).toBe(row(line, "checkout-ui").expected.at(-1)?.to);
    expect(of(ended()).rows.flatMap(({ expected }) => expected)).toEqual([]);
  });

  test("what needs something in the queue comes after it is merged, and nothing after the run is ready", () => {
    const seen = of(everySegment());
    const [merge] = row(seen, "api").expected;
    expect(merge).toMatchObject({ kind: "merge", from: seen.now });
    expect(row(seen, "e2e").expected[0]?.from).toBeGreaterThanOrEqual(merge?.to ?? 0);
    const readyAt = seen.seen.forecast?.readyAt;
    expect(Math.max(...seen.rows.flatMap(({ expected }) => expected.map(({ to }) => to)))).toBe(readyAt);
    const two = [
      { id: "a", estimate: { timeMs: 60_000, costUsd: null } },
      { id: "b", needs: ["a"], estimate: { timeMs: 60_000, costUsd: null } },
    ];
    const short = new Scenario(two, { plan: { gates: [unit] } }).start("a/1").later(30_000).end("a/1");
    short.save("a/1").later(40_000).judge(unit, "work a/1").build();
    const [first] = row(of(short), "b").expected;
    expect(Math.round(((first?.from ?? 0) - short.now) / 1_000)).toBe(40);
    expect(of(short).seen.forecast).toMatchObject({ readyAt: row(of(short), "b").expected.at(-1)?.to });
    expect(of(short).seen.forecast?.by).toEqual(["a", "b"]);
  });

  test("what is expected leaves no slot to two", () => {
    const tasks = ["a", "b", "c"].map((id) => ({ id, estimate: { timeMs: 60_000, costUsd: null } }));
    const run = new Scenario(tasks, { policy: { slots: 1 } }).start("b/1").later(20_000);
    const spans = of(run).rows.map(({ row: { task }, expected }) =>
      [task, ...expected.map(({ from, to }) => `${from - run.now}-${to - run.now}`)].join(" "),
    );
    expect(spans).toEqual(["b 0-39999", "a 39999-99999", "c 99999-159999"]);
  });
});

test("after anything that can happen, segments fit together and the slots add up", () => {
  fc.assert(
    fc.property(sketches, fc.array(fc.nat(1_000_000), { minLength: 20, maxLength: 120 }), (tasks, dice) => {
      const run = new Scenario(tasks, {
        plan: { gates: [gate] },
        policy: { slots: 3, mergeBatch: 2, mergeAhead: 2 },
      });
      for (const die of dice) step(run, die);
      const line = of(run.later(10));
      expect(line.slots.steps.at(-1)?.used).toBe(run.state.indices.liveAttempts);
      for (const one of line.rows) {
        expect(one.segments.filter(({ from, to }) => from > to)).toEqual([]);
        expect(overlapping(one)).toEqual([]);
        expect(inGaps(line, one)).toEqual([]);
        expect(missingAttempts(run, one)).toEqual([]);
      }
    }),
    { numRuns: 80 },
  );
});

/** Neither two waits at once, nor two attempts in one lane. */
function overlapping({ segments }: TimelineRow): string[] {
  const isWork = (kind: string) => kind === "agent" || kind === "gates";
  return segments.flatMap((a, n) =>
    segments.slice(n + 1).flatMap((b) => {
      const isOneThing = isWork(a.kind) ? isWork(b.kind) && a.lane.at === b.lane.at : !isWork(b.kind);
      return isOneThing && b.from < a.to ? [`${a.kind} ${a.from} ${a.to}, ${b.kind} ${b.from} ${b.to}`] : [];
    }),
  );
}

const inGaps = ({ gaps }: Timeline, { segments }: TimelineRow) =>
  segments.filter(({ from, to }) => to > from && gaps.some((gap) => from < gap.to && to > gap.from));

function missingAttempts(run: Scenario, { row: { task }, segments }: TimelineRow): string[] {
  const { past, live } = run.task(task);
  const shown = new Set(segments.map(({ attempt }) => attempt));
  return [...past, ...live].map(({ id }) => id).filter((id) => !shown.has(id));
}

test("a record that grows fact by fact is the one that is read at once", () => {
  const run = everySegmentEnded();
  let recorded = NOT_STARTED;
  for (const fact of run.facts) recorded = recordFact(recorded, fact);
  expect(timelineFrom(recorded.record, run.seen)).toEqual(timelineOf(run.facts, run.seen));
  expect(recorded.state).toEqual(run.state);
  expect(gapsOf(run.facts)).toEqual(recorded.record.gaps);
});
