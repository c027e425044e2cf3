import { describe, expect, it } from "vitest";
import { parseCommand } from "../../src/engines/local/protocol-command.ts";

const good = [
  { kind: "stop", mode: "drain" },
  { kind: "stop", mode: "kill", signal: "SIGINT" },
  { kind: "pause" },
  { kind: "unpause" },
  { kind: "resize", slots: 12 },
  { kind: "keep-worktrees" },
  { kind: "land" },
  {
    kind: "land",
    as: "squash",
    publish: "pull-request",
    draft: true,
    reviewers: ["ada"],
    target: "refs/heads/x",
  },
  { kind: "cancel", task: "a.b-c_1" },
  { kind: "retry", task: "a" },
  { kind: "hold", task: "a", why: "look at this\nfirst" },
  { kind: "approve", task: "a" },
  { kind: "open", task: "a" },
  { kind: "accept", task: "a" },
  { kind: "undo" },
];

describe("a command from another process", () => {
  it.each(good.map((command) => [JSON.stringify(command), command]))("is taken: %s", (text, command) => {
    const parsed = parseCommand(JSON.parse(text as string));
    expect(parsed).toEqual({ ok: true, command });
  });

  it.each([
    ["null", /must be an object/],
    ["[]", /must be an object/],
    ['"pause"', /must be an object/],
    ["{}", /unknown command nothing; known: stop, pause/],
    ['{"kind":"explode"}', /unknown command "explode"/],
    ['{"kind":7}', /unknown command a number/],
    ['{"kind":"toString"}', /unknown command "toString"/],
    ['{"kind":"__proto__"}', /^unknown command/],
    [`{"kind":"${"x".repeat(5000)}"}`, /^unknown command "x{40}…"/],
    ['{"kind":"revise","plan":{}}', /cannot change the plan/],
    ['{"kind":"pause","now":true}', /unknown field "now" of pause/],
    ['{"kind":"pause","__proto__":{"x":1}}', /unknown field "__proto__"/],
    ['{"__proto__":{"kind":"pause"}}', /unknown command nothing/],
    ['{"kind":"stop"}', /needs the field "mode"/],
    ['{"kind":"stop","mode":"hasOwnProperty"}', /must be one of drain, stop, kill/],
    ['{"kind":"stop","mode":["stop"]}', /must be one of/],
    ['{"kind":"stop","mode":"stop","signal":null}', /must be a signal's name/],
    ['{"kind":"stop","mode":"stop","signal":"SIGINT; rm"}', /must be a signal's name/],
    ['{"kind":"resize","slots":"4"}', /must be an integer/],
    ['{"kind":"resize","slots":1.5}', /must be an integer/],
    ['{"kind":"resize","slots":1e400}', /must be an integer/],
    ['{"kind":"cancel","task":"../x"}', /"task" of cancel contains/],
    ['{"kind":"cancel","task":""}', /is empty/],
    ['{"kind":"cancel","task":{"length":1}}', /must be the id of a task/],
    ['{"kind":"hold","task":"a","why":""}', /must be a string/],
    [`{"kind":"hold","task":"a","why":"${"x".repeat(5000)}"}`, /has 5000 characters, the limit is 4096/],
    ['{"kind":"hold","task":"a","why":"x\\u0000"}', /NUL/],
    ['{"kind":"accept","task":"a","worktree":"/w"}', /unknown field "worktree"/],
  ])("is refused with the reason: %.60s", (text, reason) => {
    const parsed = parseCommand(JSON.parse(text));
    expect(parsed.ok ? "" : parsed.problem).toMatch(reason);
  });

  it("is made anew: what its object inherits or hides is not taken", () => {
    const inherits = Object.assign(Object.create({ kind: "land" }), {});
    expect(parseCommand(inherits)).toMatchObject({ ok: false });
    const given = { kind: "pause" };
    const parsed = parseCommand(given);
    expect(parsed.ok && parsed.command).toEqual(given);
    expect(parsed.ok && parsed.command).not.toBe(given);
  });
});
