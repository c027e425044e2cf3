import type { Fact } from "../../../src/core/facts.ts";
import type { AttemptId, TextHash } from "../../../src/core/ids.ts";
import type { Claim } from "../../../src/core/ownership/pattern.ts";
import type { InlinedAttempt, InlinedRun, TranscriptEntry } from "../../../src/report/page/wire.ts";
import { story } from "../../support/checkout.ts";
import { hashOf } from "../../support/plans.ts";

/** The task `tax` of the run of the design, with all that its page shows: owners, a finding, and what three attempts did. */

const claim = (pattern: string) => ({ pattern, symbol: null, mode: "any" }) as unknown as Claim;
const OUTPUT = hashOf("output of test:tax") as TextHash;

const owned: { readonly [task: string]: readonly Claim[] } = {
  tax: [claim("src/tax/**")],
  money: [claim("src/money/")],
};

/** The facts of the story, with what the sketches leave out. */
function told(fact: Fact): Fact {
  if (fact.type === "run.started") {
    const tasks = fact.plan.tasks.map((task) => ({
      ...task,
      title: task.id === "tax" ? "Tax calculation by region" : task.title,
      owns: owned[task.id] ?? [],
    }));
    return { ...fact, plan: { ...fact.plan, tasks } };
  }
  if (fact.type === "attempt.ended" && fact.attempt === "tax/3")
    return { ...fact, exit: { code: 0, signal: null } };
  if (fact.type === "attempt.saved" && fact.attempt === "tax/3") {
    const detail = "not among what the task owns";
    const path = "src/money/round.ts";
    return { ...fact, findings: [{ kind: "outside-claims", path, detail, blocks: false }] };
  }
  if (fact.type === "gate.judged" && fact.verdict === "red")
    return { ...fact, summary: "2 of 41 tests", output: OUTPUT, durationMs: 38_200 };
  return fact.type === "gate.judged" ? { ...fact, durationMs: 12_000 } : fact;
}

const clock = (text: string): number => {
  const [h = 0, m = 0, s = 0] = text.split(":").map(Number);
  return new Date(2026, 10, 15, h, m, s).getTime();
};

const tool = (at: string, call: string, name: string, target: string): TranscriptEntry => ({
  ...{ at: clock(at), kind: "tool", call, name, target, by: "agent" },
});
const ended = (at: string, call: string, rest: object = {}): TranscriptEntry => ({
  ...{ at: clock(at), kind: "tool-ended", call, ok: true },
  ...rest,
});
const text = (at: string, said: string): TranscriptEntry => ({
  at: clock(at),
  kind: "text",
  text: said,
  by: "agent",
});

const FAILED = [
  "✗ src/tax/rates.test.ts 2 failed, 39 passed",
  "  reduced rate, half-cent up     expected 1.05, received 1.04",
  "  zero-rated with discount line  expected 0.00, received -0.00",
].join("\n");

const transcript: readonly TranscriptEntry[] = [
  { at: clock("14:31:02"), kind: "started", conversation: "c", model: "2.5-pro" },
  { at: clock("14:31:03"), kind: "noise", text: "npm warn deprecated" },
  tool("14:31:52", "a", "Read", "src/tax/rates.ts"),
  ended("14:31:53", "a", { lines: 212 }),
  tool("14:31:58", "b", "Read", "src/money/round.ts"),
  ended("14:31:58", "b", { lines: 64 }),
  text(
    "14:32:20",
    "The two red tests expect half-cent amounts to round up per line, but `round()` uses half-even. I will add a rounding mode and use it in the regional rates.",
  ),
  tool("14:33:05", "c", "Edit", "src/money/round.ts"),
  ended("14:33:06", "c", { change: { added: 9, removed: 2 } }),
  tool("14:33:41", "d", "Edit", "src/tax/rates.ts"),
  ended("14:33:41", "d", { change: { added: 31, removed: 8 } }),
  { at: clock("14:34:10"), kind: "retry", status: 529, delayMs: 2_000 },
  tool("14:34:30", "e", "Bash", "pnpm vitest run src/tax"),
  ended("14:34:39", "e", { ok: false, code: 1, output: FAILED }),
  tool("14:34:45", "f", "Task", "look for other callers"),
  { ...tool("14:34:46", "g", "Grep", "round("), by: "sub-agent" } as TranscriptEntry,
  ended("14:34:47", "g"),
  ended("14:34:50", "f"),
  tool("14:34:58", "h", "Edit", "src/tax/rates.ts"),
  ended("14:34:58", "h", { change: { added: 4, removed: 4 } }),
  tool("14:35:10", "i", "Bash", "pnpm tsc"),
  ended("14:35:20", "i", { code: 0, output: "no errors" }),
  text("14:35:32", "All regional rates now use the per-line mode. The implementation is complete."),
  {
    at: clock("14:35:45"),
    kind: "usage",
    usage: { costUsd: 0.34, inputTokens: 170_000, outputTokens: 20_400 },
  },
];

const DIFF = `diff --git a/src/money/round.ts b/src/money/round.ts
index 1111111..2222222 100644
--- a/src/money/round.ts
+++ b/src/money/round.ts
@@ -18,6 +18,10 @@ import { Decimal } from "./decimal";
 /** Rounds to whole cents. */
-export function round(amount: Decimal): Cents {
-  return halfEven(amount);
+export function round(amount: Decimal, mode: Rounding = "half-even"): Cents {
+  switch (mode) {
+    case "half-even": return halfEven(amount);
+    case "half-up": return halfUp(amount);
+  }
 }
 
 const CENTS = 100; // of one unit
@@ -40,3 +44,3 @@ function halfUp
   const whole = amount.floor();
-  return whole.plus(0.5);
+  return whole.plus(0.25);
 }
diff --git a/src/tax/rates.ts b/src/tax/rates.ts
index 1111111..2222222 100644
--- a/src/tax/rates.ts
+++ b/src/tax/rates.ts
@@ -38,5 +38,6 @@ function lineTax
   const rate = rateFor(region, line.category);
-  const tax = line.total.times(rate);
-  return round(tax);
+  if (rate.isZero()) return Cents.zero;
+  const net = line.total.minus(line.discount ?? 0);
+  return round(net.times(rate), rounding[region]);
   /* a comment
    * over lines */
diff --git a/docs/old.md b/docs/tax.md
similarity index 100%
rename from docs/old.md
rename to docs/tax.md
diff --git a/logo.png b/logo.png
index 1111111..2222222 100644
Binary files a/logo.png and b/logo.png differ
diff --git a/src/tax/table.json b/src/tax/table.json
new file mode 100644
index 0000000..2222222
--- /dev/null
+++ b/src/tax/table.json
@@ -0,0 +1,9000 @@
${Array.from({ length: 2_500 }, (_, n) => `+  "rate ${n}": ${n / 100},`).join("\n")}
[123,456 bytes of this file are left out]
`;

const ESC = "\u001b";

const log = [
  `${ESC}[1m${ESC}[36m RUN ${ESC}[39m${ESC}[22m v4.1.12`,
  `${ESC}[32m✓${ESC}[39m src/tax/region.test.ts (17 tests) ${ESC}[2m212ms${ESC}[22m`,
  `${ESC}[31m✗${ESC}[39m src/tax/rates.test.ts (15 tests, 2 failed)`,
  `    expected ${ESC}[38;5;46m1.05${ESC}[0m, received ${ESC}[38;2;90;0;0m1.04${ESC}[0m`,
  `${ESC}[41;37m FAIL ${ESC}[0m rates ${ESC}[7m inverse ${ESC}[0m ${ESC}[48;2;255;255;0;30m black on yellow ${ESC}[0m`,
  "downloading 10 %\rdownloading 90 %\rdownloaded      ",
  "[plait:         3355443 bytes are left out here]",
  ...Array.from({ length: 100_000 }, (_, n) => `line ${n} of many`),
  "<img src=x onerror=alert(1)> \u202eturned",
  `the last line ${"x".repeat(100_000)}`,
].join("\n");

const PROMPT = `# Tax calculation by region

Use the rates in \`src/tax/rates.ts\`.

\`\`\`ts
const rate = rateFor(region);
\`\`\`

> Change only what is yours.
`;

const FILES = [
  { path: "src/money/round.ts", added: 6, removed: 3 },
  { path: "src/tax/rates.ts", added: 3, removed: 2 },
  { path: "docs/tax.md", added: 0, removed: 0 },
  { path: "logo.png", added: null, removed: null },
  { path: "src/tax/table.json", added: 9_000, removed: 0 },
];

const third: InlinedAttempt = {
  prompt: { text: PROMPT, cutBytes: 0 },
  transcript,
  log: { text: log, cutBytes: 0 },
  diff: { kind: "diff", stat: FILES, diff: { text: DIFF, cutBytes: 123_456 } },
};

const first: InlinedAttempt = {
  prompt: null,
  transcript: [
    text("14:20:00", "<script>alert(1)</script> and <b>bold</b>"),
    { at: clock("14:21:00"), kind: "cut", bytes: 3_355_443 },
  ],
  log: { text: "", cutBytes: 0 },
  diff: { kind: "gone", why: "What attempt 1 of tax changed is no longer in the repository" },
};

export function taxTask(): {
  readonly facts: readonly Fact[];
  readonly now: number;
  readonly texts: InlinedRun["texts"];
  readonly attempts: InlinedRun["attempts"];
} {
  const run = story();
  return {
    facts: run.facts.map(told),
    now: run.now,
    texts: {
      [OUTPUT]: { text: `${ESC}[31mFAIL${ESC}[0m src/tax/rates.test.ts:58\n<i>1.04</i>\n`, cutBytes: 2_048 },
    },
    attempts: { ["tax/3" as AttemptId]: third, ["tax/1" as AttemptId]: first },
  };
}
