import { describe, expect, test } from "vitest";
import { ended, story } from "../../../test/support/checkout.ts";
import { ACCOUNT, agentWork, gateOf, taskId } from "../../../test/support/plans.ts";
import { Scenario } from "../../../test/support/scenario.ts";
import { plainText, type Sentence } from "../text/sentence.ts";
import { formatNotice } from "./notice-text.ts";
import { findNotices } from "./notices.ts";
import { overview } from "./overview.ts";
import { formatStopping, listBanners } from "./run-banner.ts";
import { findRunStatus } from "./run-status.ts";
import { findRunSign, formatRunWord } from "./run-status-text.ts";

const bannersOf = (run: Scenario, isRunning = true) =>
  listBanners(run.state, { ...overview(run.state, run.now, { isRunning }), isRunning });
const text = (one: Sentence) => plainText(one, (_, lead) => `${lead} 14:55`);
const look = (run: Scenario, isRunning = true) => {
  const [banner] = bannersOf(run, isRunning);
  const word = formatRunWord(findRunStatus(run.state, run.now, isRunning));
  return [word, banner === undefined ? null : text(banner.text), banner?.action?.kind ?? null];
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
    ["goes its way", one().start("a/1"), ["running", null, null]],
    [
      "is paused",
      story().ask({ kind: "pause" }),
      ["paused", "Paused: running attempts continue, no new ones start.", "unpause"],
    ],
    [
      "drains",
      story().ask({ kind: "stop", mode: "drain" }),
      ["stopping", "Stopping once 5 attempts finish; no new ones start and nothing lands.", "stop"],
    ],
    [
      "has a task that waits for a person",
      one().ask({ kind: "hold", task: taskId("a"), why: "look at it first" }),
      ["running", "a needs you: look at it first. To approve: plait approve a --run run-1", "approve"],
    ],
    [
      "needs a login",
      limited("auth"),
      [
        "paused",
        "1 task paused (next check at 14:55): claude is not logged in. Log in; plait rechecks automatically.",
        "retry-now",
      ],
    ],
    [
      "has no network",
      limited("network"),
      [
        "paused",
        "1 task paused (next check at 14:55): claude is unreachable. Check the connection; plait rechecks automatically.",
        "retry-now",
      ],
    ],
    [
      "waits for a limit, and nothing else goes on",
      limited("usage-limit"),
      ["paused", "1 task paused until 14:55: claude usage limit.", "retry-now"],
    ],
    [
      "holds tasks that have not begun, too",
      new Scenario([{ id: "a" }, { id: "b" }, { id: "c", needs: ["b"] }], { policy: { slots: 1 } })
        .start("a/1")
        .end("a/1", { reason: "usage-limit", resetsAt: null, detail: "limit" })
        .save("a/1"),
      ["paused", "2 tasks paused until 14:55: claude usage limit.", "retry-now"],
    ],
    [
      "looks at the base first",
      new Scenario([{ id: "a" }], { plan: { gates: [gateOf("npm test")] }, base: "unjudged" }),
      [
        "checking the base commit",
        'Running gate "npm test" on the base commit. Nothing merges until it is green.',
        null,
      ],
    ],
    [
      "waits for what a person has open",
      one()
        .ask({ kind: "open", task: taskId("a") })
        .opened("a/1"),
      ["running", "a needs you: finish it, then submit it. To submit: plait submit a --run run-1", "accept"],
    ],
    ["lands", one().work("a/1").merge(), ["landing", "Landing on main.", null]],
    [
      "is to land nowhere",
      new Scenario([{ id: "a" }], { policy: { land: "never" } }).work("a/1").merge(),
      ["running", "Checking the merged result on plait/run-1/integration.", null],
    ],
  ] as const)("of one that %s", (_what, run, expected) => {
    expect(look(run)).toEqual(expected);
  });

  test("without a driver it says who could go on", () => {
    expect(look(story(), false)).toEqual([
      "interrupted",
      "Interrupted. All work is saved; plait resume checkout-k7f2 continues the run.",
      "resume",
    ]);
  });

  test("at the end it says how it ended", () => {
    expect(look(ended(), false)).toEqual([
      "not landed",
      "Ended, not landed. 21 of 24 tasks done, 2 failed, 1 skipped. To continue: plait resume checkout-k7f2",
      "resume",
    ]);
    const [word, text, action] = look(one().work("a/1").merge().land().finish(), false);
    expect([word, action]).toEqual(["landed", "undo"]);
    expect(text).toMatch(/^Landed on main as [0-9a-f]{7}\. 1 of 1 tasks done\.$/);
  });

  test("what was taken back is not done, and can land again", () => {
    const run = one().work("a/1").merge().land().finish().ask({ kind: "undo" });
    expect(look(run, true)).toEqual(["undoing the landing", "Undoing the landing on main.", null]);
    const { tip, target } = run.want("undo");
    const [from, to] = [run.state.tip.commit, run.state.base];
    run.fact({ type: "landing.undone", tip, target, how: "moved-back", from, to, notes: [] }).finish();
    expect(look(run, false)).toEqual(["undone", "Undone. 1 of 1 tasks done.", "land"]);
    // Nothing needs a person: as grey as its badge.
    expect(bannersOf(run, false)[0]?.actor).toBe("later");
    expect(findRunSign(findRunStatus(run.state, run.now, false))).toBe("dropped");
  });

  test("no end is a dead end", () => {
    const asks = new Scenario([{ id: "a", approve: true }]).work("a/1").finish();
    expect(look(asks, false)).toEqual([
      "not landed",
      "Ended, not landed. 0 of 1 tasks done, 1 held. a needs you: waiting for your approval. To approve: plait approve a --run run-1",
      "approve",
    ]);
    const kept = new Scenario([{ id: "a" }], { policy: { land: "never" } }).work("a/1").merge().finish();
    expect(look(kept, false)).toEqual([
      "done",
      `Done, merged on plait/${kept.state.run}/integration. 1 of 1 tasks done.`,
      "land",
    ]);
    const over = new Scenario([{ id: "a" }, { id: "b", needs: ["a"] }], { policy: { budgetUsd: 2 } });
    over.start("a/1").end("a/1", null, { costUsd: 2.5 }).save("a/1").merge().finish();
    expect(look(over, false)).toEqual([
      "not landed",
      `Not landed: over budget. 1 of 2 tasks done, 1 unfinished. Spent $2.50 of $2.00. Continue with more: plait resume ${over.state.run} --budget-usd 2`,
      "land",
    ]);
    over.ask({ kind: "land" }).land().finish();
    expect(look(over, false)).toEqual([
      "partly landed",
      expect.stringMatching(/^Partly landed on main/),
      "undo",
    ]);
    const gate = gateOf("npm test");
    const red = new Scenario([{ id: "a" }], { plan: { gates: [gate] }, base: "unjudged" });
    red.judge(gate, "base", "red").finish();
    expect(look(red, false)).toEqual([
      "not started",
      expect.stringMatching(
        /^Not started: the base commit is red\. 0 of 1 tasks done, 1 unfinished\. Gate "npm test" is red on the base commit [0-9a-f]{7} \(1 of 2 failed\);/,
      ),
      "resume",
    ]);
  });

  test("each shared wait has a line, what a person has to fix first", () => {
    const run = limited("usage-limit");
    const key = "land x";
    run.fact({ type: "effect.failed", key, detail: "ENOSPC: no space left", cause: "no-space" });
    expect(bannersOf(run).map((one) => [one.actor, text(one.text)])).toEqual([
      [
        "you",
        "Waiting until 14:55: the disk is full; could not land (ENOSPC: no space left). Free some disk space; plait retries automatically.",
      ],
      ["clock", "1 task paused until 14:55: claude usage limit."],
    ]);
  });
});

test("what happened follows the name of its task", () => {
  const run = one();
  const told: string[] = [];
  const tell = (step: () => unknown): void => {
    const [before, from] = [run.state, run.facts.length];
    step();
    for (const fact of run.facts.slice(from).slice(-1))
      for (const notice of findNotices(fact, before, run.state)) told.push(text(formatNotice(notice).text));
  };
  tell(() => run.start("a/1"));
  tell(() => run.end("a/1", { reason: "agent-said-no", detail: "" }).save("a/1"));
  tell(() => run.ask({ kind: "retry", task: taskId("a") }));
  tell(() => run.work("a/2"));
  tell(() => run.merge());
  tell(() => run.land());
  expect(told.join("\n")).toMatch(
    /^attempt 1 started, claude\nfailed: agent reported it is blocked\nmerged as [0-9a-f]{7} after 2 attempts\nlanded on main as [0-9a-f]{7}$/,
  );
});

test("a stop counts the attempts that it stops, and says so where there is none", () => {
  const run = new Scenario([{ id: "a" }, { id: "b" }]);
  const stop = (mode: "stop" | "drain") => plainText(formatStopping({ ...run.state, stopping: mode }));
  expect(stop("stop")).toBe("Stopping: nothing is running. To continue later: plait resume run-1");
  run.start("a/1");
  expect(stop("stop")).toBe("Stopping 1 attempt and saving its work. To continue later: plait resume run-1");
  run.start("b/1");
  expect(stop("drain")).toBe("Stopping once 2 attempts finish; no new ones start and nothing lands.");
});
