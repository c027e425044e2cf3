import { describe, expect, test } from "vitest";
import { activity, Checkout, ended, SKETCHES, story, tax, unit } from "../../../../test/support/checkout.ts";
import { taskId } from "../../../../test/support/plans.ts";
import { Scenario } from "../../../../test/support/scenario.ts";
import { evolve } from "../../../core/evolve.ts";
import type { Fact } from "../../../core/facts.ts";
import type { RunState } from "../../../core/run-state.ts";
import { glyphs } from "../glyphs.ts";
import { plainText } from "../line.ts";
import { cells } from "../width.ts";
import { endLines } from "./end.ts";
import { happened } from "./happened.ts";
import { liveBlock } from "./live.ts";
import { plainHead } from "./summary.ts";
import { githubFailures } from "./tails.ts";

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
      /^plait 1.0.0 {2}run checkout-k7f2 {2}24 tasks {2}base [0-9a-f]{7} {2}onto main {2}full access$/,
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
    await picture("end-bad-github", githubFailures(state, TAILS, { glyphs: glyphs.unicode }).split("\n"));
  });

  test("is annotated where its reason says, else where its last lines do", () => {
    const detail = "exit code 4: boo src/a/b.ts:3 broken";
    const run = new Scenario([{ id: "a", retries: 0 }]).start("a/1").end("a/1", { reason: "crash", detail });
    const { state } = run.save("a/1").finish();
    const says = (...lines: string[]) => {
      const tails = new Map([[taskId("a"), { lines, log: null, textPath: null }]]);
      return githubFailures(state, { tasks: tails, base: new Map() }, { glyphs: glyphs.unicode });
    };
    for (const line of ["x", "src/other.ts:9 fine"])
      expect(says(line)).toContain("\n::error file=src/a/b.ts,line=3,title=a failed::");
  });
});
