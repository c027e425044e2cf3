import type { LogItem, TranscriptEntry } from "../../src/app/index.ts";
import type { Fact } from "../../src/core/facts.ts";
import type { AttemptId } from "../../src/core/ids.ts";
import { factLog, logOfAttempt } from "../../src/core/select/run-log.ts";

/** What lies beside the facts of `tax` in the run of the design (checkout.ts), in its third attempt. */

const at = (text: string): number => {
  const [h = 0, m = 0, s = 0] = text.split(":").map(Number);
  return new Date(2026, 10, 15, h, m, s).getTime();
};

const tool = (time: string, name: string, target: string): TranscriptEntry => ({
  ...{ at: at(time), kind: "tool", name, target, call: null, by: "agent" },
});
const text = (time: string, said: string): TranscriptEntry => ({
  at: at(time),
  kind: "text",
  text: said,
  by: "agent",
});

type Ended = Extract<TranscriptEntry, { kind: "tool-ended" }>;
const ended = (time: string, result: Partial<Ended>): TranscriptEntry => ({
  ...{ at: at(time), kind: "tool-ended", call: null, ok: true },
  ...result,
});

const ENTRIES: readonly TranscriptEntry[] = [
  tool("14:31:52", "Read", "src/tax/rates.ts"),
  tool("14:31:58", "Read", "src/money/round.ts"),
  text(
    "14:32:20",
    "The two red tests expect half-cent amounts to round up per line, but round() uses half-even. I will add a rounding mode and use it in the regional rates.",
  ),
  tool("14:33:05", "Edit", "src/money/round.ts"),
  ended("14:33:06", { change: { added: 9, removed: 2 } }),
  tool("14:33:41", "Edit", "src/tax/rates.ts"),
  tool("14:34:30", "Bash", "pnpm vitest run src/tax"),
  ended("14:34:50", {
    output: "RUN  v4.1.12\n✓ src/tax/region.test.ts (17 tests) 212ms\n✗ src/tax/rates.test.ts",
  }),
  tool("14:34:58", "Edit", "src/tax/rates.ts"),
  text("14:35:32", "All regional rates now use the per-line mode. The implementation is complete."),
];

const RED = [
  "src/tax/rates.test.ts:58  reduced rate, half-cent up",
  "  expected 1.05, received 1.04",
  "zero-rated with discount line: expected -0 to be 0",
];

export function taxLog(facts: readonly Fact[]): LogItem[] {
  const log = factLog();
  const told = logOfAttempt(facts.map(log), "tax/3" as AttemptId).map((logged): LogItem => {
    const isRed = logged.fact.type === "gate.judged" && logged.fact.verdict === "red";
    return { kind: "fact", logged, output: isRed ? RED : [], path: isRed ? "/run/texts/9f86d081884c" : null };
  });
  return [...told.slice(0, 2), { kind: "entries", entries: ENTRIES }, ...told.slice(2)];
}

export const taxDiff = `diff --git a/src/money/round.ts b/src/money/round.ts
index 1111111..2222222 100644
--- a/src/money/round.ts
+++ b/src/money/round.ts
@@ -18,5 +18,8 @@ export function round
 /** Rounds to whole cents. */
-export function round(amount: Decimal): Cents {
-  return halfEven(amount);
+export function round(amount: Decimal, mode: Rounding = "half-even"): Cents {
+  switch (mode) {
+    case "half-even": return halfEven(amount);
+    case "half-up": return halfUp(amount);
+  }
 }

diff --git a/src/tax/rates.ts b/src/tax/rates.ts
index 3333333..4444444 100644
--- a/src/tax/rates.ts
+++ b/src/tax/rates.ts
@@ -38,6 +38,7 @@ function lineTax
 function lineTax(line: Line, region: Region): Cents {
   const rate = rateFor(region, line.category);
-  const tax = line.total.times(rate);
-  return round(tax);
+  if (rate.isZero()) return Cents.zero;
+  const net = line.total.minus(line.discount ?? 0);
+  return round(net.times(rate), rounding[region]);
 }

@@ -90,3 +91,3 @@
 // 税率
-export const zero = -0;
+export const zero = 0; \u001b[31mnot red\u001b[0m
 export {};
diff --git a/src/tax/old.ts b/src/tax/regions/new.ts
similarity index 90%
rename from src/tax/old.ts
rename to src/tax/regions/new.ts
diff --git a/logo.png b/logo.png
new file mode 100644
index 0000000..5555555
Binary files /dev/null and b/logo.png differ
`;

export const taxPrompt = `Compute taxes by region.

Rates are in src/tax/rates.ts; half cents round up per line.
`;
