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
  return { pid, word: wordOf(pid) };
}

function wordOf(pid: number): string {
  const ticks = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[19];
  return `${pid}:ticks:${ticks}`;
}

const shells = ["/bin/sh", "/bin/bash"].filter((shell) => existsSync(shell));

describe.each(shells)("the reaper's script in %s", (shell) => {
  async function reap(marker: string, words: string[], ...watched: string[]): Promise<void> {
    const options = shell.endsWith("bash") ? ["--norc"] : []; // bash takes a socket for a remote login
    const child = spawn(
      shell,
      [...options, "-c", REAPER_SCRIPT, "reaper", marker, await tempFolder(), ...watched],
      {
        env,
        stdio: ["pipe", "ignore", "inherit"],
      },
    );
    child.stdin?.end(words.map((word) => `${word}\n`).join(""));
    expect(await once(child, "exit")).toEqual([0, null]);
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

  it("knows those who lived when it started, and may be told to forget them", async () => {
    const [watched, forgotten] = [sleeper(), sleeper()];
    await reap(newMarker(), [`forget ${forgotten.word}`], forgotten.word, watched.word);
    expect([watched, forgotten].map(({ pid }) => isAlive(pid))).toEqual([false, true]);
  });

  it("ends a group whose leader has ended, though nothing else is left to find it by", async () => {
    const leader = spawn("sh", ["-c", "sleep 60 & echo $!; read -r line"], {
      env,
      detached: true,
      stdio: ["pipe", "pipe", "ignore"],
    });
    const [line] = await once(leader.stdout, "data");
    const member = Number(line);
    onTestFinished(() => killQuietly(member));
    const word = wordOf(leader.pid ?? 0);
    leader.stdin.end("\n");
    await once(leader, "exit");
    expect(isAlive(member)).toBe(true);
    await reap(newMarker(), [`watch ${word}`]);
    expect(isAlive(member)).toBe(false);
  });

  it("ends what carries the marker, and leaves when nothing is left", async () => {
    const marker = newMarker();
    const mine = sleeper({ PLAIT_RUN: marker });
    await reap(marker, []);
    expect(isAlive(mine.pid)).toBe(false);
  });

  it("ends nobody after a goodbye, whatever comes after it", async () => {
    const marker = newMarker();
    const mine = sleeper({ PLAIT_RUN: marker });
    await reap(marker, [`watch ${mine.word}`, "bye", "watch me"]);
    expect(isAlive(mine.pid)).toBe(true);
  });
});
