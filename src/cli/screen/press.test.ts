import { describe, expect, test } from "vitest";
import { story } from "../../../test/support/checkout.ts";
import { Scenario } from "../../../test/support/scenario.ts";
import { groupByActor } from "../../core/select/actor-text.ts";
import { overview } from "../../core/select/overview.ts";
import { taskRow } from "../../core/select/task-rows.ts";
import { rowsInOrder } from "../render/run/groups.ts";
import type { Interrupt } from "../render/run/look.ts";
import { type Pressed, press, type Seen } from "./press.ts";
import type { Scrolled } from "./scroll.ts";
import { FIRST_UI, type Ui } from "./ui.ts";

const LINES: Scrolled = { size: 100, height: 10, files: [0, 30, 60], hunks: [1, 20, 31, 61], hits: [5, 50] };

function seenIn(run: Scenario, interrupt: Interrupt = "stops", body: Scrolled | null = null): Seen {
  return {
    state: run.state,
    rows: rowsInOrder(groupByActor(overview(run.state, run.now).rows)),
    interrupt,
    attempts: (task) => taskRow(run.state, task, run.now)?.attempts ?? 0,
    body,
  };
}

function pressAll(keys: string, seen: Seen, from: Ui = FIRST_UI): Pressed {
  return keys.split(" ").reduce<Pressed>(({ ui }, key) => press(ui, key, seen), { ui: from });
}

const run = story();
const seen = seenIn(run);

describe("keys before the block", () => {
  test("walk along the rows as they are drawn, and stop at both ends", () => {
    const rows = seen.rows.map(({ task }) => task);
    expect(pressAll("down", seen).ui.selected).toBe("checkout-ui");
    expect(pressAll("j j up", seen).ui.selected).toBe("checkout-ui");
    expect(pressAll("k", seen).ui.selected).toBe("checkout-ui");
    expect(pressAll("end down", seen).ui.selected).toBe(rows.at(-1));
    expect(pressAll("down esc", seen).ui.selected).toBe(null);
  });

  test("go on where a row stood that is gone", () => {
    const { ui } = pressAll("down down", seen);
    const merged = { ...seen, rows: seen.rows.filter(({ task }) => task !== "cart-ui") };
    expect(press(ui, "down", merged).ui.selected).toBe("webhooks");
    expect(press(ui, "up", merged).ui.selected).toBe("checkout-ui");
  });

  test("open what is selected at its last attempt: the log at its end, the rest at its beginning", () => {
    expect(pressAll("down down down enter", seen).ui.place).toMatchObject({
      ...{ task: "webhooks", n: 2, tab: "log", top: "end" },
    });
    expect(pressAll("d", seen).ui.place).toMatchObject({ task: "checkout-ui", tab: "diff", top: 0 });
  });

  test("ask before anything is done; only an answer does it", () => {
    const asked = pressAll("r", seen);
    expect([asked.ui.selected, asked.ui.asking?.asked.question, asked.act]).toEqual([
      "tax",
      "Retry tax?",
      undefined,
    ]);
    expect(pressAll("r x", seen)).toMatchObject({ ui: { asking: asked.ui.asking } });
    expect(pressAll("r esc", seen)).toEqual({ ui: { ...asked.ui, asking: null } });
    expect(pressAll("r enter", seen).act).toEqual({ kind: "retry", task: "tax" });
    expect(pressAll("p y", seen).act).toEqual({ kind: "pause" });
    expect(pressAll("s enter", seen).act).toEqual({ kind: "stop", mode: "drain" });
    expect(pressAll("s n", seen).act).toEqual({ kind: "stop", mode: "stop" });
  });

  test("R tests limits that tasks wait for, and says where there are none", () => {
    expect(pressAll("R", seen).ui.asking?.asked.question).toMatch(/^Retry .* now\?$/);
    expect(pressAll("R enter", seen).act).toEqual({ kind: "retry-now" });
    const none = seenIn(new Scenario([{ id: "a" }]).start("a/1"));
    expect(pressAll("R", none).ui.told?.text).toBe("no task is paused by a limit");
  });

  test("what makes no sense is left to the driver to refuse, or told", () => {
    expect(pressAll("down r", seen).act).toEqual({ kind: "retry", task: "checkout-ui" });
    expect(pressAll("down o", seen).ui.told?.text).toBe("cannot open `checkout-ui`: it is running");
    expect(pressAll("a", seen).ui.told?.text).toBe("no task to approve");
    expect(pressAll("L", seen).ui.told?.text).toContain("nothing can land now");
  });

  test("of a run that drains only the harder ways to stop are asked", () => {
    const draining = seenIn(story().ask({ kind: "stop", mode: "drain" }) as Scenario);
    expect(pressAll("s enter", draining).act).toEqual({ kind: "stop", mode: "stop" });
  });

  test("q leaves where one only watches, and nowhere else", () => {
    expect(pressAll("q", seenIn(run, "leaves")).leaves).toBe(true);
    expect(pressAll("q", seen)).toMatchObject({ ui: { told: { style: "yellow" } } });
    expect(pressAll("q", seen).leaves).toBeUndefined();
  });

  test("the list of keys is closed by any key that closes", () => {
    for (const key of ["esc", "q", "?"]) expect(pressAll(`? ${key}`, seen).ui.place).toEqual({ kind: "run" });
    expect(pressAll("d ? esc", seenIn(run, "stops", LINES)).ui.place).toMatchObject({
      kind: "task",
      tab: "diff",
    });
  });
});

describe("keys before a task", () => {
  const before = seenIn(run, "stops", LINES);
  const place = (keys: string) => pressAll(keys, before).ui.place;

  test("go from tab to tab and back to the block", () => {
    expect(place("enter tab")).toMatchObject({ tab: "diff", top: 0 });
    expect(place("enter shift-tab")).toMatchObject({ tab: "prompt" });
    expect(place("enter c m l")).toMatchObject({ tab: "log", top: "end" });
    expect(place("enter esc")).toEqual({ kind: "run" });
  });

  test("go from attempt to attempt, as far as there are any", () => {
    expect(place("r esc enter [")).toMatchObject({ task: "tax", n: 2 });
    expect(place("r esc enter [ [ [ [")).toMatchObject({ n: 1 });
    expect(place("r esc enter [ ] ] ]")).toMatchObject({ n: 3 });
  });

  test("scroll, and follow again at the end", () => {
    expect(place("enter up")).toMatchObject({ top: 89 });
    expect(place("enter up down")).toMatchObject({ top: "end" });
    expect(place("enter home pagedown")).toMatchObject({ top: 9 });
    expect(place("enter home pageup up")).toMatchObject({ top: 0 });
    expect(place("enter home end")).toMatchObject({ top: "end" });
  });

  test("jump to files and hunks of a diff", () => {
    expect(place("d n")).toMatchObject({ top: 30 });
    expect(place("d n n p")).toMatchObject({ top: 30 });
    expect(place("d } }")).toMatchObject({ top: 20 });
    expect(place("d } } {")).toMatchObject({ top: 1 });
  });

  test("find what is typed, whatever it is, and jump from hit to hit until it is let go", () => {
    expect(place("d / q r enter")).toMatchObject({ find: { text: "qr", isTyping: false }, top: 5 });
    expect(place("d / x enter n")).toMatchObject({ top: 50 });
    expect(place("d / x enter n N")).toMatchObject({ top: 5 });
    expect(place("d / x backspace enter")).toMatchObject({ find: null });
    expect(place("d / x enter esc n")).toMatchObject({ find: null, top: 30 });
  });

  test("ask about this task", () => {
    const { ui } = pressAll("r esc enter r", before);
    expect(ui.asking?.asked.question).toBe("Retry tax?");
    expect(ui.place).toMatchObject({ kind: "task", task: "tax" });
  });
});

test("a task that has not started is opened without an attempt", () => {
  const fresh = seenIn(new Scenario([{ id: "a" }]));
  expect(pressAll("enter ] [", fresh).ui.place).toMatchObject({ task: "a", n: 0 });
});
