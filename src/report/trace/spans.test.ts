import { expect, test } from "vitest";
import { ended, story } from "../../../test/support/checkout.ts";
import { unit } from "../../../test/support/night.ts";
import { Scenario } from "../../../test/support/scenario.ts";
import { otlpDocument, type TraceIds } from "./otlp.ts";
import { agentKey, fraction, type Span } from "./span.ts";
import { spansOf } from "./spans.ts";

const run = ended();
const spans = spansOf(run.facts, run.state, true);
const byKey = new Map(spans.map((span) => [span.key, span]));
const keyed = (key: string): Span => byKey.get(key) as Span;

test("every span has a key of its own, and all are below the run", () => {
  expect(byKey.size).toBe(spans.length);
  for (const span of spans) {
    const path = [span.key];
    for (let at = span; at.parent !== null; at = keyed(at.parent)) path.push(at.parent);
    expect(path.at(-1), path.join(" < ")).toBe("run");
    expect(span.to, span.key).toBeGreaterThanOrEqual(span.from);
  }
});

test("a run has its tasks, a task its attempts and merge, an attempt its agent and gates", () => {
  const below = (parent: string) => spans.filter((span) => span.parent === parent).map(({ name }) => name);
  expect(below("run").filter((name) => name.startsWith("task "))).toHaveLength(23); // invoices never began
  expect(below("task tax")).toEqual(["attempt #1", "attempt #2, retry 1 of 2", "attempt #3, retry 2 of 2"]);
  expect(below("attempt tax/3")).toEqual(["invoke_agent gemini", "gate test:unit", "gate test:tax"]);
  expect(below("task payments")).toEqual(["attempt #1", "merge payments"]);
});

test("what went wrong says so, in the words that people see", () => {
  expect(keyed("run").status).toEqual({ ok: false, message: "not landed" });
  expect(keyed("task tax").status).toMatchObject({ ok: false, message: expect.stringContaining("test:tax") });
  expect(keyed("attempt promo/2").attributes["error.type"]).toBe("timeout");
  expect(keyed("task payments").status).toEqual({ ok: true });
});

test("agents are told of as the conventions for generative AI call it", () => {
  expect(keyed(agentKey("checkout-ui/1")).attributes).toMatchObject({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.provider.name": "anthropic",
    "gen_ai.agent.name": "claude",
    "gen_ai.request.model": "opus",
    "gen_ai.usage.input_tokens": expect.closeTo(2_050_000),
  });
  expect(keyed(agentKey("deps/1")).name).toBe("command");
  expect(keyed(agentKey("deps/1")).attributes).not.toHaveProperty("gen_ai.operation.name");
});

test("what is under way lasts until now, and is not judged", () => {
  const live = story();
  const now = spansOf(live.facts, live.state, true);
  const cart = now.find(({ key }) => key === "attempt cart-ui/1");
  expect(cart).toMatchObject({ to: live.state.clock, status: null });
  expect(now.find(({ key }) => key === "run")?.status).toBeNull();
});

test("a merge lasts until it is in, or until the queue lets it go: not until the run ends", () => {
  const tasks = [{ id: "a", retries: 0 }, { id: "b" }, { id: "c", retries: 0 }];
  const queue = new Scenario(tasks, { plan: { gates: [unit] }, policy: { mergeAhead: 2 } });
  for (const id of ["a", "b", "c"]) queue.work(`${id}/1`).judge(unit, `work ${id}/1`);
  queue.build().build().judge(unit, "merge a/1", "red");
  const red = queue.now;
  queue.build().judge(unit, "merge b/1").advance().conflict(["x.ts"]);
  const told = spansOf(queue.facts, queue.state, true).filter(({ name }) => name.startsWith("merge "));
  expect(told.map(({ name, to, status }) => [name, to <= red, status?.ok ?? null])).toEqual([
    ["merge a", true, false],
    ["merge b", true, null],
    ["merge b", false, true],
    ["merge c", false, false],
  ]);
  expect(new Set(told.map(({ key }) => key)).size).toBe(4);
});

test("an attempt that lost its race is no error, and says why it ended", () => {
  const race = new Scenario([{ id: "a", race: 2 }]);
  race.start("a/1").start("a/2").end("a/1").save("a/1");
  race.end("a/2", { reason: "cancelled", because: "superseded", detail: "" }).save("a/2");
  const lost = spansOf(race.facts, race.state, true).filter(({ key }) => key.includes("a/2"));
  expect(lost.map(({ status }) => status)).toEqual([null, null]);
  expect(lost[0]?.attributes).toMatchObject({ "plait.attempt.called_off": "superseded", "error.type": null });
});

const ids: TraceIds = {
  trace: "0af7651916cd43dd8448eb211c80319c",
  span: (key) => key.length.toString(16).padStart(16, "0"),
  parent: "b7ad6b7169203331",
};

test("in OTLP whole numbers are texts, unknown values are left out, and the run hangs below who started it", () => {
  const some: Span[] = [
    {
      key: "run",
      parent: null,
      name: "a",
      from: 1_000.4,
      to: 2_000,
      attributes: { n: 3, usd: fraction(2), is: true, names: ["x"], none: null },
      status: { ok: false, message: "incomplete" },
    },
    { key: "gate", parent: "not told", name: "b", from: 5, to: 5, attributes: {}, status: null },
  ];
  const [told] = otlpDocument(some, ids, { version: "1.0.0", host: "here" }).resourceSpans;
  expect(told?.scopeSpans[0]?.spans).toEqual([
    {
      traceId: ids.trace,
      spanId: ids.span("run"),
      parentSpanId: ids.parent,
      name: "a",
      kind: 1,
      startTimeUnixNano: "1000000000",
      endTimeUnixNano: "2000000000",
      attributes: [
        { key: "n", value: { intValue: "3" } },
        { key: "usd", value: { doubleValue: 2 } },
        { key: "is", value: { boolValue: true } },
        { key: "names", value: { arrayValue: { values: [{ stringValue: "x" }] } } },
      ],
      status: { code: 2, message: "incomplete" },
    },
    expect.objectContaining({ parentSpanId: ids.span("run"), status: {} }),
  ]);
});
