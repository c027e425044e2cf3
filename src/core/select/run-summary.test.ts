import { describe, expect, test } from "vitest";
import { ended, story } from "../../../test/support/checkout.ts";
import { Scenario } from "../../../test/support/scenario.ts";
import type { EpochMs } from "../facts.ts";
import { plainText } from "../text/sentence.ts";
import { runSummary } from "./overview.ts";
import { findRunStatus } from "./run-status.ts";
import { findRunSign, formatRunStatus, formatRunWord } from "./run-status-text.ts";

const when = (at: EpochMs): string => new Date(at).toTimeString().slice(0, 5);
const no = { reason: "agent-said-no", detail: "no" } as const;

function told(run: Scenario, isRunning = false): string {
  const status = findRunStatus(run.state, run.now, isRunning);
  const time = (at: EpochMs, lead: string | null) => `${lead === null ? "" : `${lead} `}${when(at)}`;
  return `${findRunSign(status)}: ${plainText(formatRunStatus(status), time)}`;
}

describe("a run on one line", () => {
  test("has the figures of its overview while it is driven", () => {
    const run = story();
    const { startedAt, status, landing, ...rest } = runSummary(run.state, run.now, true);
    expect(rest).toEqual({
      run: "checkout-k7f2",
      plan: { name: "test", path: "plans/checkout-v2.yaml", hash: "" },
      endedAt: null,
      isRunning: true,
      needsYou: true,
      total: 24,
      done: 10,
      actors: { you: 2, agents: 4, plait: 3, clock: 2, later: 3, done: 10 },
      wallMs: 2_538_499,
      speedUp: expect.closeTo(4.44, 2),
      usd: expect.closeTo(14.6, 2),
      readyAt: expect.any(Number),
    });
    expect(when(startedAt)).toBe("14:02");
    expect({ status: status.kind, landing: landing.kind }).toEqual({ status: "running", landing: "none" });
  });

  test("stands still where nobody drives it: the time is that of its last fact", () => {
    const run = story();
    const later = run.now + 3_600_000;
    expect(runSummary(run.state, later, false).wallMs).toBe(runSummary(run.state, 0, false).wallMs);
    expect(runSummary(run.state, later, false)).toMatchObject({ readyAt: null, needsYou: true });
  });
});

describe("what came of a run", () => {
  const two = () => new Scenario([{ id: "a" }, { id: "b" }]);
  const both = () => two().work("a/1").merge().work("b/1").merge();

  test("that is under way: when it will be ready, when it goes on, or who stands in its way", () => {
    const run = story();
    expect(told(run, true)).toMatch(/^running: running, ready about 15:\d\d$/);
    expect(told(two().start("a/1"), true)).toBe("running: running");
    const parked = new Scenario([{ id: "a" }]).start("a/1");
    const resetsAt = new Date(2026, 10, 16, 9).getTime();
    parked.end("a/1", { reason: "usage-limit", resetsAt, detail: "" }).save("a/1");
    expect(told(parked, true)).toBe("paused: paused until 09:00");
    const loggedOut = new Scenario([{ id: "a" }]).start("a/1");
    loggedOut.end("a/1", { reason: "auth", detail: "" }).save("a/1");
    expect(told(loggedOut, true)).toMatch(/^paused: paused \(next check at \d\d:\d\d\)$/);
    expect(told(two().ask({ kind: "pause" }), true)).toBe("paused: paused");
    expect(told(two().start("a/1").ask({ kind: "stop", mode: "drain" }), true)).toBe("retrying: stopping");
  });

  test("that is over: where its work is, or why it is not there", () => {
    const landed = both().land();
    expect(told(landed, true)).toContain("running"); // until it has said its end
    landed.finish();
    const commit = landed.state.landing.kind === "landed" ? landed.state.landing.to.commit.slice(0, 7) : "";
    expect(told(landed)).toBe(`merged: landed on main as ${commit}`);
    expect(told(ended())).toBe("failed: not landed");
    const part = two().work("a/1").merge().start("b/1").end("b/1", no).save("b/1").ask({ kind: "land" });
    expect(told(part.land().finish())).toMatch(/^failed: partly landed on main as [0-9a-f]{7}$/);
    expect(
      told(new Scenario([{ id: "a" }], { policy: { land: "never" } }).work("a/1").merge().finish()),
    ).toBe("merged: done, merged on plait/run-1/integration");
    expect(told(two())).toBe("held: interrupted");
  });

  test("has the same sign in a list and on its own page", () => {
    const back = both().land().finish();
    const { landing, tip } = back.state;
    if (landing.kind !== "landed") throw new Error("it has landed");
    const { target, to } = landing;
    back.fact({ type: "landing.undone", tip: tip.commit, target, how: "moved-back", to } as never);
    const stopped = two().ask({ kind: "stop", mode: "stop" }).finish();
    const draining = two().start("a/1").ask({ kind: "stop", mode: "drain" });
    const signs = [
      [back, false, "undone", "dropped: undone"],
      [stopped, false, "stopped", "stopped: stopped by you, not landed"],
      [two(), false, "interrupted", "held: interrupted"],
      [draining, true, "stopping", "retrying: stopping"],
    ] as const;
    for (const [run, isRunning, word, listed] of signs) {
      const status = findRunStatus(run.state, run.now, isRunning);
      expect([formatRunWord(status), told(run, isRunning)]).toEqual([word, listed]);
    }
  });

  test("that was stopped: by whom", () => {
    const stopped = (signal?: string) =>
      two()
        .ask({ kind: "stop", mode: "stop", ...(signal === undefined ? {} : { signal }) })
        .finish();
    expect(told(stopped())).toBe("stopped: stopped by you, not landed");
    expect(told(stopped("SIGINT"))).toBe("stopped: stopped by you, not landed");
    expect(told(stopped("SIGHUP"))).toBe("stopped: stopped by SIGHUP, not landed");
    expect(told(two().ask({ kind: "stop", mode: "drain" }).finish())).toBe(
      "stopped: stopped by you, not landed",
    );
  });
});
