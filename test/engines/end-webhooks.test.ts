import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { RunState } from "../../src/core/run-state.ts";
import { tellWebhooks } from "../../src/engines/local/hooks.ts";
import { runFolder } from "../../src/engines/local/run-folder.ts";
import { openValues, sealPlan } from "../../src/engines/local/sealed-values.ts";
import type { PostOptions } from "../../src/engines/local/webhook.ts";
import { createMasker } from "../../src/process/mask/masker.ts";
import { systemClock } from "../../src/util/clock.ts";
import { planOf, taskId } from "../support/plans.ts";
import { Scenario } from "../support/scenario.ts";
import { place, runPlan } from "./local.ts";

const TASKS = [
  { id: "done" },
  { id: "look", access: "read-only" as const },
  { id: "bad", retries: 0 },
  { id: "after", needs: ["bad"] },
  { id: "later", needs: ["after"] },
];
const WEBHOOKS = { complete: "https://hooks.example.com/a?token=1", failure: "https://hooks.example.com/b" };

async function site(webhooks: Partial<typeof WEBHOOKS> = WEBHOOKS) {
  const root = mkdtempSync(join(tmpdir(), "plait-hooks-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = runFolder(root);
  const whole = { complete: null, failure: null, ...webhooks };
  const valuesPlace = { folder, keyFile: join(root, "values.key") };
  const plan = await sealPlan(valuesPlace, planOf(TASKS, { webhooks: whole }));
  const values = await openValues(valuesPlace);
  const posted: [string, object, PostOptions["only"]][] = [];
  const tell = (state: RunState) =>
    tellWebhooks(
      { folder, values, clock: systemClock, masker: createMasker([]) },
      state,
      async (url, body, options) => {
        posted.push([url, body, options.only]);
        return { ok: true, text: "answered 204 (hooks.example.com)" };
      },
    );
  const log = () => readFileSync(join(root, "hooks.log"), "utf8");
  return { plan, posted, tell, log };
}

test("an end is told once, in figures; the next end again", async () => {
  const { plan, posted, tell, log } = await site();
  const run = new Scenario(TASKS, { plan: { webhooks: plan.webhooks }, policy: { land: "partial" } });
  run.later(100).work("done/1").build().advance();
  run.start("look/1").end("look/1").save("look/1", { changed: false });
  run
    .start("bad/1")
    .end("bad/1", { reason: "crash", detail: "exit code 3" })
    .save("bad/1")
    .land()
    .later(2_440)
    .finish();
  expect(JSON.stringify(run.facts)).not.toContain("hooks.example.com");
  await tell(run.state);
  await tell(run.state);
  const figures = { manifest: plan.name, total: 5, succeeded: 2, failed: 1, skipped: 2, duration_sec: 2.6 };
  expect(posted).toEqual([
    [WEBHOOKS.complete, { event: "complete", ...figures }, "outside"],
    [WEBHOOKS.failure, { event: "failure", ...figures }, "outside"],
  ]);
  expect(log()).toContain("webhook failure: answered 204 (hooks.example.com)\n");
  run
    .resume()
    .ask({ kind: "retry", task: taskId("bad") })
    .ask({ kind: "stop", mode: "drain" })
    .later(1_000)
    .finish();
  await tell(run.state);
  expect(posted.slice(2)).toMatchObject([
    [
      WEBHOOKS.complete,
      { event: "complete", succeeded: 2, failed: 0, skipped: 3, duration_sec: expect.any(Number) },
      "outside",
    ],
  ]);
});

test("who asked for failures alone hears of no other end", async () => {
  const { plan, posted, tell } = await site({ failure: WEBHOOKS.failure });
  const run = new Scenario([{ id: "done" }], { plan: { webhooks: plan.webhooks } });
  await tell(run.state);
  await tell(run.work("done/1").build().advance().land().finish().state);
  expect(posted).toEqual([]);
});

test("a webhook that comes to nothing costs the run nothing, and is told in the log of hooks", async () => {
  const ran = await runPlan(
    place(),
    `webhooks: { complete: "https://10.0.0.7/x?token=very-secret-1" }\ntasks:\n  - { id: a, prompt: "demo: write b.txt b" }\n`,
  );
  expect(ran.outcome).toBe("complete");
  const log = readFileSync(join(ran.folder, "hooks.log"), "utf8");
  expect(log).toMatch(/^webhook complete: URLs of this machine .* \(10\.0\.0\.7\)\n$/);
});
