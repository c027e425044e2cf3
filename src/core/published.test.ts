import { expect, test } from "vitest";
import { oidOf, taskId } from "../../test/support/plans.ts";
import { revision, Scenario } from "../../test/support/scenario.ts";
import { assumePublished, type PullRequest } from "./proposal.ts";
import { findTaskCommit } from "./select/task-rows.ts";

const [a, b] = [taskId("a"), taskId("b")];

/** Two tasks with a pull request each: their commits are those of the stacks, not of the line that holds both. */
function stacked(): Scenario {
  const run = new Scenario([{ id: "a" }, { id: "b" }], { policy: { publish: "pull-request-per-task" } });
  run.work("a/1").merge().work("b/1").merge();
  const steps = (name: string) =>
    [a, b].map((task) => ({ task, on: null, result: revision(`${name} ${task}`) }));
  return run.fact({
    ...{ type: "landing.built", tip: run.state.tip.commit, onto: oidOf("base"), result: revision("line b") },
    ...{ line: steps("line"), stacks: steps("stack") },
  });
}

const pulls = (...tasks: readonly (typeof a)[]): PullRequest[] =>
  tasks.map((task) => ({ task, branch: `plait/run-1-${task}`, base: "main", url: `https://x/${task}` }));

function publish(run: Scenario): Scenario {
  const to = { remote: "origin", branch: "plait/run-1-b", url: "https://x/b", pullRequests: pulls(a, b) };
  const { commit } = revision("line b");
  return run.fact({ type: "run.published", tip: run.state.tip.commit, commit, ...to });
}

test("a task has the commit of the integration branch until its pull request is open, then the one on its branch", () => {
  const run = stacked();
  const merged = findTaskCommit(run.state, a);
  expect(merged).not.toBe(revision("stack a").commit);
  expect(findTaskCommit(assumePublished(run.state), a)).toBe(revision("stack a").commit);
  publish(run);
  expect([a, b].map((task) => findTaskCommit(run.state, task))).toEqual(
    [a, b].map((task) => revision(`stack ${task}`).commit),
  );
  run.finish().ask({ kind: "land", publish: "no" });
  expect(findTaskCommit(run.state, a)).toBe(revision("stack a").commit);
  run.land();
  expect(findTaskCommit(run.state, a)).toBe(merged);
});

test("branches that were pushed are remembered, also where a later one was refused", () => {
  const tip = (run: Scenario) => run.state.tip.commit;
  const run = stacked();
  const [first] = pulls(a);
  const pushed = [{ branch: first?.branch ?? "", commit: revision("stack a").commit }];
  run.fact({ type: "publishing.refused", tip: tip(run), detail: "not pushed", pushed });
  expect([...run.state.pushed]).toEqual([["plait/run-1-a", revision("stack a").commit]]);
  const all = publish(stacked());
  all.finish().ask({ kind: "land", publish: "pull-request-per-task" });
  expect(all.state.published.kind).toBe("no");
  expect(all.state.pushed.get("plait/run-1-b")).toBe(revision("stack b").commit);
});

test("a landing while a pull request is open says which of both is meant", () => {
  const run = publish(stacked()).finish();
  expect(run.refusal({ kind: "land" })).toBe(
    "2 pull requests are open, the first is https://x/a into main; update them: plait land run-1 --pr-per-task, or land on main instead: plait land run-1 --no-pr",
  );
  expect(run.refusal({ kind: "land", as: "squash" })).toContain("--no-pr");
  expect(run.refusal({ kind: "land", reviewers: ["ada"] })).toBeNull();
  expect(run.refusal({ kind: "land", publish: "no" })).toBeNull();
});
