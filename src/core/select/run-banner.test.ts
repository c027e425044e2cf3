import { describe, expect, test } from "vitest";
import { ended, story } from "../../../test/support/checkout.ts";
import { ACCOUNT, agentWork, gateOf, taskId } from "../../../test/support/plans.ts";
import { Scenario } from "../../../test/support/scenario.ts";
import { happeningWords } from "./happening-words.ts";
import { happenings } from "./happenings.ts";
import { runBanner } from "./run-banner.ts";
import { runStatus } from "./run-status.ts";
import { taskRows } from "./task-rows.ts";

const look = (run: Scenario, isDriven = true) => {
  const rows = taskRows(run.state, run.now, { isDriven });
  const banner = runBanner(run.state, { now: run.now, isDriven, rows });
  const { word } = runStatus(run.state, rows, isDriven);
  return [word, banner?.text ?? null, banner?.action?.kind ?? null];
};
const one = () => new Scenario([{ id: "a", work: agentWork }]);
const limited = (why: "auth" | "network" | "usage-limit") => {
  const run = one();
  const until = run.now + 60_000;
  run
    .start("a/1")
    .end("a/1", { reason: why, resetsAt: until, detail: "" } as never)
    .save("a/1");
  return run.fact({ type: "account.limited", account: ACCOUNT, until, durationMs: 60_000, why });
};

describe("what holds for the run as a whole, and the one thing to do about it", () => {
  test.each([
    ["goes its way", story(), ["Running", null, null]],
    [
      "is paused",
      story().ask({ kind: "pause" }),
      ["Paused", "Paused: what runs goes on, nothing starts.", "unpause"],
    ],
    [
      "drains",
      story().ask({ kind: "stop", mode: "drain" }),
      ["Draining", "Draining: 5 attempts may end, none starts, nothing lands.", "stop"],
    ],
    [
      "has a task that waits for a person",
      one().ask({ kind: "hold", task: taskId("a"), why: "look at it first" }),
      ["Running", "a waits for you: look at it first.", "approve"],
    ],
    [
      "needs a login",
      limited("auth"),
      [
        "Running",
        "claude not logged in: 1 task waits, and no retry is charged. Log in; it is looked at again by itself.",
        null,
      ],
    ],
    [
      "has no network",
      limited("network"),
      ["Running", "claude not reached: 1 task waits, and no retry is charged.", null],
    ],
    [
      "waits for a limit, and nothing else goes on",
      limited("usage-limit"),
      ["Running", "claude usage limit: 1 task waits, and no retry is charged.", null],
    ],
    [
      "looks at the base first",
      new Scenario([{ id: "a" }], { plan: { gates: [gateOf("npm test")] }, base: "unjudged" }),
      ["Checking the base", "Checking the base first: gate npm test.", null],
    ],
    [
      "waits for what a person has open",
      one()
        .ask({ kind: "open", task: taskId("a") })
        .opened("a/1"),
      ["Running", "a waits for you: it is open until you hand it in.", "accept"],
    ],
    ["lands", one().work("a/1").merge(), ["Landing", "Landing on main.", null]],
    [
      "is to land nowhere",
      new Scenario([{ id: "a" }], { policy: { land: "never" } }).work("a/1").merge(),
      ["Running", "Checking what is merged; it stays on plait/run-1/integration.", null],
    ],
  ] as const)("of one that %s", (_what, run, expected) => {
    expect(look(run)).toEqual(expected);
  });

  test("without a driver it says who could go on", () => {
    expect(look(story(), false)).toEqual([
      "Cut off",
      "Nobody drives this run. Nothing is lost: it goes on where it stopped.",
      "resume",
    ]);
  });

  test("at the end it says how it ended", () => {
    expect(look(ended(), false)).toEqual([
      "Not landed",
      "Not landed: 21 of 24 merged, 2 failed, 1 skipped.",
      "resume",
    ]);
    const [word, text, action] = look(one().work("a/1").merge().land().finish(), false);
    expect([word, action]).toEqual(["Landed", "undo"]);
    expect(text).toMatch(/^Landed on main as [0-9a-f]{7}, 1 of 1 merged\.$/);
  });

  test("what was taken back is not done, and can land again", () => {
    const run = one().work("a/1").merge().land().finish().ask({ kind: "undo" });
    expect(look(run, true)).toEqual(["Taking back", "Taking the landing back from main.", null]);
    const { tip, target } = run.want("undo");
    const [from, to] = [run.state.tip.commit, run.state.base];
    run.fact({ type: "landing.undone", tip, target, how: "moved-back", from, to, notes: [] }).finish();
    expect(look(run, false)).toEqual(["Taken back", "Taken back: 1 of 1 merged.", "land"]);
    const rows = taskRows(run.state, run.now, { isDriven: false });
    // Nobody has to do anything: as grey as its badge.
    expect(runBanner(run.state, { now: run.now, isDriven: false, rows })?.ball).toBe("later");
    expect(runStatus(run.state, rows, false).shown).toBe("cancelled");
  });

  test("no end is a dead end", () => {
    const asks = new Scenario([{ id: "a", approve: true }]).work("a/1").finish();
    expect(look(asks, false)).toEqual([
      "Held, not landed",
      "Held, not landed: 0 of 1 merged, 1 held. a waits for you: it waits for approval.",
      "approve",
    ]);
    const kept = new Scenario([{ id: "a" }], { policy: { land: "never" } }).work("a/1").merge().finish();
    expect(look(kept, false)).toEqual([
      "Done",
      `Done: 1 of 1 merged, on plait/${kept.state.run}/integration.`,
      "land",
    ]);
    const over = new Scenario([{ id: "a" }, { id: "b", needs: ["a"] }], { policy: { budgetUsd: 2 } });
    over.start("a/1").end("a/1", null, { costUsd: 2.5 }).save("a/1").merge().finish();
    expect(look(over, false)).toEqual([
      "Over budget, not landed",
      `Over budget, not landed: 1 of 2 merged, 1 left. $2.50 of $2.00 is spent; with more it goes on: \`plait resume ${over.state.run} --budget-usd 4\`.`,
      "land",
    ]);
    over.ask({ kind: "land" }).land().finish();
    expect(look(over, false)).toEqual([
      "Landed in part",
      expect.stringMatching(/^Landed in part on main/),
      "undo",
    ]);
    const gate = gateOf("npm test");
    const red = new Scenario([{ id: "a" }], { plan: { gates: [gate] }, base: "unjudged" });
    red.judge(gate, "base", "red").finish();
    expect(look(red, false)).toEqual([
      "Not started",
      expect.stringMatching(
        /^Not started: 0 of 1 merged, 1 left\. npm test is red on [0-9a-f]{7}, before anything is done/,
      ),
      "resume",
    ]);
  });

  test("a limit says until when", () => {
    const run = limited("network");
    expect(runBanner(run.state, { now: run.now, isDriven: true, rows: [] })?.until).toBeGreaterThan(run.now);
  });
});

test("what happened follows the name of its task", () => {
  const run = one();
  const told: string[] = [];
  const tell = (step: () => unknown): void => {
    const [before, from] = [run.state, run.facts.length];
    step();
    for (const fact of run.facts.slice(from).slice(-1))
      for (const happening of happenings(fact, before, run.state))
        told.push(happeningWords(happening, () => "until 14:55").text);
  };
  tell(() => run.start("a/1"));
  tell(() => run.end("a/1", { reason: "agent-said-no", detail: "" }).save("a/1"));
  tell(() => run.ask({ kind: "retry", task: taskId("a") }));
  tell(() => run.work("a/2"));
  tell(() => run.merge());
  tell(() => run.land());
  expect(told.join("\n")).toMatch(
    /^attempt 1 started, claude\nfailed: agent says it is not done\nmerged as [0-9a-f]{7}\nlanded on main as [0-9a-f]{7}$/,
  );
});
