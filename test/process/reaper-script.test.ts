import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { REAPER_SCRIPT } from "../../src/process/reaper-script.ts";
import { env, isAlive, killQuietly, newMarker, tempFolder } from "./support.ts";

function sleeper(more: Record<string, string> = {}): { pid: number; word: string } {
  const child = spawn("sleep", ["60"], { env: { ...env, ...more }, detached: true, stdio: "ignore" });
  const pid = child.pid ?? 0;
  onTestFinished(() => killQuietly(pid));
  const ticks = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[19];
  return { pid, word: `${pid}:ticks:${ticks}` };
}

const shells = ["/bin/sh", "/bin/bash"].filter((shell) => existsSync(shell));

describe.each(shells)("the reaper's script in %s", (shell) => {
  async function reap(marker: string, words: string[]): Promise<number> {
    const options = shell.endsWith("bash") ? ["--norc"] : []; // bash takes a socket for a remote login
    const child = spawn(shell, [...options, "-c", REAPER_SCRIPT, "reaper", marker, await tempFolder()], {
      env,
      stdio: ["pipe", "ignore", "inherit"],
    });
    const begun = performance.now();
    child.stdin?.end(words.map((word) => `${word}\n`).join(""));
    expect(await once(child, "exit")).toEqual([0, null]);
    return performance.now() - begun;
  }

  it("ends groups that are watched, not those that were forgotten, nor a pid that is somebody else's by now", async () => {
    const [watched, forgotten, reused] = [sleeper(), sleeper(), sleeper()];
    await reap(newMarker(), [
      `watch ${forgotten.word}`,
      `watch ${watched.word}`,
      `watch ${reused.pid}:ticks:1`,
      `forget ${forgotten.word}`,
    ]);
    expect([watched, forgotten, reused].map(({ pid }) => isAlive(pid))).toEqual([false, true, true]);
  });

  it("ends what carries the marker, and leaves at once when nothing is left", async () => {
    const marker = newMarker();
    const mine = sleeper({ PLAIT_RUN: marker });
    expect(await reap(marker, [])).toBeLessThan(1_500);
    expect(isAlive(mine.pid)).toBe(false);
  });

  it("ends nobody after a goodbye, whatever comes after it", async () => {
    const marker = newMarker();
    const mine = sleeper({ PLAIT_RUN: marker });
    await reap(marker, [`watch ${mine.word}`, "bye", "watch me"]);
    expect(isAlive(mine.pid)).toBe(true);
  });
});
