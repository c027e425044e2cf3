import { describe, expect, test } from "vitest";
import { ended, story } from "../../../test/support/checkout.ts";
import { agentWork } from "../../../test/support/plans.ts";
import { Scenario } from "../../../test/support/scenario.ts";
import { comparison } from "./comparison.ts";
import { planChanges } from "./plan-changes.ts";

const MINUTE = 60_000;
const of = ({ state, now, facts }: Scenario) => ({ state, now, isRunning: state.ended === null, facts });

const failed = { reason: "agent-said-no", detail: "no" } as const;
const silent = { reason: "usage-limit", resetsAt: null, detail: "" } as const;

/** Both tasks, each as long as it is told, one after the other. */
function slow(a: number, b: number): Scenario {
  const run = new Scenario([{ id: "a" }, { id: "b" }]);
  run.start("a/1").later(a).end("a/1", null, { costUsd: 1 }).save("a/1").merge();
  return run.start("b/1").later(b).end("b/1", null, { costUsd: 2 }).save("b/1").merge().land().finish();
}

describe("two runs side by side", () => {
  test("are told by their figures, with what changed and whether that is good", () => {
    const better = new Scenario([{ id: "a" }, { id: "b" }]);
    better.start("a/1").start("b/1").later(MINUTE).end("a/1", null, { costUsd: 4 }).save("a/1").merge();
    better
      .later(MINUTE)
      .end("b/1", silent)
      .save("b/1")
      .later(15 * MINUTE)
      .start("b/2")
      .later(1_000);
    better.end("b/2", failed, { costUsd: 0.5 }).save("b/2").finish();
    const { figures } = comparison(of(slow(20 * MINUTE, 10 * MINUTE)), of(better));
    expect(figures.map(({ name, a, b, change, is }) => [name, a, b, change, is].join(" | "))).toEqual([
      "Done | 2 of 2 | 1 of 2 | −1 | worse",
      "Time | 30:00 | 17:01 | −12:59 | better",
      "Cost | $3.00 | $4.50 | +$1.50 | worse",
      "Not merged | $0.00 | $0.50 | +$0.50 | worse",
      "Attempts | 2 | 3 | +1 | worse",
      "Red gates | 0 | 0 | same | same",
      "Conflicts | 0 | 0 | same | same",
      "Speedup | 1.0× | 0.2× | −0.8 | worse",
      "Paused | 0:00 | 15:00 | +15:00 | worse",
    ]);
  });

  test("leave out the night in which nobody drove, whatever was under way then", () => {
    const night = new Scenario([{ id: "a" }, { id: "b" }])
      .start("a/1")
      .later(5 * MINUTE)
      .start("b/1");
    night
      .later(8 * 60 * MINUTE)
      .resume()
      .later(MINUTE)
      .end("a/1")
      .save("a/1")
      .merge();
    night.end("b/1").save("b/1").merge();
    const { tasks } = comparison(of(night), of(night));
    expect(tasks.map(({ task, aMs }) => [task, Math.round(aMs / MINUTE)])).toEqual([
      ["a", 6],
      ["b", 1],
    ]);
  });

  test("do not blame a plan for having fewer tasks, and call what was only read done", () => {
    const one = new Scenario([{ id: "a", allowEmpty: true }])
      .start("a/1")
      .end("a/1")
      .save("a/1", { changed: false });
    expect(comparison(of(slow(1, 1)), of(one)).figures[0]).toEqual({
      ...{ name: "Done", a: "2 of 2", b: "1 of 1", change: "−1", is: "same" },
    });
  });

  test("say nothing of a figure that nobody told", () => {
    const [a, b] = [new Scenario([{ id: "a" }]).work("a/1"), slow(1, 1)];
    const { figures } = comparison(of(a), of(b));
    expect(figures.find(({ name }) => name === "Cost")).toEqual({
      name: "Cost",
      a: "not reported",
      b: "$3.00",
      change: "",
      is: "same",
    });
  });

  test("have their tasks beside each other, the most gained first; a moment's difference is none", () => {
    const { tasks } = comparison(of(slow(5 * MINUTE, 10 * MINUTE)), of(slow(5 * MINUTE + 4_000, 8 * MINUTE)));
    expect(tasks.map(({ task, change, is }) => `${task} ${change} ${is}`)).toEqual([
      "b −2:00 better",
      "a same same",
    ]);
    const brief = comparison(of(slow(10_000, 600)), of(slow(12_000, 1_500)));
    expect(brief.tasks.map(({ task, change }) => `${task} ${change}`)).toEqual(["b same", "a +0:02"]);
  });

  test("compare what both have begun: a task under way up to now, another by its end", () => {
    const [running, over] = [story(), ended()];
    const { tasks, onlyA, onlyB, differs } = comparison(of(running), of(over));
    expect(differs).toBe("same plan, checkout-k7f2 is not over");
    const one = (id: string) => tasks.find(({ task }) => task === id);
    expect(one("tax")).toMatchObject({ aMs: 1_080_003, change: "same", shown: "failed" });
    expect(one("checkout-ui")).toMatchObject({ aMs: 918_500, change: "+7:31", is: "worse", shown: "merged" });
    expect({ onlyA, onlyB }).toEqual({ onlyA: [], onlyB: ["e2e", "release-check"] });
    const stopped = new Scenario([{ id: "a" }])
      .start("a/1")
      .later(MINUTE)
      .ask({ kind: "stop", mode: "stop" });
    stopped.end("a/1", { reason: "cancelled", because: "stop", detail: "" }).save("a/1").finish();
    const [ms] = comparison(of(stopped), of(stopped.later(9 * MINUTE))).tasks.map(({ bMs }) => bMs);
    expect(Math.round((ms ?? 0) / 1_000)).toBe(60);
  });
});

describe("what two runs were told differently", () => {
  const agent = (use: string) => ({ ...agentWork, agent: { use, name: null, model: null } });
  const plain = [
    { id: "a", work: agent("claude") },
    { id: "b", work: agent("claude") },
  ] as const;
  const differs = (...[tasks, options]: ConstructorParameters<typeof Scenario>) =>
    planChanges(new Scenario(plain).state, new Scenario(tasks, options).state).join(", ");

  test("is their plan, its tasks, who does them and how many at once", () => {
    expect(differs(plain)).toBe("same plan");
    expect(
      differs([
        { ...plain[0], title: "new" },
        { id: "c", work: agent("claude") },
      ]),
    ).toBe("same plan, 1 task changed, 1 added, 1 removed");
    expect(differs([plain[0], { id: "b", work: agent("gemini") }])).toBe("same plan, agents: gemini added");
    const opus = { ...agentWork, agent: { use: "claude", name: null, model: "opus" } };
    expect(differs([plain[0], { id: "b", work: opus }], { policy: { slots: 8 } })).toBe(
      "same plan, 1 task with another agent or model, 8 slots instead of 4",
    );
    const source = { format: "native", path: "other.yaml", hash: "" } as never;
    expect(differs(plain, { plan: { source } })).toBe("other.yaml instead of plan.yaml");
  });
});
