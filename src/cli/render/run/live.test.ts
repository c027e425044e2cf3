import { describe, expect, test } from "vitest";
import { agentWork, gateOf, taskId } from "../../../../test/support/plans.ts";
import { Scenario } from "../../../../test/support/scenario.ts";
import type { Activity } from "../../../core/activity.ts";
import type { Fact } from "../../../core/facts.ts";
import type { AttemptId } from "../../../core/ids.ts";
import { path } from "../../../core/text/sentence.ts";
import { glyphs } from "../glyphs.ts";
import { plainText } from "../line.ts";
import { cells } from "../width.ts";
import { endLines } from "./end.ts";
import { askLines } from "./foot.ts";
import { happened } from "./happened.ts";
import { liveBlock } from "./live.ts";
import { cutAction, cutLine } from "./look.ts";

type Size = {
  readonly width?: number;
  readonly height?: number;
  readonly selected?: string;
  readonly ascii?: boolean;
  readonly interrupt?: "stops" | "leaves";
};

function screen(run: Scenario, actions: Readonly<Record<string, string>> = {}, size: Size = {}): string[] {
  const { width = 80, height = 24, selected, ascii = false, interrupt = "stops" } = size;
  const usage = { costUsd: null, inputTokens: null, outputTokens: null };
  const activity = new Map<AttemptId, Activity>(
    Object.entries(actions).map(([id, action]) => {
      const attempt = id as AttemptId;
      return [attempt, { attempt, at: 0, action, usage }];
    }),
  );
  const look = { width, height, glyphs: ascii ? glyphs.ascii : glyphs.unicode, frame: null };
  const view = { state: run.state, now: run.now, activity };
  const chosen = selected === undefined ? null : taskId(selected);
  return liveBlock(view, { ...look, selected: chosen, interrupt }).map((line) => plainText(line).trimEnd());
}

const many = (n: number) => Array.from({ length: n }, (_, i) => ({ id: `task-${i}` }));

describe("the block", () => {
  test("keeps its columns where words take two cells a character", () => {
    const gates = [gateOf("検査：税率")];
    const run = new Scenario([{ id: "pay" }, { id: "cart" }], { plan: { gates } })
      .start("pay/1")
      .start("cart/1");
    run.end("cart/1", null, { costUsd: 1.5 }).save("cart/1");
    const action = "Edit src/結帳/配送先住所の入力フォーム/地址.tsx";
    for (const width of [120, 80, 60, 40, 25]) {
      for (const height of [40, 24, 12]) {
        const lines = screen(run, { "pay/1": action }, { width, height });
        expect(Math.max(...lines.map(cells)), `${width}x${height}`).toBeLessThanOrEqual(width);
      }
    }
    const wide = screen(run, { "pay/1": action }, { width: 120, height: 40 });
    expect(wide.find((line) => line.includes("pay"))).toContain(action);
    const row = screen(run, { "pay/1": action }).find((line) => line.includes(" cart ")) ?? "";
    expect(row).toContain("検査：税率, gate 1 of 1");
    expect(cells(row)).toBe(80);
    const ascii = screen(run, { "pay/1": action }, { ascii: true });
    expect(ascii.join("")).toMatch(/^[\x20-\x7e]*$/);
  });

  test("cuts long ids in the middle and keeps the number of the attempt", () => {
    const id = "checkout-with-a-very-long-name-that-nobody-reads";
    const run = new Scenario([{ id }]).start(`${id}/1`);
    run.end(`${id}/1`, { reason: "crash", detail: "" }).save(`${id}/1`).later(60_000).start(`${id}/2`);
    expect(screen(run).join("\n")).toMatch(/checkout-wi\S*…\S*ads #2 {2}claude/);
  });

  test("marks the selected row, and keeps it when others go", () => {
    const run = new Scenario(many(12), { policy: { slots: 12 } });
    for (let n = 0; n < 12; n += 1) run.start(`task-${n}/1`);
    const lines = screen(run, {}, { height: 9, selected: "task-11" });
    expect(lines.find((line) => line.startsWith(">"))).toContain("task-11");
    expect(lines).toContain(" +9 more");
    expect(lines.length).toBeLessThan(9);
  });

  test("of thousands that wait it tells the number", () => {
    const lines = screen(new Scenario(many(2_000)));
    expect(lines.find((line) => line.includes("waiting"))).toMatch(
      /^ ◦ 2000 waiting: task-0, task-1, .*\+\d+$/,
    );
  });

  test.each<[string, (run: Scenario) => unknown, string]>([
    [
      "paused",
      (run) => run.ask({ kind: "pause" }),
      "Paused: running attempts continue, no new ones start; 1 task waiting.",
    ],
    [
      "drained",
      (run) => run.ask({ kind: "stop", mode: "drain" }),
      "Stopping once 1 attempt finishes; no new ones start and nothing lands.",
    ],
    [
      "stopped",
      (run) => run.ask({ kind: "stop", mode: "stop" }),
      "Stopping 1 attempt and saving its work. Press ^C again to kill at once. To continue later: plait resume run-1",
    ],
    [
      "held",
      (run) => run.fact({ type: "run.held", why: "the disk is full" }),
      "The run needs you: the disk is full.",
    ],
  ])("says when the run is %s", (_, ask, says) => {
    const run = new Scenario([{ id: "a" }, { id: "b" }]).start("a/1");
    ask(run);
    expect(screen(run, {}, { width: 120 })[3]).toBe(says);
  });

  test("says what ^C does: to who drives the run, and to who only watches it", () => {
    const run = new Scenario([{ id: "a" }]).start("a/1");
    expect(screen(run).at(-1)).toBe(" ^C stops and saves");
    expect(screen(run, {}, { interrupt: "leaves" }).at(-1)).toBe(" ^C leaves; the run continues");
    run.ask({ kind: "stop", mode: "stop" });
    expect(screen(run, {}, { width: 120, interrupt: "leaves" })[3]).toBe(
      "Stopping 1 attempt and saving its work. To continue later: plait resume run-1",
    );
  });

  test("tells a fix round from a fresh attempt", () => {
    const unit = gateOf("npm test");
    const run = new Scenario([{ id: "a", retries: 1, fixRounds: 2 }], { plan: { gates: [unit] } });
    run.work("a/1").judge(unit, "work a/1", "red").start("a/2");
    expect(screen(run).join("\n")).toMatch(/\*a #2 fix {2}claude/);
  });

  test("tells no cost where no agent has told any", () => {
    const run = new Scenario([{ id: "a" }]).start("a/1");
    for (const width of [120, 80, 60, 40, 25])
      expect(screen(run, {}, { width }).join("\n")).not.toContain("$");
    const held = new Scenario([{ id: "a" }], { policy: { budgetUsd: 40 } }).start("a/1");
    expect(screen(held)[2]).toMatch(/ - of \$40$/);
  });

  test("says when all is merged and only the landing is left, and why it was refused", () => {
    const run = new Scenario([{ id: "a" }]).work("a/1").merge();
    expect(screen(run)[3]).toBe("Landing on main.");
    run.fact({
      type: "landing.refused",
      tip: run.state.tip.commit,
      why: "dirty",
      detail: "2 files are in the way.",
    });
    expect(screen(run)[3]).toBe("Not landed: 2 files are in the way.");
  });

  test("says so where there is no branch to land on, no agent, or an agent that only reads", () => {
    const command = { kind: "command", run: { kind: "shell", line: "x" } } as const;
    const head = (task: object, land: "end" | "never") =>
      screen(new Scenario([{ id: "a", work: agentWork, ...task }], { plan: { land } }))[0]?.split("  ")[1];
    expect(head({ work: command }, "end")).toBe("plan.yaml onto main, commands only, no sandbox");
    expect(head({ access: "read-only" }, "never")).toBe("plan.yaml onto plait/run-1/integration, read only");
  });
});

describe("the end", () => {
  const end = (run: Scenario, width = 80) =>
    endLines(
      { state: run.state, now: run.now, tails: { tasks: new Map(), base: new Map() } },
      { width, height: 24, glyphs: glyphs.unicode },
    ).map((line) => plainText(line).trimEnd());
  const said = { reason: "agent-said-no", detail: "no" } as const;

  test("names each outcome", () => {
    const fresh = () => new Scenario([{ id: "a" }, { id: "b" }]);
    const refused = new Scenario([{ id: "a" }]).work("a/1").merge();
    const { commit } = refused.state.tip;
    refused
      .fact({ type: "landing.refused", tip: commit, why: "dirty", detail: "2 of your own files" })
      .finish();
    const partial = new Scenario([{ id: "a" }, { id: "b" }], { plan: { land: "partial" } })
      .work("a/1")
      .merge();
    partial.start("b/1").end("b/1", said).save("b/1").land().finish();
    const heads = [
      fresh().ask({ kind: "stop", mode: "stop" }).finish(),
      fresh().ask({ kind: "stop", mode: "drain" }).finish(),
      new Scenario([{ id: "a", approve: true }]).work("a/1").finish(),
      new Scenario([{ id: "a" }], { plan: { land: "never" } }).work("a/1").merge().finish(),
      new Scenario([{ id: "a", access: "read-only" }])
        .start("a/1")
        .end("a/1")
        .save("a/1", { changed: false })
        .finish(),
      new Scenario([{ id: "a" }], { policy: { budgetUsd: 0 } }).finish(),
      refused,
      partial,
    ].map((run) => end(run)[0]?.replace(/[0-9a-f]{7},/, "1234567,"));
    expect(heads).toEqual([
      "◦ run-1 stopped by you, not landed, 0 of 2 done, 2 unfinished",
      "◦ run-1 stopped by you, not landed, 0 of 2 done, 2 unfinished",
      "✗ run-1 not landed, 0 of 1 done, 1 held",
      "✓ run-1 done, merged on plait/run-1/integration, 1 of 1 done",
      "✓ run-1 done, nothing to land, 1 of 1 done",
      "✗ run-1 not landed: over budget, 0 of 1 done, 1 unfinished",
      "✗ run-1 not landed: files it would change have uncommitted changes, 1 of 1 done",
      "✗ run-1 partly landed on main as 1234567, 1 of 2 done, 1 failed",
    ]);
    expect(end(refused)).toContain("why     2 of your own files");
  });

  test("shows all failures, however many, and counts what was skipped", () => {
    const tasks = [...many(30), ...many(200).map(({ id }) => ({ id: `late-${id}`, needs: ["task-0"] }))];
    const run = new Scenario(tasks, { policy: { slots: 40 } });
    for (let n = 0; n < 30; n += 1) run.start(`task-${n}/1`).end(`task-${n}/1`, said).save(`task-${n}/1`);
    const lines = end(run.finish());
    expect(lines.filter((line) => line.startsWith("✗ task-"))).toHaveLength(30);
    expect(lines).toContain("∅ 200 more skipped");
    expect(lines.join("\n")).toContain("plait retry task-0 task-1 task-2 task-3 task-4 task-5");
  });

  test("says when agents did not tell what they cost, and that a budget could not hold them", () => {
    const run = new Scenario([{ id: "a" }]).work("a/1").merge().land().finish();
    expect(end(run)).toContain("cost    not reported");
    expect(end(run, 40).join("\n")).not.toContain("$");
    const budget = { policy: { budgetUsd: 5 } };
    expect(end(new Scenario([{ id: "a" }], budget).work("a/1").merge().land().finish(), 120)).toContain(
      "cost    not reported; claude does not report costs, so the budget of $5.00 cannot be enforced",
    );
    const crash = { reason: "crash", detail: "" } as const;
    const told = new Scenario([{ id: "a", retries: 1 }], budget).start("a/1").end("a/1", crash).save("a/1");
    told.later(60_000).start("a/2").end("a/2", null, { costUsd: 1 }).save("a/2").merge().land().finish();
    expect(end(told)).toContain("cost    at least $1.00 of $5.00");
    const nothing = new Scenario([{ id: "a" }, { id: "b", retries: 0 }])
      .start("b/1")
      .end("b/1", crash)
      .save("b/1");
    nothing.start("a/1").end("a/1", null, { costUsd: 0 }).save("a/1").merge().finish();
    expect(end(nothing)).not.toContain("$0.00");
  });

  test("says of what was stopped that it goes on, and of what never began that it did not", () => {
    const stopped = { reason: "cancelled", because: "stop", detail: "" } as const;
    const run = new Scenario([{ id: "a" }, { id: "b" }]).start("a/1").ask({ kind: "stop", mode: "stop" });
    const lines = end(run.end("a/1", stopped).save("a/1").finish());
    expect(lines.find((line) => line.startsWith("◦ a"))).toMatch(/ stopped, runs again on resume$/);
    expect(lines.find((line) => line.startsWith("◦ b"))).toMatch(/ waiting$/);
  });
});

test("lines and actions are cut where it hurts least", () => {
  const look = { width: 10, glyphs: glyphs.unicode };
  expect(plainText(cutLine(["abc", "defghij"], look))).toBe("abcdefghij");
  expect(plainText(cutLine(["abc", "defghijk"], look))).toBe("abcdefghi…");
  expect(plainText(cutLine(["abcdefghij", "k"], look))).toBe("abcdefghi…");
  expect(plainText(cutLine(["一二三四五六"], look))).toBe("一二三四…");
  expect(cutAction(["Edit ", path("src/checkout/AddressForm.tsx")], 24, glyphs.unicode)).toBe(
    "Edit …/AddressForm.tsx",
  );
  expect(cutAction("Bash pnpm vitest run src/cart", 16, glyphs.unicode)).toBe("Bash pnpm vites…");
});

test("of a question on a tiny screen the keys stay whole, and what is left out has a mark", () => {
  const run = new Scenario(many(2)).start("task-0/1");
  const asked = {
    question: "Drain run-1?",
    effect:
      "1 attempt may end, none starts, nothing lands. plait resume run-1 goes on from there. Stop now: 1 agent ends.",
    choices: [
      ["enter", "drain"],
      ["n", "stop now"],
      ["esc", "no"],
    ] as const,
  };
  const look = { width: 25, height: 8, glyphs: glyphs.unicode, frame: null };
  const foot = { kind: "lines", ...askLines(asked, look.width) } as const;
  const view = { state: run.state, now: run.now, activity: new Map() };
  const lines = liveBlock(view, { ...look, foot }).map((line) => plainText(line).trimEnd());
  expect(lines).toEqual([
    "0/2 0:00",
    " Drain run-1? 1 attempt",
    " may end, none starts,",
    " nothing lands. plait",
    " resume run-1 goes on…",
    " enter drain  n stop now",
    " esc no",
  ]);
});

test("what happened fits a narrow screen: its time gives way", () => {
  const run = new Scenario(many(1));
  const before = run.state;
  run.fact({ type: "task.held", task: taskId("task-0"), why: "look first" });
  const fact = run.facts.at(-1) as Fact;
  const look = { width: 25, glyphs: glyphs.unicode, mode: "terminal" } as const;
  expect(happened(fact, before, run.state, look).map(plainText)).toEqual(["! task-0 held look first"]);
});
