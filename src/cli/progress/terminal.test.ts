import { describe, expect, test } from "vitest";
import { createManualClock } from "../../../test/support/manual-clock.ts";
import { gateOf, taskId } from "../../../test/support/plans.ts";
import { Scenario } from "../../../test/support/scenario.ts";
import type { RunListener, RunView } from "../../app/run-view.ts";
import type { Activity } from "../../core/activity.ts";
import type { FactBody } from "../../core/facts.ts";
import type { AttemptId } from "../../core/ids.ts";
import { glyphs } from "../render/glyphs.ts";
import { reversed } from "../render/line.ts";
import { cells } from "../render/width.ts";
import { followRun } from "./follow.ts";
import type { ProgressIo } from "./io.ts";
import { createPacer } from "./pacer.ts";
import { createPainter, painted } from "./painter.ts";

/** A terminal of a few lines: what a person sees after these codes, and nothing but the codes that plait uses. */
class Screen {
  columns: number;
  height: number;
  /** Rows that were scrolled out come first. `wraps`: the next row goes on with the same line. */
  rows: { text: string[]; wraps: boolean }[] = [{ text: [], wraps: false }];
  /** The first row on the screen; those before it are out of reach. */
  top = 0;
  row = 0;
  column = 0;
  isCursorHidden = false;
  isUpdating = false;

  constructor(columns: number, height: number) {
    this.columns = columns;
    this.height = height;
  }

  take(text: string): void {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes are what this looks for
    const tokens = /\u001b\[(\?\d+[hl]|\d*[A-Za-z])|\n|\r|[^\u001b]/gu;
    for (const [token, code] of text.matchAll(tokens)) this.apply(token, code);
    expect(this.isUpdating).toBe(false);
  }

  private apply(token: string, code: string | undefined): void {
    if (code === undefined) this.write(token);
    else if (code === "?2026h" || code === "?2026l") this.isUpdating = code.endsWith("h");
    else if (code === "?25l" || code === "?25h") this.isCursorHidden = code.endsWith("l");
    else if (code.endsWith("A")) this.row = Math.max(this.top, this.row - Number(code.slice(0, -1)));
    else if (code === "K") this.erase();
    else if (code === "J") {
      this.erase();
      this.rows.length = this.row + 1;
    } else if (!/^\d*m$/.test(code)) throw new Error(`unknown code ${JSON.stringify(code)}`);
  }

  private erase(): void {
    const row = this.current();
    // Behind the last column the cursor stands on it: what is erased is the last character.
    row.text.length = Math.min(row.text.length, this.column, this.columns - 1);
    row.wraps = false;
  }

  private current() {
    while (this.rows.length <= this.row) this.rows.push({ text: [], wraps: false });
    this.top = Math.max(this.top, this.row - this.height + 1);
    return this.rows[this.row] as { text: string[]; wraps: boolean };
  }

  private write(char: string): void {
    if (char === "\n" || char === "\r") {
      this.column = 0;
      if (char === "\n") this.row += 1;
      this.current();
      return;
    }
    const size = cells(char);
    if (this.column + size > this.columns) {
      this.current().wraps = true;
      this.row += 1;
      this.column = 0;
    }
    const { text } = this.current();
    while (text.length < this.column) text.push(" ");
    text.splice(this.column, size, char, ...Array(Math.max(0, size - 1)).fill(""));
    this.column += size;
  }

  /** As most terminals do it: what was written is wrapped anew. */
  resize(columns: number, height: number): void {
    const lines: string[][] = [[]];
    let cursor = 0;
    this.rows.forEach(({ text, wraps }, n) => {
      if (n === this.row) cursor = lines.length - 1;
      lines.at(-1)?.push(...text);
      if (!wraps && n < this.rows.length - 1) lines.push([]);
    });
    this.columns = columns;
    this.height = height;
    this.rows = [];
    lines.forEach((line, n) => {
      if (n === cursor) this.row = this.rows.length;
      for (let at = 0; at === 0 || at < line.length; at += columns) {
        this.rows.push({ text: line.slice(at, at + columns), wraps: at + columns < line.length });
      }
    });
    this.top = Math.max(0, this.rows.length - height);
  }

  /** With what was scrolled out. */
  all(): string[] {
    const lines = this.rows.map(({ text }) => text.join("").trimEnd());
    return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
  }

  seen(): string[] {
    return this.all().slice(this.top);
  }
}

/** A run that a test drives, as those see it who watch. */
function watched(run: Scenario, clock = createManualClock()) {
  const listeners = new Set<RunListener>();
  const activity = new Map<AttemptId, Activity>();
  const startedAt = clock.now() - run.now;
  const view: RunView = {
    run: run.state.run,
    folder: "/run",
    state: () => run.state,
    now: () => clock.now() - startedAt,
    activity: () => activity,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const tell = run.fact.bind(run);
  run.fact = (body: FactBody) => {
    const before = run.state;
    run.now = view.now();
    tell(body);
    const fact = run.facts.at(-1);
    if (fact !== undefined) for (const { fact: hear } of listeners) hear?.(fact, run.state, before);
    return run;
  };
  const does = (attempt: string, action: string) => {
    const id = attempt as AttemptId;
    const usage = { costUsd: null, inputTokens: null, outputTokens: null };
    const one: Activity = { attempt: id, at: view.now(), action, usage };
    activity.set(id, one);
    for (const { activity: hear } of listeners) hear?.(one);
  };
  return { view, clock, listeners, does };
}

function terminal(run: Scenario, columns = 80, height = 24) {
  const screen = new Screen(columns, height);
  const writes: string[] = [];
  const resizes = new Set<() => void>();
  const pending: ((ok: boolean) => void)[] = [];
  const stream = { isSlow: false };
  const io: ProgressIo = {
    write: (text, flushed) => {
      writes.push(text);
      screen.take(text);
      if (stream.isSlow) pending.push(flushed);
      else flushed(true);
    },
    columns: () => screen.columns,
    rows: () => screen.height,
    onResize: (listener) => {
      resizes.add(listener);
      return () => void resizes.delete(listener);
    },
    colours: true,
    glyphs: glyphs.unicode,
  };
  const watching = watched(run);
  const follower = followRun(watching.view, "terminal", {
    io,
    clock: watching.clock,
    interrupt: "stops",
  });
  const resize = (width: number, rows: number) => {
    screen.resize(width, rows);
    for (const listener of resizes) listener();
  };
  const flush = (ok = true) => {
    for (const done of pending.splice(0)) done(ok);
  };
  return { ...watching, io, screen, writes, follower, resize, flush, resizes, stream };
}

const two = [{ id: "api" }, { id: "page" }];

describe("a run on a terminal", () => {
  test("shows the block, lines that stay above it, and at the end only those", () => {
    const run = new Scenario(two);
    const { clock, screen, follower } = terminal(run);
    clock.advance(0);
    run.start("api/1");
    clock.advance(100);
    expect(screen.seen().slice(1)).toEqual([
      `${"╍".repeat(33)}${"─".repeat(34)}  0 of 2 done`,
      "",
      "",
      " ⠙*api   claude      0:00",
      "",
      " ◦ page  waiting",
      "",
      " ^C stops and saves",
    ]);
    expect(screen.isCursorHidden).toBe(true);
    run.end("api/1").save("api/1").merge();
    clock.advance(100);
    const [first, second] = screen.seen();
    expect(first).toMatch(/^\d\d:\d\d:\d\d ✓ api {4}merged {4}[0-9a-f]{7} {3}0:00$/);
    expect(second).toMatch(/^run-1 /);
    expect(screen.seen().join("\n")).toContain("1 of 2 done");
    follower.close();
    expect(screen.all()).toEqual([first]);
    expect(screen.isCursorHidden).toBe(false);
  });

  test("other lines go above the block and tear nothing", () => {
    const run = new Scenario(two);
    const { clock, screen, follower } = terminal(run, 80, 12);
    clock.advance(0);
    for (let n = 1; n <= 30; n += 1) {
      follower.say(`line ${n}\n`);
      clock.advance(100);
    }
    const all = screen.all();
    expect(all.slice(0, 30)).toEqual(Array.from({ length: 30 }, (_, n) => `line ${n + 1}`));
    expect(all[30]).toMatch(/^run-1 /);
    expect(all.filter((line) => line.startsWith("run-1 "))).toHaveLength(1);
  });

  test("is drawn again for a terminal that became narrower, wider or lower", () => {
    const run = new Scenario(two).start("api/1");
    const { clock, screen, follower, resize } = terminal(run, 100, 30);
    follower.say("before\n");
    clock.advance(0);
    for (const [columns, rows] of [
      [61, 30],
      [40, 30],
      [120, 40],
      [50, 40],
      [80, 24],
    ] as const) {
      resize(columns, rows);
      clock.advance(1_000);
      const seen = screen.seen();
      expect(seen[0], `${columns}x${rows}`).toBe("before");
      expect(Math.max(...seen.map(cells))).toBeLessThanOrEqual(columns);
      expect(seen.filter((line) => line.includes("run-1") || line.startsWith("0/2"))).toHaveLength(1);
    }
    follower.close();
    expect(screen.all()).toEqual(["before"]);
  });

  test("leaves nothing on a screen that became too small for what was on it", () => {
    const { clock, screen, follower, resize } = terminal(new Scenario(two).start("api/1"), 120, 40);
    clock.advance(0);
    resize(20, 5);
    clock.advance(100);
    expect(screen.seen()).toEqual(["0/2 0:00"]);
    follower.close();
    expect(screen.seen()).toEqual([]);
  });

  test("writes at most ten times a second, and nothing when nothing changed", () => {
    const run = new Scenario(two).start("api/1");
    const { clock, writes, does } = terminal(run);
    clock.advance(0);
    expect(writes).toHaveLength(1);
    for (let n = 0; n < 100; n += 1) {
      does("api/1", `Edit ${n}`);
      clock.advance(10);
    }
    expect(writes.length).toBeLessThanOrEqual(11);
    for (const text of writes) expect(text.match(/\?2026[hl]/g)).toEqual(["?2026h", "?2026l"]);
  });

  test("draws less often where a frame takes long, and never stands still", () => {
    const clock = createManualClock();
    let frames = 0;
    const pacer = createPacer(clock, () => {
      frames += 1;
      clock.advance(5);
      pacer.soon();
    });
    pacer.soon();
    clock.advance(60_000);
    expect(frames).toBeGreaterThanOrEqual(60_000 / 250);
    expect(frames).toBeLessThan(60_000 / 200);
  });

  test("without an agent at work it writes only what the seconds change", () => {
    const { clock, writes } = terminal(new Scenario(two));
    clock.advance(10_000);
    expect(writes.length).toBeLessThanOrEqual(11);
    // One line of the block, not all of it.
    expect(writes.at(-1)?.length).toBeLessThan((writes[0] as string).length);
  });

  test("a terminal that takes nothing gets no frames, and later everything that stays", () => {
    const run = new Scenario(two);
    const { clock, screen, writes, follower, flush, stream } = terminal(run);
    stream.isSlow = true;
    clock.advance(0);
    run.start("api/1").end("api/1").save("api/1").merge();
    follower.say("said meanwhile\n");
    clock.advance(60_000);
    expect(writes).toHaveLength(1);
    flush();
    clock.advance(100);
    expect(writes).toHaveLength(2);
    expect(screen.seen()[0]).toContain("✓ api");
    expect(screen.seen()[1]).toBe("said meanwhile");
    expect(clock.pending()).toBe(0);
  });

  test("what nobody takes does not pile up", () => {
    const { clock, screen, follower, flush, stream } = terminal(new Scenario(two));
    stream.isSlow = true;
    clock.advance(0);
    for (let n = 0; n < 10_000; n += 1) follower.say(`line ${n}\n`);
    flush();
    clock.advance(100);
    expect(screen.all().filter((line) => line.startsWith("line ")).length).toBeLessThanOrEqual(2_000);
    expect(screen.all().join("\n")).toMatch(/\(\d+ texts left out: the terminal took none\)/);
    expect(screen.all()).toContain("line 9999");
  });

  test("a terminal that is gone ends it without a word", () => {
    const { clock, writes, follower, flush, listeners, resizes, stream } = terminal(new Scenario(two));
    stream.isSlow = true;
    clock.advance(0);
    flush(false);
    clock.advance(10_000);
    follower.close();
    expect(writes).toHaveLength(1);
    expect([listeners.size, resizes.size, clock.pending()]).toEqual([0, 0, 0]);
  });

  test("what agents and plans say cannot move the cursor or turn the writing", () => {
    const evil = "\u001b[2J\u0007\u202e\u200b\r\nx";
    const run = new Scenario(two, { plan: { gates: [gateOf(`test ${evil}`)] } }).start("api/1");
    const { clock, writes, does, screen } = terminal(run);
    does("api/1", `Edit ${evil}`);
    clock.advance(0);
    run.fact({ type: "task.held", task: taskId("page"), why: evil });
    run.end("api/1", { reason: "agent-said-no", detail: evil }).save("api/1");
    clock.advance(100);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
    const codes = /\u001b\[(\?(2026|25)[hl]|\d*[AKJm])/g;
    expect(writes.join("").replace(codes, "")).toMatch(/^(?:[^\p{Cc}\u202e\u200b]|[\n\r])*$/u);
    expect(screen.all().join("\n")).toContain("<U+001B>[2J<U+0007><U+202E><U+200B>");
  });
});

test("blanks at the end of a line count only where they are seen", () => {
  const ink = { ink: { colours: true }, ascii: false };
  expect(
    painted([{ text: "a", style: "red" }, " end of an m", "   "], { columns: 9, rows: 9, ...ink }).plain,
  ).toBe("a end of an m");
  expect(painted(reversed(["ab", "  "]), { columns: 9, rows: 9, ...ink }).plain).toBe("ab  ");
});

test("the painter erases nothing behind a line that fills the width", () => {
  const painter = createPainter();
  const screen = new Screen(10, 5);
  const ink = { ink: { colours: false }, ascii: false };
  const size = { columns: 10, rows: 5, ...ink };
  for (const line of ["short", "0123456789", "short again".slice(0, 9), "一二三四五"]) {
    screen.take(painter.frame([[line], ["below"]], "", size) ?? "");
    expect(screen.seen()).toEqual([line, "below"]);
  }
  expect(painter.frame([["一二三四五"], ["below"]], "", size)).toBeNull();
  screen.resize(5, 9);
  screen.take(painter.frame([["new"]], "", { columns: 5, rows: 9, ...ink }) ?? "");
  expect(screen.all()).toEqual(["new"]);
});
