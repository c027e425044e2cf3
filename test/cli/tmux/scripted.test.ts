import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeWith } from "../../support/extras.ts";
import { expectGolden } from "../golden.ts";
import { root } from "../plait.ts";
import { openTerminal, type Terminal, withTmux } from "./tmux.ts";

/** The run of the design at a terminal, as people see it. `UPDATE=1` rewrites what is expected; look at it, it is the design. */
describeWith(withTmux, "the run of the design at a terminal", () => {
  const folder = mkdtempSync(join(tmpdir(), "plait-scripted-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeAll(async () => {
    await build({
      ...{ root, configFile: false, logLevel: "error", publicDir: false },
      ssr: { noExternal: true },
      build: { ssr: "test/cli/tmux/scripted.ts", outDir: folder, minify: false, target: "node20" },
    });
  });

  const open = (columns: number, rows: number, ...words: string[]): Promise<Terminal> =>
    openTerminal({ argv: [process.execPath, join(folder, "scripted.js"), ...words], columns, rows });

  it.concurrent("fits 200 columns, 80 and 40", async () => {
    const sizes = [
      [200, 50],
      [80, 24],
      [40, 12],
    ] as const;
    await Promise.all(
      sizes.map(async ([columns, rows]) => {
        const terminal = await open(columns, rows);
        expectGolden(`tmux/live-${columns}x${rows}.txt`, await terminal.seen("? keys"));
        await terminal.press("C-c");
      }),
    );
  });

  it.concurrent("is drawn anew when the terminal changes its size, below what stays", async () => {
    const terminal = await open(80, 24);
    await terminal.seen("? keys");
    await terminal.press("C-g");
    await terminal.seen(/inventory +merged/);
    await terminal.resize(120, 40);
    await terminal.seen("agents  ");
    await terminal.resize(60, 20);
    await terminal.gone("agents  ");
    const screen = await terminal.seen(/full access +5 of 8 slots {2}42:18\n.*\? keys/s);
    expect(screen.match(/checkout-k7f2 /g)).toHaveLength(1);
    expectGolden("tmux/resized-60x20.txt", screen);
    await terminal.press("C-c");
    const end = await terminal.seen("continues");
    expect(end).not.toContain("checkout-k7f2 ");
    expect(await terminal.state()).toEqual({ hasCursor: true, isAlternate: false });
  });

  it.concurrent("shows the log, diff, gates and prompt of a task; what happens meanwhile is told afterwards", async () => {
    const terminal = await open(80, 24);
    await terminal.seen("? keys");
    await terminal.press(...Array(10).fill("Down"));
    expectGolden("tmux/selected-80x24.txt", await terminal.seen(">✗ tax"));
    await terminal.press("Enter");
    expectGolden("tmux/log-80x24.txt", await terminal.seen("tax failed: gate"));
    await terminal.press("/", "h", "a", "l", "f", "Enter");
    expectGolden("tmux/find-80x24.txt", await terminal.seen("n N hit"));
    await terminal.press("Escape", "Tab");
    expectGolden("tmux/diff-80x24.txt", await terminal.seen("file 1 of 4"));
    await terminal.press("C-g");
    await terminal.press("n");
    await terminal.seen("file 2 of 4");
    await terminal.press("Tab");
    expectGolden("tmux/gates-80x24.txt", await terminal.seen("[gates]"));
    await terminal.press("m");
    await terminal.seen("Compute taxes by region.");
    await terminal.press("[");
    await terminal.seen("attempt 1 [2] 3");
    expect((await terminal.state()).isAlternate).toBe(true);
    await terminal.press("Escape");
    expectGolden("tmux/back-80x24.txt", await terminal.seen(/inventory +merged/));
    await terminal.press("C-c");
  });

  it.concurrent("that is killed leaves no screen of its own behind, and the cursor is seen", async ({
    expect: its,
  }) => {
    const terminal = await open(80, 24);
    await terminal.seen("? keys");
    await terminal.press("Enter");
    await terminal.seen("[log]");
    await terminal.kill();
    await terminal.gone("[log]");
    await its.poll(terminal.state).toEqual({ hasCursor: true, isAlternate: false });
  });

  it.concurrent("shows the same where there is little room", async () => {
    const terminal = await open(40, 12);
    await terminal.seen("? keys");
    await terminal.press(...Array(10).fill("Down"));
    expectGolden("tmux/selected-40x12.txt", await terminal.seen("✗>tax"));
    await terminal.press("Enter");
    expectGolden("tmux/log-40x12.txt", await terminal.seen("[log]"));
    await terminal.press("d");
    expectGolden("tmux/diff-40x12.txt", await terminal.seen("1 of 4"));
    await terminal.press("Escape", "s");
    expectGolden("tmux/drain-40x12.txt", await terminal.seen("esc no"));
    await terminal.press("Escape", "?");
    expectGolden("tmux/keys-40x12.txt", await terminal.seen("the run"));
    await terminal.press("C-c");
  });

  it.concurrent("asks once before anything is done, and tells a refusal", async () => {
    const terminal = await open(80, 24, "--watch");
    await terminal.seen("q leave");
    await terminal.press("r");
    expectGolden("tmux/retry-80x24.txt", await terminal.seen("enter yes"));
    await terminal.press("x", "Escape");
    await terminal.gone("enter yes");
    expect(await terminal.screen()).toMatch(/✗ tax .* failed/);
    await terminal.press("r", "Enter");
    await terminal.seen("Retrying tax.");
    await terminal.press("Home", "r");
    await terminal.seen("cannot retry `checkout-ui`: it is running");
    await terminal.press("?");
    expectGolden("tmux/keys-80x24.txt", await terminal.seen("a task"));
    await terminal.press("q", "q");
    await terminal.seen("continues");
    expect(await terminal.state()).toEqual({ hasCursor: true, isAlternate: false });
  });
});
