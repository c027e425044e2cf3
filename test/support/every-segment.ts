import { type Overview, overview } from "../../src/core/select/overview.ts";
import { gateOf, taskId } from "./plans.ts";
import { Scenario } from "./scenario.ts";

const unit = gateOf("test:unit");

const minutes = (n: number, usd = 0.5) => ({ timeMs: n * 60_000, costUsd: { low: usd, high: usd } });

/** A run in which everything happens that a timeline can show; times are in UTC. */
export class EverySegment extends Scenario {
  constructor() {
    const tasks = [
      { id: "schema", estimate: minutes(5) },
      { id: "money", fixRounds: 1, estimate: minutes(6) },
      { id: "prices", race: 2, estimate: minutes(6) },
      { id: "api", needs: ["schema"], estimate: minutes(8) },
      { id: "tax", needs: ["money"], retries: 1, estimate: minutes(5) },
      { id: "invoices", needs: ["tax"], estimate: minutes(5) },
      { id: "emails", needs: ["schema"], estimate: minutes(6) },
      { id: "i18n", needs: ["schema"], estimate: minutes(7) },
      { id: "wire", needs: ["prices"], approve: true, estimate: minutes(4) },
      { id: "docs", needs: ["prices"], estimate: minutes(5) },
      { id: "e2e", needs: ["api", "docs"], estimate: minutes(9) },
    ];
    super(tasks, {
      run: "every-8x3k",
      now: Date.UTC(2026, 10, 15, 14, 0, 0),
      plan: { gates: [unit], budgetUsd: 12 },
      policy: { slots: 4, mergeAhead: 2 },
    });
  }

  at(time: string): this {
    const [h = 0, m = 0, s = 0] = time.split(":").map(Number);
    this.now = Date.UTC(2026, 10, 15, h, m, s) - 1; // every fact is a millisecond later
    return this;
  }

  ends(attempt: string, costUsd: number): this {
    const usage = { costUsd, inputTokens: costUsd * 400_000, outputTokens: costUsd * 40_000 };
    return this.end(attempt, null, usage).save(attempt);
  }

  crashes(attempt: string, costUsd: number): this {
    return this.end(attempt, { reason: "crash", detail: "exit 139" }, { costUsd }).save(attempt);
  }

  green(attempt: string): this {
    return this.judge(unit, `work ${attempt}`);
  }

  red(attempt: string): this {
    return this.judge(unit, `work ${attempt}`, "red");
  }

  get seen(): Overview {
    return overview(this.state, this.now);
  }
}

/** At 17:26:30: the machine has slept for three hours in between. */
export function everySegment(): EverySegment {
  const run = new EverySegment();
  run.at("14:00:10").start("schema/1").start("money/1").start("prices/1").start("prices/2");
  run.at("14:04:30").ends("schema/1", 0.61).at("14:05:10").green("schema/1").build();
  run.at("14:05:20").ends("money/1", 0.42).at("14:05:50").judge(unit, "merge schema/1").advance();
  run.at("14:05:52").red("money/1").at("14:05:55").start("money/2");
  run.at("14:06:40").ends("prices/2", 0.5).at("14:07:20").green("prices/2");
  run
    .at("14:07:24")
    .end("prices/1", { reason: "cancelled", because: "superseded", detail: "" }, { costUsd: 0.44 });
  run.save("prices/1").build().at("14:07:40").ends("money/2", 0.12).at("14:08:05").green("money/2");
  run.at("14:08:12").judge(unit, "merge prices/2").advance().build();
  run.at("14:08:20").start("api/1").start("emails/1");
  run.at("14:09:00").judge(unit, "merge money/2").advance().at("14:09:30").start("tax/1");
  run.at("14:12:40").crashes("tax/1", 0.31);
  run.at("14:14:10").ends("emails/1", 0.55).at("14:14:50").green("emails/1");
  // Asleep from here.
  run.at("17:15:00").fact({ type: "run.slept", from: Date.UTC(2026, 10, 15, 14, 16) });
  run.at("17:15:10").start("tax/2").start("wire/1").start("docs/1");
  run.conflict(["src/bus.ts"]);
  run.at("17:19:30").ends("wire/1", 0.4).at("17:20:00").green("wire/1");
  run.at("17:20:10").start("i18n/1");
  run.at("17:20:40").ends("tax/2", 0.33).at("17:21:20").red("tax/2");
  run.at("17:22:00").start("emails/2");
  run.at("17:23:20").ends("api/1", 1.32).at("17:24:00").green("api/1").build();
  const resetsAt = Date.UTC(2026, 10, 15, 17, 40);
  run.at("17:24:10").end("i18n/1", { reason: "usage-limit", resetsAt, detail: "" }, { costUsd: 0.2 });
  run.save("i18n/1").at("17:26:30");
  return run;
}

/** The same when it is over: what failed was tried again by a person, hours later. */
export function everySegmentEnded(): EverySegment {
  const run = everySegment();
  run.judge(unit, "merge api/1").advance();
  run
    .at("17:27:00")
    .ask({ kind: "approve", task: taskId("wire") })
    .build();
  run.at("17:27:40").judge(unit, "merge wire/1").advance();
  run.ends("docs/1", 0.5).green("docs/1").build().judge(unit, "merge docs/1").advance();
  run
    .at("17:28:00")
    .start("e2e/1")
    .crashes("emails/2", 0.2)
    .at("17:29:00")
    .ask({ kind: "stop", mode: "stop" });
  run
    .end("e2e/1", { reason: "cancelled", because: "stop", detail: "" }, { costUsd: 0.1 })
    .save("e2e/1")
    .finish();
  run
    .at("23:02:00")
    .resume()
    .ask({ kind: "retry", task: taskId("tax") })
    .start("tax/3")
    .start("e2e/2")
    .start("i18n/2");
  for (const [attempt, at] of [
    ["tax/3", "23:07"],
    ["e2e/2", "23:09"],
    ["i18n/2", "23:10"],
  ] as const)
    run
      .at(`${at}:00`)
      .ends(attempt, 0.6)
      .at(`${at}:30`)
      .green(attempt)
      .build()
      .at(`${at}:50`)
      .judge(unit, `merge ${attempt}`)
      .advance();
  run.start("invoices/1").at("23:14:00").ends("invoices/1", 0.4).green("invoices/1").build();
  return run
    .judge(unit, "merge invoices/1")
    .advance()
    .ask({ kind: "cancel", task: taskId("emails") });
}
