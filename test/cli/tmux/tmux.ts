import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll } from "vitest";
import type { Extra } from "../../support/extras.ts";

/** Terminals that nobody sees, with real keys and a real screen. */

export const withTmux: Extra = {
  name: "tmux",
  isThere: isThere(),
  install: "to install it: apt-get install tmux",
};

function isThere(): boolean {
  try {
    execFileSync("tmux", ["-V"], { stdio: "ignore" });
    return true;
  } catch {
    return false; // then the tests say so
  }
}

export type Terminal = {
  /** What is on it, without blank ends. */
  readonly screen: () => Promise<string>;
  /** What is on it as soon as this is. */
  readonly seen: (text: string | RegExp) => Promise<string>;
  readonly gone: (text: string | RegExp) => Promise<string>;
  /** As tmux names keys: `Down`, `C-c`, or what is typed. */
  readonly press: (...keys: string[]) => Promise<void>;
  readonly resize: (columns: number, rows: number) => Promise<void>;
  /** As nobody can defend oneself against. */
  readonly kill: () => Promise<void>;
  /** Whether the cursor is seen, and whether another screen than the first is. */
  readonly state: () => Promise<{ readonly hasCursor: boolean; readonly isAlternate: boolean }>;
};

const run = promisify(execFile);
/** One server for a file of tests: nothing of the user's is read or touched. */
const folder = mkdtempSync(join(realpathSync(tmpdir()), "plait-tmux-"));
const tmux = async (...args: string[]): Promise<string> =>
  (await run("tmux", ["-f", "/dev/null", "-S", join(folder, "socket"), ...args])).stdout;

afterAll(async () => {
  await tmux("kill-server").catch(() => undefined); // where none was started
  rmSync(folder, { recursive: true, force: true });
});

export type Opened = {
  readonly argv: readonly string[];
  readonly columns: number;
  readonly rows: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
};

let opened = 0;

export async function openTerminal({ argv, columns, rows, cwd = "/", env = {} }: Opened): Promise<Terminal> {
  const { PATH = "/usr/bin:/bin" } = process.env;
  const name = `t${opened++}`;
  const all = { PATH, LANG: "C.UTF-8", HOME: folder, ...env };
  const words = [
    "env",
    "-i",
    "TERM=tmux-256color",
    ...Object.entries(all).map(([key, value]) => `${key}=${value}`),
    // A terminal whose program has ended is drawn over: this one stays, and hears ^C without minding it.
    ...["sh", "-c", 'trap : INT; "$@"; exec cat', "sh", ...argv],
  ];
  await tmux(
    ...["new-session", "-d", "-s", name, "-x", String(columns), "-y", String(rows), "-c", cwd],
    ...["--", ...words],
    ...[";", "set-option", "-s", "escape-time", "0"],
  );
  const screen = async () => (await tmux("capture-pane", "-p", "-t", name)).replace(/\s+$/, "\n");
  return {
    screen,
    seen: (text) => until(screen, (now) => matches(now, text), `to see ${text}`),
    gone: (text) => until(screen, (now) => !matches(now, text), `${text} to go`),
    press: async (...keys) => void (await tmux("send-keys", "-t", name, ...keys)),
    resize: async (width, height) =>
      void (await tmux("resize-window", "-t", name, "-x", String(width), "-y", String(height))),
    kill: async () => {
      const shell = (await tmux("display-message", "-p", "-t", name, "#{pane_pid}")).trim();
      const [child = ""] = (await run("ps", ["-o", "pid=", "--ppid", shell])).stdout.trim().split(/\s+/);
      process.kill(Number(child), "SIGKILL");
    },
    state: async () => {
      const [cursor, alternate] = (
        await tmux("display-message", "-p", "-t", name, "#{cursor_flag} #{alternate_on}")
      )
        .trim()
        .split(" ");
      return { hasCursor: cursor === "1", isAlternate: alternate === "1" };
    },
  };
}

const matches = (screen: string, text: string | RegExp): boolean =>
  typeof text === "string" ? screen.includes(text) : text.test(screen);

const LOOK_MS = 30;
const PATIENCE_MS = 60_000;

/** A screen that was seen twice: a capture may come in the middle of a frame. */
async function until(
  look: () => Promise<string>,
  isThere: (screen: string) => boolean,
  what: string,
): Promise<string> {
  const begun = Date.now();
  for (let before = ""; ; ) {
    const screen = await look();
    if (screen === before && isThere(screen)) return screen;
    if (Date.now() - begun > PATIENCE_MS) throw new Error(`waited for ${what}; this was seen:\n${screen}`);
    before = screen;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
