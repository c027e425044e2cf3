import { expect, test } from "vitest";
import { agentWork, planOf, taskId } from "../../../../test/support/plans.ts";
import { Scenario } from "../../../../test/support/scenario.ts";
import type { PathPattern } from "../../../core/ownership/pattern.ts";
import type { IntegrationFinding } from "../../../spec/integrate/finding.ts";
import type { IntegrationReport } from "../../../spec/integrate/report.ts";
import type { KnownRun } from "../../runs.ts";
import type { Subject } from "../subject.ts";
import { assignFindings, buildFixRun } from "./assign-findings.ts";

const created = { pattern: "src/a.ts" as PathPattern, symbol: null, mode: "create" } as const;
const sketches = [
  { id: "a", owns: [created] },
  { id: "b", needs: ["a"] },
  { id: "looks", access: "read-only" as const },
  { id: "builds", work: { kind: "command" as const, run: { kind: "shell" as const, line: "make" } } },
  { id: "open" },
];
const plan = planOf(sketches);

const finding = (task: string | null, weight: IntegrationFinding["weight"] = "must"): IntegrationFinding => ({
  ...{ area: "types", code: "field-missing", about: "Product", at: null, commit: null },
  ...{ weight, task, message: "lacks `price`", fix: "Add `price`" },
});

function assign(runs: readonly KnownRun[], ...findings: IntegrationFinding[]) {
  const subject = { plan, run: runs[0] ?? null, runs: { runs, has: () => true } };
  const status = (id: string) => (id === "open" ? "not-merged" : "merged");
  const tasks = plan.tasks.map(({ id: task }) => ({ task, status: status(task) }));
  const report = { findings, tasks, judged: { commit: "0123456789abcdef" } };
  const { sent, left } = assignFindings(
    subject as unknown as Subject,
    report as unknown as IntegrationReport,
  );
  return { sent, left: left.map(({ reason }) => reason) };
}

const merged = (...ids: string[]) =>
  ids.reduce((run, id) => run.work(`${id}/1`).merge(), new Scenario(sketches.slice(0, 2))).state;
const known = (run: string, state: KnownRun["state"]) => ({ run, state }) as unknown as KnownRun;

test("a finding goes to its task, in the latest run that has merged it; the others are told why not", () => {
  const runs = [known("new-0001", merged("a")), known("old-0001", merged("a", "b"))];
  const { sent, left } = assign(
    runs,
    ...[finding("b"), finding("a"), finding("b"), finding("a", "should")],
    ...[finding(null), finding("looks"), finding("builds"), finding("open")],
  );
  expect(sent.map(({ task, run, findings }) => [task.id, run?.run, findings.length])).toEqual([
    ["a", "new-0001", 1],
    ["b", "old-0001", 2],
  ]);
  expect(left).toEqual([
    "no single task owns it",
    "looks is read-only",
    "builds is a command, not an agent",
    "open is not merged",
  ]);
});

test("a task that continues has the agent that its run gave it, whatever the plan says now", () => {
  const demo = { ...agentWork, agent: { ...agentWork.agent, use: "demo" } };
  const { state } = new Scenario([{ id: "a", work: demo }]).work("a/1").merge();
  const { sent } = assign([known("demo-0001", state)], finding("a"), finding("b"));
  const agents = sent.map(({ task }) => task.work.kind === "agent" && task.work.agent.use);
  expect(agents).toEqual(["demo", agentWork.agent.use]);
});

test("a task whose last fix changed nothing is asked again", () => {
  const run = new Scenario([{ id: "a", allowEmpty: true }]).work("a/1").merge().land().finish();
  run.ask({ kind: "redo", tasks: [{ task: taskId("a"), brief: agentWork.prompt.hash }], onto: null });
  run.start("a/2").end("a/2").save("a/2", { changed: false });
  expect(assign([known("new-0001", run.finish().state)], finding("a")).sent).toHaveLength(1);
});

test("what a run has otherwise than merged is a person's; what no run knows starts anew", () => {
  const under = new Scenario(sketches.slice(0, 2)).start("a/1").state;
  expect(assign([known("new-0001", under)], finding("a")).left).toEqual(["a is running in run-1"]);
  const { sent } = assign([], finding("a"), finding("b"));
  expect(sent.map(({ run }) => run)).toEqual([null, null]);
  const texts = new Map([[agentWork.prompt.hash, "Write it.\n"]]);
  const [only, ...others] = buildFixRun({ plan, texts }, sent.slice(1)).plan.tasks;
  expect([only?.needs, others]).toEqual([[], []]);
  const built = buildFixRun({ plan, texts }, sent);
  const [a, b] = built.plan.tasks;
  expect(b?.needs).toEqual(["a"]);
  expect(a?.owns).toEqual([{ ...created, mode: "any" }]);
  const prompt = a?.work.kind === "agent" ? built.texts.get(a.work.prompt.hash) : undefined;
  expect(prompt).toMatch(/^Write it\.\n\n## Fix your merged work\n/);
});
