import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Adapter, Conclusion, Ending, Reading } from "./adapter.ts";
import { claude } from "./claude/adapter.ts";
import { codex } from "./codex/adapter.ts";
import { demoAdapter } from "./demo/adapter.ts";
import type { AgentEvent } from "./event.ts";

/**
 * `fixtures/<name>.ndjson` is what a program printed, `<name>.json` how it ended and what is made of both. UPDATE=1 writes the
 * events and the conclusion anew; the ending is written by hand.
 */
type Expected = { ending: Ending; events: readonly AgentEvent[]; conclusion: Conclusion };

const { UPDATE } = process.env;

describe.each([claude, codex, demoAdapter(["demo"])])("what $title prints", (adapter) => {
  const folder = fileURLToPath(new URL(`./${adapter.name}/fixtures/`, import.meta.url));
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(".ndjson"))
    .map((name) => name.slice(0, -".ndjson".length));

  test("is recorded", () => expect(names.length).toBeGreaterThan(0));

  test.each(names)("%s", (name) => {
    const lines = readFileSync(`${folder}${name}.ndjson`, "utf8").split("\n").slice(0, -1);
    const file = `${folder}${name}.json`;
    const expected = JSON.parse(readFileSync(file, "utf8")) as Expected;
    const actual = follow(adapter, lines, expected.ending);
    if (UPDATE === "1") writeFileSync(file, pageOf({ ending: expected.ending, ...actual }));
    else expect(actual).toEqual({ events: expected.events, conclusion: expected.conclusion });
  });
});

function follow(adapter: Adapter, lines: readonly string[], ending: Ending): Omit<Expected, "ending"> {
  const events: AgentEvent[] = [];
  let reading: Reading = adapter.reader("/worktrees/cart");
  for (const line of lines) {
    const read = reading.read(line);
    events.push(...read.events);
    reading = read.next;
  }
  return { events, conclusion: reading.conclude(ending) };
}

/** One line an event, so that a difference shows what changed. */
function pageOf({ ending, events, conclusion }: Expected): string {
  const list = events.map((event) => `\n    ${JSON.stringify(event)}`).join(",");
  const lines = [`"ending": ${JSON.stringify(ending)}`, `"events": [${list}\n  ]`];
  return `{\n  ${[...lines, `"conclusion": ${JSON.stringify(conclusion)}`].join(",\n  ")}\n}\n`;
}
