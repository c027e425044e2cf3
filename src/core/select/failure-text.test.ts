import { describe, expect, test } from "vitest";
import { taskId } from "../../../test/support/plans.ts";
import { type AttemptFailure, FAILURE_RULES } from "../failure.ts";
import { failureText, failureWord, limitText, shortFailure } from "./failure-text.ts";

const limits = { startMs: 60_000, idleMs: 300_000, totalMs: 2_700_000 };
const text = (failure: AttemptFailure) => failureText(failure, limits);

test.each<[AttemptFailure, string]>([
  [
    { reason: "gate", gate: "test:tax", on: "attempt", detail: "gate test:tax is red: 2 of 41 tests" },
    "gate test:tax red, 2 of 41 tests",
  ],
  [{ reason: "gate", gate: "x", on: "merge", detail: "" }, "gate x red on the merged tree"],
  [{ reason: "timeout", clock: "idle", detail: "" }, "no output for 5:00"],
  [{ reason: "timeout", clock: "start", detail: "" }, "no sign of life for 1:00"],
  [{ reason: "timeout", clock: "total", detail: "" }, "not done after 45:00"],
  [
    { reason: "conflict", with: [taskId("pay")], paths: ["a", "b", "c", "d"], detail: "" },
    "conflict with pay in a, b, +2",
  ],
  [{ reason: "conflict", with: [], paths: [], detail: "" }, "conflict"],
  [{ reason: "agent-error", detail: "exit code 1: no" }, "exit code 1: no"],
  [{ reason: "agent-error", detail: "it gave up" }, "agent error: it gave up"],
  [{ reason: "auth", detail: "Not logged in. Run /login" }, "Not logged in. Run /login"],
  [{ reason: "nothing-done", detail: "it ended without a change" }, "it ended without a change"],
  [{ reason: "cancelled", because: "fail-fast", detail: "x" }, "stopped, another task failed"],
  [{ reason: "usage-limit", resetsAt: null, detail: "" }, "usage limit"],
])("says what happened: %o", (failure, says) => {
  expect(text(failure)).toBe(says);
});

test("changes outside of claims are named by their paths", () => {
  const finding = { path: "src/x.ts", detail: "", blocks: true };
  const outside = {
    reason: "ownership",
    findings: [{ ...finding, kind: "outside-claims" }],
    detail: "",
  } as const;
  const guarded = {
    reason: "ownership",
    findings: [
      { ...finding, kind: "guarded" },
      { ...finding, kind: "guarded" },
    ],
    detail: "",
  } as const;
  const beyond = { reason: "ownership", findings: [{ ...finding, kind: "boundary" }], detail: "" } as const;
  expect(text(outside)).toBe("changed src/x.ts, outside its claims");
  expect(text(guarded)).toBe("changed src/x.ts, without the plan's consent");
  expect(text(beyond)).toBe("changed src/x.ts, behind its boundary");
});

describe("every reason", () => {
  test("has a clause and a word", () => {
    for (const reason of Object.keys(FAILURE_RULES)) {
      const more = {
        gate: "g",
        on: "attempt",
        clock: "idle",
        with: [],
        paths: [],
        findings: [],
        because: "stop",
      };
      const failure = { reason, detail: "", ...more } as unknown as AttemptFailure;
      expect(failureText(failure), reason).toMatch(/^[a-z].*[^.]$/);
      expect(failureWord(failure), reason).toMatch(/^[a-z]{3,8}$/);
      expect(shortFailure(failure, limits), reason).toMatch(/^[a-z].{3,36}$/);
    }
  });
});

test("a limit names the agent whose account it is", () => {
  expect(limitText("gemini", "usage-limit")).toBe("gemini usage limit");
  expect(limitText(null, "auth")).toBe("account not logged in");
});
