import { describe, expect, test } from "vitest";
import { attemptId, oid, parseGroupName, parseTaskId, refName, splitAttemptId } from "./ids.ts";

describe("a task id is safe as a ref, a folder and an argument", () => {
  test.each(["a", "task-001", "api.v2", "A_b-c.d", "x".repeat(64), "0"])("%j is taken", (text) => {
    expect(parseTaskId(text)).toEqual({ ok: true, id: text });
  });

  test.each([
    ["", "is empty"],
    ["../x", 'contains "/"'],
    ["--force", 'starts with "-"'],
    ["a\n", 'contains "\\n"'],
    ["a b", "contains a space"],
    [".hidden", 'starts with "."'],
    ["a..b", 'contains ".."'],
    ["a.", 'ends with "."'],
    ["a.lock", 'ends with ".lock"'],
    ["a.LOCK", 'ends with ".lock"'],
    ["é", 'contains "é"; use letters A-Z and a-z, digits, "_" and "-"'],
    ["💥", 'contains "💥"'],
    ["x".repeat(300), "has 300 characters, the limit is 64"],
  ])("%j is refused", (text, problem) => {
    const parsed = parseTaskId(text);
    expect(parsed.ok ? null : parsed.problem).toContain(problem);
    expect(parseGroupName(text).ok).toBe(false);
  });
});

test("an attempt id names its task and number", () => {
  const parsed = parseTaskId("api.v2");
  if (!parsed.ok) throw new Error(parsed.problem);
  expect(splitAttemptId(attemptId(parsed.id, 12))).toEqual({ task: "api.v2", n: 12 });
});

test("what is no object name or ref is a bug of the caller", () => {
  expect(() => oid("HEAD")).toThrow("not a git object name");
  expect(() => refName("main")).toThrow("not a full ref name");
  expect(() => refName("refs/heads/a b")).toThrow("not a full ref name");
});
