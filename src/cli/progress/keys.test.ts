import { describe, expect, test } from "vitest";
import { createManualClock } from "../../../test/support/manual-clock.ts";
import { taskId } from "../../../test/support/plans.ts";
import { Scenario } from "../../../test/support/scenario.ts";
import type { RunTexts } from "../../app/index.ts";
import type { RunListener, RunView } from "../../app/run-view.ts";
import type { RunAction } from "../../core/decide.ts";
import type { Artist } from "../keys/keyboard.ts";
import { type Glyphs, glyphs } from "../render/glyphs.ts";
import type { Hues } from "../render/line.ts";
import { followRun } from "./follow.ts";
import type { ProgressIo } from "./io.ts";

const texts: RunTexts = {
  log: async () => ({ ok: true }),
  diff: async () => ({ ok: true, kind: "at-work" }),
  prompt: async () => null,
};

/** A run at a terminal with a keyboard: what is typed, and all that is written. */
function sit({ hues = "basic" as Hues, refusal = null as string | null } = {}) {
  const run = new Scenario([{ id: "api" }, { id: "page" }]).start("api/1");
  const clock = createManualClock();
  const listeners = new Set<RunListener>();
  const seen = {
    written: [] as string[],
    screens: [] as string[],
    acted: [] as RunAction[],
    signs: null as Glyphs | null,
  };
  let type: (text: string) => void = () => undefined;
  let artist: Artist | null = null;
  let [isClosed, hasLeft] = [false, false];
  const io: ProgressIo = {
    write: (text, flushed) => {
      seen.written.push(text);
      flushed(true);
    },
    ...{ columns: () => 80, rows: () => 24, onResize: () => () => undefined },
    ...{ colours: true, hues, glyphs: glyphs.unicode },
    keyboard: {
      listen: (listener) => {
        type = listener;
        return () => undefined;
      },
      screen: (one) => void seen.screens.push(one),
      drawnBy: (one) => {
        artist = one;
      },
      close: () => {
        isClosed = true;
      },
    },
  };
  const view: RunView = {
    ...{ run: run.state.run, folder: "/run", state: () => run.state, now: () => run.now },
    activity: () => new Map(),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const tell = (body: Parameters<typeof run.fact>[0]) => {
    const before = run.state;
    run.fact(body);
    for (const { fact: hear } of listeners) hear?.(run.facts.at(-1) as never, run.state, before);
  };
  const hold = () => tell({ type: "task.held", task: taskId("page"), why: "look at it" });
  const follower = followRun(view, "terminal", {
    ...{ io, clock, interrupt: "leaves" },
    controls: {
      texts,
      leave: () => {
        hasLeft = true;
      },
      act: async (action) => {
        seen.acted.push(action);
        return refusal;
      },
    },
    onGlyphs: (better) => {
      seen.signs = better;
    },
  });
  const news = () => seen.written.splice(0).join("");
  const later = (ms = 100) => {
    clock.advance(ms);
    return news();
  };
  return {
    ...{ seen, clock, follower, news, later, hold, tell },
    type: (text: string) => type(text),
    artist: () => artist as Artist | null,
    isClosed: () => isClosed,
    hasLeft: () => hasLeft,
  };
}

const shownCodes = (text: string): string => text.replaceAll("\u001b[", "<");

const NARROW = "\u001b[5;2R";
const WIDE = "\u001b[5;3R";

test("a question goes when the run stops meanwhile", () => {
  const { type, later, tell, seen } = sit();
  type(`${NARROW}s`);
  expect(later()).toContain("esc");
  tell({ type: "run.stopping", mode: "stop", signal: "SIGINT" });
  later();
  type("n");
  expect(seen.acted).toEqual([]);
});

describe("what the terminal can show", () => {
  test("is asked before the first frame, which does not wait long for the answer", () => {
    const { later, news, type } = sit();
    expect(news()).toBe("\r─\u001b[6n\r\u001b[K");
    expect(later(50)).toBe("");
    type(NARROW);
    expect(later(0)).toContain("╍");
    const silent = sit();
    silent.news();
    expect(silent.later(99)).toBe("");
    expect(silent.later(1)).toContain("╍");
  });

  test.each([
    ["at once", 0],
    ["late", 500],
  ])("is ASCII where a rule takes two cells, told %s", (_, ms) => {
    const { later, news, type, seen } = sit();
    later(ms);
    news();
    type(WIDE);
    const frame = later();
    expect(frame).toContain("0 of 2");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes of the terminal are there too
    expect(frame).toMatch(/^[\x00-\x7e]*$/);
    expect(seen.signs?.ascii).toBe(true);
  });

  test("is dark or light colours, as it says itself", () => {
    const light = sit({ hues: "dark" });
    expect(light.news()).toContain("\u001b]11;?");
    light.type(`\u001b]11;rgb:ffff/ffff/ffff\u0007${NARROW}`);
    expect(light.later()).toContain("\u001b[38;2;11;87;204m");
    const dark = sit({ hues: "dark" });
    dark.type(NARROW);
    expect(dark.later()).toContain("\u001b[38;2;90;162;255m");
    expect(sit().news()).not.toContain("]11;");
  });

  test("an answer that is on its way when all is over is waited for, so that no shell reads it", () => {
    const { follower, clock, type, isClosed } = sit();
    follower.close();
    expect(isClosed()).toBe(false);
    type(NARROW);
    expect([isClosed(), clock.pending()]).toEqual([true, 0]);
    const silent = sit();
    silent.follower.close();
    silent.clock.advance(200);
    expect(silent.isClosed()).toBe(true);
  });
});

describe("a screen of its own", () => {
  function opened() {
    const at = sit();
    at.type(NARROW);
    at.later();
    at.type("\r");
    return at;
  }

  test("is entered for a task and left again; what stays is written then, and once", () => {
    const { later, type, hold, seen } = opened();
    const entered = later();
    expect(entered).toContain("\u001b[?1049h");
    expect(entered).toContain("[log]");
    hold();
    expect(later(1_000)).not.toContain("look at it");
    type("q");
    const back = later();
    // Wiped first: in tmux wide lines of it would stay in the history when the terminal had grown meanwhile.
    expect(back.startsWith("\u001b[2J\u001b[?1049l")).toBe(true);
    expect(back.match(/held {6}look at it/g)).toHaveLength(1);
    expect([seen.screens[0], seen.screens.at(-1)]).toEqual(["alternate", "main"]);
  });

  test("goes when the run ends", () => {
    const { later, follower, hold, news, isClosed } = opened();
    later();
    hold();
    follower.close();
    expect(shownCodes(news())).toMatch(/^<2J<\?1049l.*look at it.*<\?25h$/s);
    expect(isClosed()).toBe(true);
  });

  test("has only the lines that changed, and nothing when none did", () => {
    const { later } = opened();
    later();
    expect(later(1_000)).toBe("");
  });
});

test("while this process is stopped nothing is drawn, and then everything", () => {
  const { type, later, hold, artist, news } = sit();
  type(NARROW);
  later();
  let hasRested = false;
  artist()?.rest(() => {
    hasRested = true;
  });
  expect(shownCodes(news())).toMatch(/<J.*<\?25h$/s);
  expect(hasRested).toBe(true);
  hold();
  expect(later(5_000)).toBe("");
  artist()?.goOn();
  expect(later()).toMatch(/look at it.*run-1/s);
});

test("an action is asked of the driver, and its answer is seen for a while", async () => {
  const { type, later, seen, hasLeft } = sit({ refusal: "Cannot do that." });
  type(NARROW);
  later();
  type("p");
  expect(later()).toContain("Pause run-1?");
  expect(seen.acted).toEqual([]);
  type("\r");
  await Promise.resolve();
  await Promise.resolve();
  expect(seen.acted).toEqual([{ kind: "pause" }]);
  expect(later()).toContain("Cannot do that.");
  expect(later(6_000)).toContain("? keys");
  type("q");
  expect(hasLeft()).toBe(true);
});
