import { describe, expect, test } from "vitest";
import { agentWork, gateOf, taskId } from "../../../../test/support/plans.ts";
import { Scenario } from "../../../../test/support/scenario.ts";
import type { Activity } from "../../../core/activity.ts";
import { evolve } from "../../../core/evolve.ts";
import type { Fact } from "../../../core/facts.ts";
import type { AttemptFailure } from "../../../core/failure.ts";
import type { AttemptId, RunId } from "../../../core/ids.ts";
import type { Task } from "../../../core/plan.ts";
import type { RunState } from "../../../core/run-state.ts";
import { glyphs } from "../glyphs.ts";
import { plainText } from "../line.ts";
import { cells } from "../width.ts";
import { endLines } from "./end.ts";
import { happened } from "./happened.ts";
import { liveBlock } from "./live.ts";
import { plainHead } from "./summary.ts";
import { githubFailures } from "./tails.ts";

/** The run of the design (screens.md §9): 24 tasks, 3 agents, 2 failures, 1 conflict, 1 task parked by a usage limit. */

const unit = gateOf("test:unit");
const tax = gateOf("test:tax");
const gates = [unit];

type Sketch = readonly [id: string, needs: string, agent: string, minutes: number, usd: number];

const SKETCHES: readonly Sketch[] = [
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
class Checkout extends Scenario {
  readonly costs = new Map(SKETCHES.map(([id, , , , usd]) => [id, usd]));

  constructor() {
    const plan = {
      gates,
      budgetUsd: 40,
      source: { format: "native", path: "plans/checkout-v2.yaml", hash: "" },
    };
    super(taskSketches, { plan: plan as object, policy: { slots: 8, mergeAhead: 2 } });
    this.state = { ...this.state, run: "checkout-k7f2" as RunId };
    this.at("14:02:10").resume();
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

function story(): Checkout {
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

const ACTIONS: readonly (readonly [string, string, number])[] = [
  ["checkout-ui/1", "Edit src/checkout/AddressForm.tsx", 2.94],
  ["cart-ui/1", "Bash pnpm vitest run src/cart", 1.31],
  ["webhooks/2", "Edit src/webhooks/verify.ts", 1],
  ["docs/1", "Read src/orders/routes.ts", 0.33],
];

const activity = new Map<AttemptId, Activity>(
  ACTIONS.map(([id, action, costUsd]) => {
    const usage = { costUsd, inputTokens: costUsd * 400_000, outputTokens: costUsd * 10_000 };
    return [id as AttemptId, { attempt: id as AttemptId, at: 0, action, usage }];
  }),
);

function log(facts: readonly Fact[], look: Parameters<typeof happened>[3]): string[] {
  let state: RunState | null = null;
  const lines: string[] = [];
  for (const fact of facts) {
    const next = evolve(state, fact) as RunState;
    if (state !== null) lines.push(...happened(fact, state, next, look).map(plainText));
    state = next;
  }
  return lines;
}

function ended(): Checkout {
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

const FAILED = new Map([
  [
    taskId("tax"),
    {
      lines: [
        "src/tax/rates.test.ts:58  reduced rate",
        "\texpected 1.05",
        "::error::x \u001b[31m",
        "##[error]y",
      ],
      log: "/r/.git/plait/runs/checkout-k7f2/logs/tax.3.log",
      textPath:
        "/r/.git/plait/runs/checkout-k7f2/texts/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    },
  ],
  [
    taskId("promo"),
    { lines: ["codex: waiting for approval to run `pnpm add date-fns`"], log: null, textPath: null },
  ],
]);
const TAILS = { tasks: FAILED, base: new Map() };

function screen(width: number, height: number, look = glyphs.unicode, run = story()): string[] {
  const view = { state: run.state, now: run.now, activity };
  const lines = liveBlock(view, { width, height, glyphs: look, frame: 2 });
  return lines.map((line) => plainText(line).trimEnd());
}

/** The pictures lie beside this file, as text; `vitest -u` draws them anew, and git shows what changed. */
const picture = (name: string, lines: readonly string[]) =>
  expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(`pictures/${name}.txt`);

describe("a run while it runs", () => {
  test("has gutter words, models, tokens and forecasts at 120 columns", async () => {
    await picture("live-120x40", screen(120, 40));
  });

  test("has no gutter and no models at 80 columns, and no rows of waiting tasks at 24 lines", async () => {
    await picture("live-80x24", screen(80, 24));
  });

  test("has no tokens at 60 columns, and plait's rows have no words", async () => {
    await picture("live-60x24", screen(60, 24));
  });

  test("has name, time and cost below 60 columns, and a line for each other group", async () => {
    await picture("live-40x12", screen(40, 12));
  });

  test("is one line below 30 columns", () => {
    expect(screen(25, 12)).toEqual(["10/24 42:18 ✗2  $20.18"]);
    expect(screen(15, 12)).toEqual(["10/24 42:18 ✗2"]);
  });

  test("counts what has no height, and keeps what decides the end", async () => {
    await picture("live-80x12", screen(80, 12));
  });

  test("is ASCII where only that can be shown", async () => {
    await picture("live-ascii-80x24", screen(80, 24, glyphs.ascii));
    expect(screen(120, 40, glyphs.ascii).join("")).toMatch(/^[\x20-\x7e]*$/);
  });

  test("fits every width and height, and always says how far it is, what failed and what it cost", () => {
    const run = story();
    for (const width of [10, 25, 30, 40, 59, 60, 79, 80, 99, 100, 120, 200]) {
      for (const height of [1, 2, 4, 6, 8, 12, 16, 20, 24, 40, 60]) {
        const lines = screen(width, height, glyphs.unicode, run);
        const at = `${width}x${height}`;
        expect(lines.length, at).toBeLessThanOrEqual(Math.max(1, height - 1));
        expect(Math.max(...lines.map(cells)), at).toBeLessThanOrEqual(width);
        if (width < 25) continue;
        expect(lines.join("\n"), at).toMatch(/10( of |\/)24/);
        expect(lines.join("\n"), at).toContain("$20.18");
        if (height >= 4) expect(lines.join("\n"), at).toMatch(/✗2|2 need you|✗ tax/);
      }
    }
  });
});

describe("what happened", () => {
  const run = ended();

  test("is told in lines that stay", async () => {
    await picture("happened", log(run.facts, { width: 120, glyphs: glyphs.unicode, mode: "terminal" }));
  });

  test("is told with starts and gates in a log", async () => {
    await picture("plain", log(run.facts, { width: 120, glyphs: glyphs.unicode, mode: "plain" }));
    expect(plainText(plainHead(run.state, "1.0.0"))).toMatch(
      /^plait 1.0.0 {2}run checkout-k7f2 {2}24 tasks {2}onto main at [0-9a-f]{7} {2}full access$/,
    );
  });
});

function endOf(view: Parameters<typeof endLines>[0], width: number, height: number | null): string[] {
  return endLines(view, { width, height, glyphs: glyphs.unicode }).map((line) => plainText(line).trimEnd());
}

test("the end of a good run names the commit, the slowest tasks and what landed", async () => {
  const run = new Checkout();
  for (const [id, , , minutes] of SKETCHES) {
    run.at("14:03:00").start(`${id}/1`);
    run
      .later(minutes * 60_000)
      .ends(`${id}/1`)
      .judge(unit, `work ${id}/1`);
    if (id === "tax") run.judge(tax, "work tax/1");
    run.build().judge(unit, `merge ${id}/1`);
    if (id === "tax") run.judge(tax, "merge tax/1");
    run.advance();
  }
  const { state, now } = run.at("15:04:10").land().finish();
  const diff = { files: 143, added: 6204, removed: 311 };
  await picture(
    "end-good-80x20",
    endOf({ state, now, tails: { tasks: new Map(), base: new Map() }, diff }, 80, 20),
  );
});

describe("the end of a run that failed in part", () => {
  const { state, now } = ended();
  const folder = ".git/plait/runs/checkout-k7f2";
  const files = {
    report: `${folder}/report.md`,
    artifacts: { folder: `${folder}/artifacts`, tasks: ["promo", "tax"] },
    reports: [],
    changed: [],
  };
  const view = { state, now, tails: TAILS, files };

  test("says what failed and why, with its last lines, what it took and what to type", async () => {
    await picture("end-bad-80x24", endOf(view, 80, 24));
  });

  test("is short where the terminal is narrow", async () => {
    await picture("end-bad-40x12", endOf(view, 40, 12));
  });

  test("has annotations for GitHub", async () => {
    await picture("end-bad-github", githubFailures(state, TAILS, glyphs.unicode).split("\n"));
  });
});
