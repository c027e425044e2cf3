import type { Fact } from "../../../src/core/facts.ts";
import type { PathPattern } from "../../../src/core/ownership/pattern.ts";
import type { Task } from "../../../src/core/plan.ts";
import type { InlinedAttempt, InlinedRun } from "../../../src/report/page/wire.ts";
import { story, unit } from "../../support/checkout.ts";

const TITLES: { readonly [task: string]: string } = {
  inventory: "Stock reservations",
  "audit-log": "Audit trail",
  refunds: "Refund flow",
  emails: "Order mails",
};

const OWNS: { readonly [task: string]: string } = {
  "checkout-ui": "src/ui/**",
  "cart-ui": "src/ui/PriceLine.tsx",
  i18n: "src/i18n/",
  inventory: "src/inventory/",
  webhooks: "src/webhooks/",
  refunds: "src/refunds/",
  emails: "src/emails/",
  "audit-log": "src/audit/",
  docs: "docs/",
};

/** The run of the design with titles, claims and gates that take their time; audit-log is gated ahead. */
export function queueStory(): { readonly facts: readonly Fact[]; readonly now: number } {
  const run = story();
  const { now } = run;
  run.build().judge(unit, "merge audit-log/1");
  const facts = run.facts.map((fact): Fact => {
    if (fact.type === "gate.judged") return { ...fact, durationMs: 96_000 };
    if (fact.type !== "run.started") return fact;
    return { ...fact, plan: { ...fact.plan, tasks: fact.plan.tasks.map(told) } };
  });
  return { facts: facts.map((fact) => ({ ...fact, at: Math.min(fact.at, now) })), now };
}

function told(task: Task): Task {
  const pattern = OWNS[task.id];
  const owns = pattern === undefined ? [] : [{ mode: "any", pattern: pattern as PathPattern, symbol: null }];
  return { ...task, title: TITLES[task.id] ?? task.title, owns: owns as Task["owns"] };
}

const diffOf = (path: string, line: string, was: string): string =>
  `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n@@ -12,2 +12,2 @@ export class Bus {
   const listeners = this.of(event);\n-${was}\n+${line}\n`;

const attempt = (path: string, line: string, was: string): InlinedAttempt => ({
  prompt: null,
  transcript: null,
  log: null,
  diff: {
    kind: "diff",
    stat: [{ path, added: 1, removed: 1 }],
    diff: { text: diffOf(path, line, was), cutBytes: 0 },
  },
});

const BUS = "src/events/bus.ts";
const WAS = "  for (const listener of listeners) listener(event);";

export const queueAttempts = {
  "emails/1": attempt(BUS, "  for (const one of listeners) void one(event).catch(<b>report</b>);", WAS),
  "payments/1": attempt(BUS, "  await Promise.all(listeners.map((listener) => listener(event)));", WAS),
  "inventory/1": attempt("src/inventory/stock.ts", "  reserve(sku);", "  take(sku);"),
} as InlinedRun["attempts"];
