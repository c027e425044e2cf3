import { describe, expect, test } from "vitest";
import { BESIDE, night, reportOf, unit } from "../../test/support/night.ts";
import { Scenario } from "../../test/support/scenario.ts";
import { type Element, parseXml } from "../../test/support/xml.ts";
import type { AttemptId } from "../core/ids.ts";
import { junitReport } from "./junit.ts";
import type { RunReport } from "./model.ts";

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
  const { tests, failures, skipped, time, timestamp } = suite.attributes;
  const having = (child: string) =>
    cases.filter(({ children }) => children.some(({ name }) => name === child)).length;
  expect([tests, failures, skipped].map(Number)).toEqual([
    cases.length,
    having("failure"),
    having("skipped"),
  ]);
  expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  expect(time).toMatch(/^\d+\.\d{3}$/);
  const names = cases.map(({ attributes: { classname, name } }) => `${classname} ${name}`);
  expect(new Set(names).size).toBe(names.length);
  return { suite, of: (name) => cases[names.indexOf(name)] };
}

describe("the report as JUnit", () => {
  const { suite, of } = read(reportOf(night(), { beside: BESIDE }));

  test("has a failure for each task that failed, with its reason and the end of what it printed", () => {
    expect(of("test big")?.children).toMatchObject([
      { name: "failure", attributes: { message: "agent crashed: exit code 1", type: "crash" } },
    ]);
    expect(of("test big")?.children[0]?.text).toContain("boom\nat line 3");
    expect(of("test ship")?.children).toMatchObject([
      { name: "skipped", attributes: { message: "skipped: needs mail" } },
    ]);
    expect(of("test pay")?.children).toMatchObject([{ name: "skipped" }]);
  });

  test("has each gate of each task once: red and then mended is green, and says so", () => {
    expect(of("test.api npm test, on its own tree")?.children).toMatchObject([
      { name: "system-out", text: expect.stringMatching(/^attempt 1: red.*\nattempt 2: green/) },
    ]);
    expect(of("test.api npm test, merged with others")?.children).toEqual([]);
  });

  test("fails where the run is not complete, and says what the run is", () => {
    expect(of("test the run")?.children).toMatchObject([{ name: "failure", attributes: { type: "held" } }]);
    const properties = suite.children[0]?.children.map(({ attributes: { name, value } }) => [name, value]);
    expect(Object.fromEntries(properties ?? [])).toMatchObject({
      "plait.run": "run-1",
      "plait.outcome": "held",
      "plait.cost-usd": "at least 1.68",
      "plait.exit-code": "1",
    });
  });

  test("has no failure where the run is complete (I1), nor before its end; one that was cut off is no good one", () => {
    const run = new Scenario([{ id: "a", fixRounds: 1 }], { plan: { gates: [unit] } });
    run.work("a/1").judge(unit, "work a/1", "red").work("a/2").judge(unit, "work a/2");
    expect(read(reportOf(run, { isDriven: true })).suite.attributes).toMatchObject({ failures: "0" });
    expect(read(reportOf(run)).of("test the run")?.children).toMatchObject([
      { name: "failure", attributes: { type: "cut-off" } },
    ]);
    run.build().judge(unit, "merge a/1 a/2").judge(unit, "merge a/2").advance().land().finish();
    expect(read(reportOf(run)).suite.attributes).toMatchObject({ failures: "0", skipped: "0" });
  });

  test("has the gate that is red before anything was done", () => {
    const run = new Scenario([{ id: "a" }], { plan: { gates: [unit] }, base: "unjudged" });
    const red = read(reportOf(run.judge(unit, "base", "red").finish()));
    expect(red.of("test.base npm test, on the base")?.children).toMatchObject([{ name: "failure" }]);
  });

  test("can be read whatever a program printed", () => {
    const hostile = `]]> <![CDATA[ &amp; \u0000\u0001\u001b[31m\ud800 \udfff \ufffe\uffff </failure>\r\n\u2028"'`;
    const run = new Scenario([{ id: "a", title: hostile, retries: 0 }], { plan: { name: hostile } });
    run.start("a/1").end("a/1", { reason: "agent-said-no", detail: hostile }).save("a/1").finish();
    const outputs = new Map([["a/1" as AttemptId, hostile]]);
    const { suite: odd } = read(reportOf(run, { beside: { outputs } }));
    const { name } = odd.attributes;
    expect(name).toContain("]]> <![CDATA[ &amp; <U+0000>");
    expect(odd.children.at(-3)?.children[0]?.text).toContain("</failure>");
  });
});
