import type { Activity } from "../../src/core/activity.ts";
import type { AttemptFailure } from "../../src/core/failure.ts";
import type { AttemptId } from "../../src/core/ids.ts";
import type { Task } from "../../src/core/plan.ts";
import { name, path, type Sentence, sentence } from "../../src/core/text/sentence.ts";
import { agentWork, gateOf, taskId } from "./plans.ts";
import { Scenario } from "./scenario.ts";

/** The run of the design (screens.md §9): 24 tasks, 3 agents, 2 failures, 1 conflict, 1 task parked by a usage limit. */

export const unit = gateOf("test:unit");
export const tax = gateOf("test:tax");
const gates = [unit];

type Sketch = readonly [id: string, needs: string, agent: string, minutes: number, usd: number];

export const SKETCHES: readonly Sketch[] = [
  ["deps", "", "", 2, 0],
  ["schema", "deps", "claude opus", 6, 1.1],
  ["money", "deps", "codex gpt-5", 5, 0.41],
  ["flags", "deps", "gemini 2.5-pro", 6, 0.3],
  ["api-types", "schema", "claude opus", 5, 0.52],
  ["migrations", "schema", "claude sonnet", 9, 0.82],
  ["pricing", "money", "codex gpt-5", 8, 0.96],
  ["i18n", "flags", "gemini 2.5-pro", 8, 0.4],
  ["payments", "api-types", "claude sonnet", 13, 2.36],
  ["cart-api", "api-types", "claude sonnet", 8, 1.08],
  ["orders-api", "api-types", "codex gpt-5", 10, 0.88],
  ["tax", "pricing", "gemini 2.5-pro", 6, 1.1],
  ["inventory", "migrations", "claude sonnet", 13, 1.14],
  ["checkout-ui", "cart-api", "claude opus", 24, 4.1],
  ["cart-ui", "cart-api", "claude sonnet", 15, 1.6],
  ["webhooks", "payments", "claude sonnet", 9, 1.9],
  ["refunds", "payments", "codex gpt-5", 14, 1.3],
  ["emails", "orders-api", "claude sonnet", 8, 1.3],
  ["audit-log", "orders-api", "claude sonnet", 6, 0.57],
  ["docs", "orders-api", "claude sonnet", 5, 0.6],
  ["promo", "pricing", "codex gpt-5", 6, 0.9],
  ["invoices", "tax", "codex gpt-5", 6, 0.9],
  ["e2e", "checkout-ui cart-ui webhooks", "claude opus", 9, 1.5],
  ["release-check", "e2e docs refunds", "claude opus", 4, 0.5],
];

function workOf(agent: string): Task["work"] {
  const [use = "", model = null] = agent.split(" ");
  if (use === "") return { kind: "command", run: { kind: "shell", line: "pnpm install" } };
  return { ...agentWork, agent: { use, name: null, model } };
}

const taskSketches = SKETCHES.map(([id, needs, agent, minutes, usd]) => ({
  id,
  needs: needs === "" ? [] : needs.split(" "),
  work: workOf(agent),
  retries: id === "promo" ? 1 : 2,
  limits: { startMs: 60_000, idleMs: 300_000, totalMs: 2_700_000 },
  gates: id === "tax" ? [unit, tax] : gates,
  estimate: { timeMs: minutes * 60_000, costUsd: usd === 0 ? null : { low: usd, high: usd } },
}));

const clock = (text: string): number => {
  const [h = 0, m = 0, s = 0] = text.split(":").map(Number);
  return new Date(2026, 10, 15, h, m, s).getTime();
};

/** Told with the times of the design. */
export class Checkout extends Scenario {
  readonly costs = new Map(SKETCHES.map(([id, , , , usd]) => [id, usd]));

  constructor() {
    const plan = {
      gates,
      budgetUsd: 40,
      source: { format: "native", path: "plans/checkout-v2.yaml", hash: "" },
    };
    super(taskSketches, {
      run: "checkout-k7f2",
      now: clock("14:02:10"),
      plan: plan as object,
      policy: { slots: 8, mergeAhead: 2 },
    });
  }

  at(text: string): this {
    this.now = clock(text) - 1; // every fact is a millisecond later
    return this;
  }

  ends(attempt: string, failure: AttemptFailure | null = null, costUsd?: number): this {
    const [id = ""] = attempt.split("/");
    const usd = costUsd ?? this.costs.get(id) ?? 0;
    const usage = usd === 0 ? {} : { costUsd: usd, inputTokens: usd * 500_000, outputTokens: usd * 60_000 };
    return this.end(attempt, failure, usage).save(attempt);
  }

  /** From its start to the tip. */
  whole(id: string, from: string, to: string): this {
    this.at(from).start(`${id}/1`).at(to).ends(`${id}/1`).judge(unit, `work ${id}/1`);
    return this.lands(`${id}/1`);
  }

  lands(attempt: string): this {
    return this.build().judge(unit, `merge ${attempt}`).advance();
  }
}

const crash = { reason: "agent-error", detail: "exit 1" } as const;
const silent = { reason: "timeout", clock: "idle", detail: "silent" } as const;

/** While it runs, at 14:44:28. */
export function story(): Checkout {
  const run = new Checkout();
  run.whole("deps", "14:02:16", "14:03:55").whole("schema", "14:03:58", "14:10:00");
  run.whole("money", "14:03:58", "14:08:58").whole("flags", "14:03:58", "14:10:10");
  run.whole("api-types", "14:10:40", "14:16:10").whole("pricing", "14:10:40", "14:18:34");
  run.whole("migrations", "14:10:40", "14:19:34").whole("cart-api", "14:18:40", "14:27:10");
  run.at("14:18:40").start("tax/1").at("14:24:58").ends("tax/1", null, 0.4).judge(unit, "work tax/1");
  run.judge(tax, "work tax/1", "red").at("14:25:30").start("tax/2").at("14:30:30").ends("tax/2", null, 0.4);
  run.judge(unit, "work tax/2").judge(tax, "work tax/2", "red");
  run.whole("payments", "14:16:16", "14:29:04").whole("orders-api", "14:19:40", "14:29:40");
  run.at("14:28:10").start("promo/1").at("14:33:16").ends("promo/1", silent, 0.4);
  run.at("14:31:00").start("tax/3").at("14:36:40").ends("tax/3", null, 0.34).judge(unit, "work tax/3");
  run.judge(tax, "work tax/3", "red").at("14:34:16").start("promo/2");
  run.at("14:40:10").ends("promo/2", silent, 0.5);
  const resetsAt = clock("14:55:00");
  run
    .at("14:34:00")
    .start("i18n/1")
    .at("14:40:34")
    .ends("i18n/1", { reason: "usage-limit", resetsAt, detail: "" }, 0.22);
  run.at("14:29:10").start("checkout-ui/1").at("14:29:52").start("cart-ui/1");
  run.at("14:33:00").start("webhooks/1").at("14:35:10").ends("webhooks/1", crash, 0.44);
  run.at("14:35:58").start("webhooks/2").at("14:40:16").start("docs/1");
  run
    .at("14:33:00")
    .start("emails/1")
    .at("14:42:50")
    .ends("emails/1", null, 0.74)
    .judge(unit, "work emails/1");
  run.at("14:44:26").want("merge");
  const from = run.state.tip.commit;
  const failure = {
    reason: "conflict",
    with: [taskId("payments")],
    paths: ["src/events/bus.ts"],
    detail: "",
  } as const;
  run.fact({
    type: "candidate.refused",
    from,
    task: { task: taskId("emails"), attempt: "emails/1" as AttemptId },
    failure,
  });
  run.at("14:36:00").start("inventory/1").at("14:43:00").ends("inventory/1").judge(unit, "work inventory/1");
  run.at("14:43:22").build();
  run.at("14:34:00").start("audit-log/1").at("14:42:34").ends("audit-log/1").judge(unit, "work audit-log/1");
  run.at("14:34:00").start("refunds/1").at("14:43:40").ends("refunds/1", null, 1.02);
  run.now = clock("14:44:28") + 500;
  return run;
}

const ACTIONS: readonly (readonly [string, Sentence, number])[] = [
  ["checkout-ui/1", sentence`Edit ${path("src/checkout/AddressForm.tsx")}`, 2.94],
  ["cart-ui/1", sentence`Bash ${name("pnpm vitest run src/cart")}`, 1.31],
  ["webhooks/2", sentence`Edit ${path("src/webhooks/verify.ts")}`, 1],
  ["docs/1", sentence`Read ${path("src/orders/routes.ts")}`, 0.33],
];

export const activity = new Map<AttemptId, Activity>(
  ACTIONS.map(([id, action, costUsd]) => {
    const usage = { costUsd, inputTokens: costUsd * 400_000, outputTokens: costUsd * 10_000 };
    return [id as AttemptId, { attempt: id as AttemptId, at: 0, action, usage }];
  }),
);

/** At its end, in part failed. */
export function ended(): Checkout {
  const run = story();
  run
    .judge(unit, "merge inventory/1")
    .advance()
    .lands("audit-log/1")
    .judge(unit, "work refunds/1")
    .lands("refunds/1");
  run.at("14:52:00").ends("checkout-ui/1").judge(unit, "work checkout-ui/1").lands("checkout-ui/1");
  run.ends("cart-ui/1").judge(unit, "work cart-ui/1").lands("cart-ui/1");
  run.ends("webhooks/2").judge(unit, "work webhooks/2").lands("webhooks/2");
  run.ends("docs/1").judge(unit, "work docs/1").lands("docs/1");
  run.start("emails/2").at("14:55:00").ends("emails/2").judge(unit, "work emails/2").lands("emails/2");
  run.start("i18n/2").at("15:00:00").ends("i18n/2").judge(unit, "work i18n/2").lands("i18n/2");
  run.start("e2e/1").at("15:03:00").ends("e2e/1").judge(unit, "work e2e/1").lands("e2e/1");
  run
    .start("release-check/1")
    .at("15:04:10")
    .ends("release-check/1")
    .judge(unit, "work release-check/1")
    .lands("release-check/1");
  return run.finish();
}
