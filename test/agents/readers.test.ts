import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Adapter, Conclusion, Ending, Reading } from "../../src/agents/adapter.ts";
import { claude } from "../../src/agents/claude/adapter.ts";
import { codex } from "../../src/agents/codex/adapter.ts";
import { commandAdapter } from "../../src/agents/command/adapter.ts";
import { demoAdapter } from "../../src/agents/demo/adapter.ts";
import type { AgentEvent } from "../../src/agents/event.ts";
import { anyCharacter } from "../support/any-character.ts";

// Agents are strangers: whatever they print, reading it never throws, and what is kept of it stays small (I10).

const command = commandAdapter({
  name: "mine",
  title: null,
  argv: ["x"],
  readOnlyArgs: null,
  env: {},
  versionArgv: null,
  account: null,
  exits: {},
});
const adapters: readonly Adapter[] = [claude, codex, demoAdapter(["demo"]), command];

const recorded = ["claude", "codex", "demo"].flatMap((name) => {
  const folder = fileURLToPath(new URL(`../../src/agents/${name}/fixtures/`, import.meta.url));
  return readdirSync(folder)
    .filter((file) => file.endsWith(".ndjson"))
    .flatMap((file) => readFileSync(`${folder}${file}`, "utf8").split("\n"))
    .filter((line) => line !== "");
});

/** Keys of the protocols with values of any kind, also where objects and lists are expected. */
const keys = [
  ...new Set(recorded.flatMap((line) => [...line.matchAll(/"(\w+)":/g)].map(([, key]) => key as string))),
];
const words = fc.constantFrom(
  "system",
  "init",
  "assistant",
  "user",
  "result",
  "success",
  "text",
  "tool_use",
  "rejected",
  "item.started",
  "item.completed",
  "turn.failed",
  "command_execution",
);
const anyValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    words,
    fc.jsonValue(),
    fc.constantFrom(Number.MAX_VALUE, -1, 1e21, null, true, "\ud800", "__proto__"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...keys), tie("value"), { maxKeys: 6 }),
  ),
})).value;
const event = fc
  .tuple(fc.dictionary(fc.constantFrom(...keys), anyValue, { maxKeys: 8 }), words, words)
  .map(([object, type, subtype]) => JSON.stringify({ ...object, type, subtype }));

const cutLine = fc
  .tuple(fc.constantFrom(...recorded), fc.nat(), fc.nat(), fc.string())
  .map(([line, from, to, noise]) => line.slice(0, from % line.length) + noise + line.slice(to % line.length));

const line = fc.oneof(event, cutLine, fc.string({ unit: anyCharacter }), fc.constantFrom(...recorded));

const amount = fc.option(fc.nat());
const ending: fc.Arbitrary<Ending> = fc.record({
  code: fc.option(fc.nat({ max: 255 })),
  signal: fc.option(fc.constantFrom("SIGTERM", "SIGKILL")),
  stderr: fc.string(),
  at: fc.integer({ min: 0, max: 4e12 }),
  zone: fc.constantFrom("UTC", "Asia/Kolkata", "Nowhere"),
  endedBy: fc.constantFrom(null, { reason: "timeout", clock: "idle" }),
  before: fc.option(fc.record({ costUsd: amount, inputTokens: amount, outputTokens: amount })),
  access: fc.constantFrom("write", "read-only"),
  gated: fc.boolean(),
});

function follow(
  adapter: Adapter,
  lines: readonly string[],
  end: Ending,
): { events: AgentEvent[]; conclusion: Conclusion } {
  const events: AgentEvent[] = [];
  let reading: Reading = adapter.reader();
  for (const one of lines) {
    const read = reading.read(one);
    events.push(...read.events);
    reading = read.next;
  }
  return { events, conclusion: reading.conclude(end) };
}

describe.each(adapters)("what $name prints", (adapter) => {
  test("may be anything", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), ending, (lines, end) => {
        const { events, conclusion } = follow(adapter, lines, end);
        expect(JSON.parse(JSON.stringify({ events, conclusion }))).toEqual({ events, conclusion });
        for (const { costUsd, inputTokens, outputTokens } of [conclusion.usage]) {
          for (const amount of [costUsd, inputTokens, outputTokens])
            expect(amount ?? 0).toBeGreaterThanOrEqual(0);
        }
        if (conclusion.failure !== null) expect(conclusion.failure.detail).toMatch(/^[^\n]{1,400}$/);
        if (conclusion.conversation !== null && (adapter === claude || adapter === codex))
          expect(conclusion.conversation).toMatch(/^\w[\w-]*$/);
      }),
      { numRuns: 300 },
    );
  });

  test("may be huge", () => {
    const huge = "long ".repeat(400_000);
    const texts = [
      huge,
      JSON.stringify({ type: "text", text: huge }),
      JSON.stringify({ type: "denied", tool: huge }),
    ];
    const block = (content: object) => JSON.stringify({ type: "assistant", message: { content: [content] } });
    const blocks = [
      block({ type: "text", text: huge }),
      block({ type: "tool_use", id: huge, name: huge, input: { command: huge } }),
      JSON.stringify({ type: "result", subtype: huge, is_error: true, result: huge, errors: [huge] }),
      JSON.stringify({ type: "result", subtype: huge, is_error: true }),
      JSON.stringify({ type: "result", ok: false, text: huge, failure: { reason: huge, detail: huge } }),
    ];
    const end = {
      code: 1,
      signal: null,
      stderr: huge,
      at: 0,
      zone: "UTC",
      endedBy: null,
      before: null,
      access: "write",
      gated: false,
    } as const;
    const starts = [
      JSON.stringify({ type: "started", conversation: huge, model: huge }),
      JSON.stringify({ type: "thread.started", thread_id: huge }),
      JSON.stringify({ type: "system", subtype: "init", session_id: huge, model: huge, cwd: huge }),
    ];
    const { events, conclusion } = follow(adapter, [...starts, ...texts, ...blocks], end);
    expect(Math.max(...events.map((one) => JSON.stringify(one).length))).toBeLessThan(4_200);
    expect(JSON.stringify(conclusion).length).toBeLessThan(201_000);
  });
});

test("a conversation that could be taken for an option is none", () => {
  const lines = ["--dangerously", "a b", "", "x".repeat(200)].map((id) =>
    JSON.stringify({ type: "system", subtype: "init", session_id: id }),
  );
  const end = {
    code: 0,
    signal: null,
    stderr: "",
    at: 0,
    zone: "UTC",
    endedBy: null,
    before: null,
    access: "write",
    gated: false,
  } as const;
  expect(follow(claude, lines, end).conclusion.conversation).toBeNull();
});
