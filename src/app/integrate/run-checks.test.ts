import { expect, test } from "vitest";
import { printDocument } from "./run-checks.ts";
import type { Trial } from "./trial-place.ts";

test("of a command that fails the end of its output is shown, however long its lines are", async () => {
  const output = `first\n${"x".repeat(50_000)}\n/copy/app.py: boom\n`;
  const end = { kind: "ended", exit: { code: 3, signal: null, why: null }, output, stdout: "" };
  const trial = { tree: "/copy", prepared: { ok: true }, call: async () => end } as unknown as Trial;
  const asked = { signal: new AbortController().signal, timeoutMs: 1000, tell: { printing: () => {} } };
  const printed = await printDocument(
    trial,
    "print",
    asked as unknown as Parameters<typeof printDocument>[2],
  );
  const problem = "problem" in printed ? printed.problem : "";
  expect(problem).toMatch(/^exit code 3: …x+ \/ app\.py: boom$/);
  expect(problem.length).toBeLessThan(1100);
});
