import { describe, expect, test } from "vitest";
import { taskId } from "../../../test/support/plans.ts";
import { type AttemptFailure, FAILURE_RULES } from "../failure.ts";
import { plainText } from "../text/sentence.ts";
import { formatFailure, formatFailureShort, formatFailureWord, formatLimit } from "./failure-text.ts";

const limits = { startMs: 60_000, idleMs: 300_000, totalMs: 2_700_000 };
const text = (failure: AttemptFailure) => plainText(formatFailure(failure, limits));

test.each<[AttemptFailure, string]>([
  [
    { reason: "gate", gate: "test:tax", on: "attempt", summary: "2 of 41 tests", detail: "" },
    "gate test:tax red, 2 of 41 tests",
  ],
  [{ reason: "gate", gate: "x", on: "merge", summary: "", detail: "" }, "gate x red on the merged tree"],
  [{ reason: "timeout", clock: "idle", detail: "" }, "no output for 5:00"],
  [{ reason: "timeout", clock: "start", detail: "" }, "no first output for 1:00"],
  [{ reason: "timeout", clock: "total", detail: "" }, "timed out after 45:00"],
  [
    { reason: "conflict", with: [taskId("pay")], paths: ["a", "b", "c", "d"], detail: "" },
    "conflict with pay in a, b, +2",
  ],
  [{ reason: "conflict", with: [], paths: [], detail: "" }, "conflict"],
  [{ reason: "agent-error", detail: "exit code 1: no", isClause: true }, "exit code 1: no"],
  [{ reason: "agent-error", detail: "it gave up" }, "agent error: it gave up"],
  [{ reason: "auth", detail: "Not logged in. Run /login" }, "Not logged in. Run /login"],
  [{ reason: "nothing-done", detail: "made no changes" }, "made no changes"],
  [{ reason: "cancelled", because: "fail-fast", detail: "x" }, "stopped because another task failed"],
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
  expect(text(outside)).toBe("changed paths it does not own: src/x.ts");
  expect(text(guarded)).toBe("changed protected files without consent: src/x.ts");
  expect(text(beyond)).toBe("changed paths in its boundary: src/x.ts");
  const submodule = { ...finding, path: "vendor/lib", kind: "submodule" } as const;
  const inside = { reason: "ownership", findings: [submodule], detail: "" } as const;
  expect(text(inside)).toBe("left changes uncommitted in a submodule: vendor/lib");
  expect(formatFailureShort(inside)).toBe("left changes uncommitted in a submodule");
  expect(text({ ...inside, findings: [submodule, ...outside.findings] })).toBe(
    "changed paths it does not own: vendor/lib, src/x.ts",
  );
});

describe("every reason", () => {
  test("has a clause and a word", () => {
    for (const reason of Object.keys(FAILURE_RULES)) {
      const more = {
        gate: "g",
        on: "attempt",
        summary: "",
        clock: "idle",
        with: [],
        paths: ["a.ts"],
        findings: [],
        because: "stop",
      };
      const failure = { reason, detail: "", ...more } as unknown as AttemptFailure;
      expect(plainText(formatFailure(failure)), reason).toMatch(/^[a-z].*[^.]$/);
      expect(formatFailureWord(failure), reason).toMatch(/^[a-z]{3,8}$/);
      expect(formatFailureShort(failure, limits), reason).toMatch(/^[a-z].{3,36}$/);
    }
  });
});

test("a limit names the agent whose account it is", () => {
  expect(plainText(formatLimit("gemini", "usage-limit"))).toBe("gemini usage limit");
  expect(plainText(formatLimit(null, "auth"))).toBe("account is not logged in");
});
