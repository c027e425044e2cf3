import { describe, expect, test } from "vitest";
import { oidOf, taskId } from "../../../test/support/plans.ts";
import { revision, Scenario } from "../../../test/support/scenario.ts";
import type { FactBody } from "../facts.ts";

const TASKS = [
  { id: "a", fixRounds: 1, retries: 3 },
  { id: "b", fixRounds: 1, needs: ["a"] },
];

/** Both are merged, and the target conflicts with what `tasks` changed. */
function refused(run: Scenario, tasks: readonly string[] = ["a"]): FactBody {
  const join = { onto: oidOf("onto"), result: revision("join"), at: 1, tasks: tasks.map(taskId) };
  const { tip } = run.state;
  return { type: "landing.refused", tip: tip.commit, why: "conflict", detail: "by hand", paths: ["x"], join };
}

function merged(tasks: readonly object[] = TASKS): Scenario {
  const run = new Scenario(tasks as typeof TASKS);
  return run.work("a/1").merge().work("b/1").merge();
}

describe("a target that moved and conflicts", () => {
  test("goes to the task that changed the files, in its conversation, from the join of both sides", () => {
    const run = merged();
    run.fact(refused(run));
    expect(run.phases()).toEqual({ a: "backoff", b: "merged" });
    expect(run.want("start")).toMatchObject({
      attempt: "a/2",
      base: revision("join"),
      fix: { attempt: "a/1", because: { reason: "conflict", paths: ["x"], target: "main" } },
    });
    run.work("a/2").merge();
    expect(run.phases()).toEqual({ a: "merged", b: "merged" });
    expect(run.state.targetFix).toBeNull();
    expect(run.want("land")).toMatchObject({ tip: run.state.tip.commit });
  });

  test("goes to the next task that changed them where the first has no fix round left, else to the person", () => {
    const run = merged([{ ...TASKS[0], fixRounds: 0 }, TASKS[1] as object]);
    run.fact(refused(run, ["a", "b"]));
    expect(run.phases()).toEqual({ a: "merged", b: "backoff" });
    const none = merged(TASKS.map((task) => ({ ...task, fixRounds: 0 })));
    none.fact(refused(none, ["a", "b"]));
    expect(none.state.landing).toMatchObject({ kind: "refused", why: "conflict", paths: ["x"] });
  });

  test("goes to the person when the agent fails, is dropped or changes nothing; the task is merged as before", () => {
    const ways: ((run: Scenario) => void)[] = [
      (run) => run.start("a/2").end("a/2", { reason: "crash", detail: "it crashed" }).save("a/2"),
      (run) => run.start("a/2").end("a/2").save("a/2", { changed: false }),
      (run) => run.fact({ type: "task.cancelled", task: taskId("a") }),
    ];
    for (const end of ways) {
      const run = merged();
      const phase = run.phase("a");
      run.fact(refused(run));
      end(run);
      expect(run.phase("a")).toEqual(phase);
      expect(run.state.landing).toMatchObject({ kind: "refused", why: "conflict" });
      const { state } = run;
      run.fact(refused(run));
      expect(run.state.landing).toEqual(state.landing);
      expect(run.phase("a")).toEqual(phase);
    }
  });

  test("of which the fact comes twice begins one attempt", () => {
    const run = merged();
    const fact = refused(run);
    run.fact(fact).fact(fact);
    expect(run.phases()).toEqual({ a: "backoff", b: "merged" });
    expect(run.state.landing).toEqual({ kind: "none" });
  });

  test("is not given to an agent when a person asked to land", () => {
    const run = merged();
    run.fact({ type: "landing.asked" }).fact(refused(run));
    expect(run.state.landing).toMatchObject({ kind: "refused" });
    expect(run.phases()).toEqual({ a: "merged", b: "merged" });
  });
});
