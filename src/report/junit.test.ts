import { describe, expect, test } from "vitest";
import { BESIDE, morning, night, reportOf, unit } from "../../test/support/night.ts";
import { Scenario } from "../../test/support/scenario.ts";
import { type Element, parseXml } from "../../test/support/xml.ts";
import type { AttemptId, TaskId } from "../core/ids.ts";
import { junitReport } from "./junit.ts";
import type { GateVerdict, RunReport, TaskReport } from "./model.ts";

type Rule = {
  readonly needs?: readonly string[];
  readonly may?: readonly string[];
  /** Elements in it, in this order. */
  readonly holds?: readonly string[];
};

/** What the schemas of JUnit that are about have in common, and what the strictest of them asks for. */
const FIGURES = ["name", "tests", "failures", "errors", "skipped", "time"];
const RULES: Readonly<Record<string, Rule>> = {
  testsuites: { needs: FIGURES, holds: ["testsuite"] },
  testsuite: {
    needs: [...FIGURES, "timestamp", "hostname", "package", "id"],
    holds: ["properties", "testcase", "system-out", "system-err"],
  },
  properties: { holds: ["property"] },
  property: { needs: ["name", "value"] },
  testcase: { needs: ["name", "classname", "time"], holds: ["skipped", "failure", "system-out"] },
  skipped: { may: ["message"] },
  failure: { needs: ["message", "type"] },
  "system-out": {},
  "system-err": {},
};

function check({ name, attributes, children }: Element): void {
  const { needs = [], may = [], holds = [] } = RULES[name] ?? { holds: ["unknown element"] };
  expect({ name, has: Object.keys(attributes).sort() }).toEqual({
    name,
    has: [...needs, ...may.filter((one) => one in attributes)].sort(),
  });
  const places = children.map((child) => holds.indexOf(child.name));
  expect({ name, places }).toEqual({ name, places: [...places].sort((a, b) => a - b) });
  expect(places).not.toContain(-1);
  for (const child of children) check(child);
}

/** Read back and held to the rules. */
function read(report: RunReport): { suite: Element; of: (name: string) => Element | undefined } {
  const document = parseXml(junitReport(report));
  check(document);
  const suite = document.children[0] as Element;
  const cases = suite.children.filter(({ name }) => name === "testcase");
  const { tests, failures, errors, skipped, timestamp } = suite.attributes;
  const having = (child: string) =>
    cases.filter(({ children }) => children.some(({ name }) => name === child)).length;
  expect([tests, failures, errors, skipped].map(Number)).toEqual([
    cases.length,
    having("failure"),
    0,
    having("skipped"),
  ]);
  expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  for (const { attributes } of [suite, ...cases]) expect(attributes["time"]).toMatch(/^\d+\.\d{3}$/);
  const names = cases.map(({ attributes: { classname, name } }) => `${classname} ${name}`);
  expect(new Set(names).size).toBe(names.length);
  return { suite, of: (name) => cases[names.indexOf(name)] };
}

const propertiesOf = ({ children: [all] }: Element): Readonly<Record<string, string>> =>
  Object.fromEntries((all?.children ?? []).map(({ attributes: { name, value } }) => [name, value]));

/** What stands in a case: how it came out, its message and its text. */
function toldIn(found: Element | undefined): (string | undefined)[] {
  const child = found?.children[0];
  return child === undefined ? [] : [child.name, child.attributes["message"], child.text];
}

const red: GateVerdict = {
  ...{
    name: "lint",
    on: "work",
    verdict: "red",
    how: "ran",
    runs: 1,
    durationMs: 1_500,
    summary: "exit code 2",
  },
};
const green: GateVerdict = { ...red, verdict: "green", summary: "exit code 0" };

describe("the report as JUnit", () => {
  const report = reportOf(night(), { beside: BESIDE });
  const { suite, of } = read(report);

  /** The same night with one task otherwise. */
  function having(name: string, change: (task: TaskReport) => Partial<TaskReport>): typeof of {
    const tasks = report.tasks.map((task) => (task.task === name ? { ...task, ...change(task) } : task));
    return read({ ...report, tasks }).of;
  }

  test("has the run, each task and each gate, with times, attempts and reasons", async () => {
    await expect(junitReport(report)).toMatchFileSnapshot("pictures/night.junit.xml");
  });

  test("tells why by the last attempt, and by its last words where nothing else was printed", () => {
    const odd = having("api", ({ attempts }) => ({
      ...{ status: "failed", note: "timed out", message: "I gave up" },
      attempts: attempts.map((one, n) => ({
        ...one,
        failure: { reason: n === 0 ? "gate" : "timeout", text: `${n}` },
      })),
    }));
    expect(odd("test api")?.children).toMatchObject([{ attributes: { type: "timeout" } }]);
    expect(toldIn(odd("test api"))[2]).toMatch(
      /^attempt #1, .*: 0\nattempt #2, fix 1 of \d, .*: 1\nI gave up$/,
    );
    const live = having("big", ({ attempts }) => ({
      attempts: attempts.map((one) => ({ ...one, endedAt: null })),
    }));
    expect(toldIn(live("test big"))[2]).toMatch(/^attempt #1, .*: running\n/);
  });

  test("fails a gate with what it printed where it is why the task failed; work that was taken fails nothing", () => {
    const judged =
      (status: TaskReport["status"], reason: "gate" | "crash") =>
      ({ attempts }: TaskReport): Partial<TaskReport> => ({
        ...{ status, output: "1 problem" },
        attempts: attempts.map((one) => ({ ...one, gates: [red, red], failure: { reason, text: "" } })),
      });
    const name = "test.big lint, on its own tree";
    const lines = "attempt #1: red, 0:01: exit code 2\nattempt #1: red, 0:01: exit code 2";
    const failed = having("big", judged("failed", "gate"))(name);
    expect(toldIn(failed)).toEqual(["failure", "exit code 2", `${lines}\n1 problem`]);
    expect(failed?.attributes["time"]).toBe("3.000");
    expect(toldIn(having("big", judged("failed", "crash"))(name))).toEqual(["failure", "exit code 2", lines]);
    for (const state of ["merged", "passed"] as const)
      expect(toldIn(having("big", judged(state, "gate"))(name)).slice(0, 2)).toEqual([
        "skipped",
        "red, 0:01: exit code 2; merged without it",
      ]);
  });

  test("counts the last of the gates of the landing, and no gate that was red on the base of a run that went on", () => {
    const landing = (...landingGates: GateVerdict[]) =>
      toldIn(read({ ...report, landingGates }).of("test.landing lint, on the merged result"));
    expect(landing(green, red)).toEqual(["failure", "exit code 2", "red, 0:01: exit code 2"]);
    expect(landing(red, green)).toEqual([]);
    expect(landing({ ...green, runs: 2 })).toEqual([
      "system-out",
      undefined,
      "green on a retry (flaky), 0:01",
    ]);
    const { of: known } = read({ ...report, baseGates: [red] });
    expect(toldIn(known("test.base lint, on the base commit")).slice(0, 2)).toEqual([
      "skipped",
      "red, 0:01: exit code 2; accepted as known red",
    ]);
  });

  test("tells of work that a person handed in, of a landing, and of what is worth knowing", () => {
    const { suite: landed, of: found } = read({ ...reportOf(morning()), remarks: ["A <b> & c"] });
    expect(toldIn(found("test a"))[2]).toMatch(/^attempt #1, 0:40: .*\nattempt #2, by a person: green$/);
    expect(toldIn(found("test the run"))).toEqual(["system-out", undefined, "A <b> & c"]);
    expect(landed.attributes).toMatchObject({ failures: "0", skipped: "0" });
    expect(propertiesOf(landed)).toMatchObject({
      "plait.status": "landed",
      "plait.landed": expect.stringMatching(/^[0-9a-f]{40}$/),
    });
  });

  test("has a failure for each task that failed, with its reason and the end of what it printed", () => {
    expect(of("test big")?.children).toMatchObject([
      { name: "failure", attributes: { message: "agent crashed: exit code 1", type: "crash" } },
    ]);
    expect(of("test big")?.children[0]?.text).toContain("boom\nat line 3");
    expect(of("test ship")?.children).toMatchObject([
      { name: "skipped", attributes: { message: "skipped: mail failed" } },
    ]);
    expect(of("test pay")?.children).toMatchObject([{ name: "skipped" }]);
  });

  test("has each gate of each task once: red and then mended is green, and says so", () => {
    expect(of("test.api npm test, on its own tree")?.children).toMatchObject([
      { name: "system-out", text: expect.stringMatching(/^attempt #1: red.*\nattempt #2: green/) },
    ]);
    expect(of("test.api npm test, on the merged tree")?.children).toEqual([]);
  });

  test("fails where the run is not complete, and says what the run is", () => {
    expect(of("test the run")?.children).toMatchObject([
      { name: "failure", attributes: { type: "not-landed" } },
    ]);
    expect(propertiesOf(suite)).toMatchObject({
      "plait.run": "run-1",
      "plait.status": "not landed",
      "plait.cost-usd": "at least 1.68",
      "plait.exit-code": "1",
    });
  });

  test("has no failure where the run is complete (I1), nor before its end; one that was cut off is no good one", () => {
    const run = new Scenario([{ id: "a", fixRounds: 1 }], { plan: { gates: [unit] } });
    run.work("a/1").judge(unit, "work a/1", "red").work("a/2").judge(unit, "work a/2");
    const live = read(reportOf(run, { isRunning: true })).suite;
    expect(live.attributes).toMatchObject({ failures: "0" });
    expect(propertiesOf(live)).toMatchObject({ "plait.status": "running" });
    expect(propertiesOf(read(reportOf(run)).suite)).toMatchObject({ "plait.status": "interrupted" });
    expect(read(reportOf(run)).of("test the run")?.children).toMatchObject([
      { name: "failure", attributes: { type: "interrupted" } },
    ]);
    run.build().judge(unit, "merge a/1 a/2").judge(unit, "merge a/2").advance().land().finish();
    expect(read(reportOf(run)).suite.attributes).toMatchObject({ failures: "0", skipped: "0" });
  });

  test("has the gate that is red before anything was done", () => {
    const run = new Scenario([{ id: "a" }], { plan: { gates: [unit] }, base: "unjudged" });
    const red = read(reportOf(run.judge(unit, "base", "red").finish()));
    expect(red.of("test.base npm test, on the base commit")?.children).toMatchObject([{ name: "failure" }]);
  });

  test("can be read whatever a program printed", () => {
    const hostile = `]]> <![CDATA[ &amp; \u0000\u0001\u001b[31m\ud800 \udfff \ufffe\uffff </failure>\r\n\u2028"'`;
    const run = new Scenario([{ id: "a", title: hostile, retries: 0 }], { plan: { name: hostile } });
    run.start("a/1").end("a/1", { reason: "agent-said-no", detail: hostile }).save("a/1").finish();
    const outputs = new Map([["a/1" as AttemptId, hostile]]);
    const told = reportOf(run, { beside: { outputs } });
    const task = told.tasks[0] as TaskReport;
    const skipped = { ...task, task: "b" as TaskId, status: "skipped", note: hostile } as const;
    const { suite: odd } = read({
      ...{ ...told, text: hostile, leftOut: [hostile], tasks: [task, skipped] },
      baseGates: [{ ...red, how: "no-new-failures", verdict: "green", name: hostile, durationMs: -5 }],
    });
    const { name } = odd.attributes;
    expect(name).toContain("]]> <![CDATA[ &amp; <U+0000>");
    expect(odd.children.at(-4)?.children[0]?.text).toContain("</failure>");
    expect(odd.children.at(-1)?.text).toContain("]]> <![CDATA[");
  });
});
