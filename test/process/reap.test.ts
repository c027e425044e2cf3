import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { identify, isThisBoot, processTable, thisBoot } from "../../src/process/process-table.ts";
import { plaitWorktree, reapMarked } from "../../src/process/reap.ts";
import { programs, staysInFolder, staysInGroup } from "./children.ts";
import { useHost } from "./host.ts";
import { env, isAlive, killQuietly, newMarker, pidsWith, tempFolder } from "./support.ts";

const host = useHost();

function sleeper(more: Record<string, string> = {}): number {
  const child = spawn("sleep", ["60"], { detached: true, stdio: "ignore", env: { ...env, ...more } });
  const pid = child.pid ?? 0;
  onTestFinished(() => killQuietly(pid));
  return pid;
}

/** Runs a line for sh that starts something and prints its pid. */
async function starts(line: string, cwd = "/"): Promise<{ shell: ChildProcess; pid: number }> {
  const options = { cwd, detached: true, env: { ...env, ...programs } };
  const shell = spawn("sh", ["-c", line], { ...options, stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => killQuietly(shell.pid ?? 0));
  const [text] = await once(shell.stdout, "data");
  const pid = Number(text);
  onTestFinished(() => killQuietly(pid));
  return { shell, pid };
}

/** A folder as git knows a linked worktree, locked for this reason. */
async function linkedWorktree(reason: string): Promise<string> {
  const [folder, metadata] = [await tempFolder(), await tempFolder()];
  await writeFile(join(folder, ".git"), `gitdir: ${metadata}\n`);
  await writeFile(join(metadata, "locked"), reason);
  return folder;
}

describe("what a driver that was killed left", () => {
  it("is ended by the marker of its run, however it hides, also when the reaper was killed too", async () => {
    const marker = newMarker();
    const plait = host("live", marker, "");
    const { reaper, pids } = (await plait.next()) as { reaper: number; pids: number[] };
    onTestFinished(() => pids.forEach(killQuietly));
    plait.child.kill("SIGSTOP"); // else it would start the next one
    process.kill(reaper, "SIGKILL");
    plait.child.kill("SIGKILL");
    await plait.ended;
    expect(pidsWith(`PLAIT_RUN=${marker}`).length).toBeGreaterThan(3);
    expect(await reapMarked({ runMarker: marker })).toEqual([]);
    expect(pidsWith(`PLAIT_RUN=${marker}`)).toEqual([]);
  });

  it("is ended by the marker of its attempt, or of its run, and no other", async () => {
    for (const by of ["marker", "runMarker"] as const) {
      const [mine, theirs] = [newMarker(), newMarker()];
      const marked = (run: string) => sleeper({ PLAIT_ATTEMPT: `${run}-1`, PLAIT_RUN: run });
      const [first, second, other] = [marked(mine), marked(theirs), sleeper({ PLAIT_RUN: `${mine}2` })];
      expect(await reapMarked(by === "marker" ? { marker: `${mine}-1` } : { runMarker: mine })).toEqual([]);
      expect([first, second, other].map(isAlive)).toEqual([false, true, true]);
    }
  });

  it("is ended by its pid and start time, with its group, though it carries no marker", async () => {
    const { shell, pid } = await starts(`${staysInGroup}\nwait`);
    const started = await identify(shell.pid ?? 0);
    expect(await reapMarked({ marker: newMarker(), process: started })).toEqual([]);
    expect([shell.pid ?? 0, pid].map(isAlive)).toEqual([false, false]);
  });

  it("is asked with TERM before it is killed", async () => {
    const marker = newMarker();
    const line = "trap 'echo tidied; exit 5' TERM; echo $$; while :; do sleep 0.02; done";
    const shell = spawn("sh", ["-c", line], { detached: true, env: { ...env, PLAIT_ATTEMPT: marker } });
    await once(shell.stdout, "data");
    const exited = once(shell, "exit");
    const times = { graceMs: 30_000 };
    expect(await reapMarked({ marker, times })).toEqual([]);
    expect(await exited).toEqual([5, null]);
  });

  it("is not ended by a pid that is somebody else's by now, is of another boot, or is not known for certain", async () => {
    const pid = sleeper();
    const { startTime, bootId } = await identify(pid);
    for (const recorded of [
      { pid, startTime: "ticks:1", bootId },
      { pid, startTime, bootId: "another-boot" },
      { pid, startTime, bootId: "" },
      { pid, startTime: "", bootId },
      { pid, startTime: null, bootId: null },
    ])
      expect(await reapMarked({ marker: newMarker(), process: recorded })).toEqual([]);
    expect(isAlive(pid)).toBe(true);
  });

  it("and cannot be ended is given back", async () => {
    const snapshot = await processTable();
    const ghost = { pid: 4_000_000, ppid: 1, pgid: 1, session: 1, hasTerminal: false, name: "x" };
    const table = async () => ({
      ...snapshot,
      entries: [{ ...ghost, startTime: "ticks:7" }],
      carries: () => true,
    });
    const times = { graceMs: 10, killMs: 20 };
    const left = await reapMarked({ marker: newMarker(), table, times });
    expect(left).toEqual([{ pid: 4_000_000, startTime: "ticks:7" }]);
  });

  it("and called plait itself is spared, and given back", async () => {
    const marker = newMarker();
    const real = await processTable();
    const parent = real.entries.find(({ pid }) => pid === process.ppid);
    const table = async () => {
      const snapshot = await processTable();
      return { ...snapshot, carries: ({ pid }: { pid: number }) => pid === process.ppid };
    };
    const left = await reapMarked({ marker, table });
    expect(left).toEqual([{ pid: process.ppid, startTime: parent?.startTime }]);
    expect(isAlive(process.ppid)).toBe(true);
  });
});

describe("a worktree", () => {
  it("gives away orphans that work in it, and not its visitors nor who is older than the attempt", async () => {
    const worktree = await linkedWorktree("plait r1\n");
    const link = join(await tempFolder(), "link");
    await symlink(worktree, link);
    const orphan = (await starts(`${staysInFolder}`, worktree)).pid;
    const visitor = spawn("sleep", ["60"], { cwd: worktree, stdio: "ignore" });
    onTestFinished(() => void visitor.kill("SIGKILL"));
    const later = await identify(await pidOfLaterTick(orphan));
    expect(await reapMarked({ marker: newMarker(), worktree, process: later })).toEqual([]);
    expect(isAlive(orphan)).toBe(true);
    expect(await reapMarked({ marker: newMarker(), worktree: link })).toEqual([]);
    expect([isAlive(orphan), isAlive(visitor.pid ?? 0)]).toEqual([false, true]);
  });

  it("of another boot says nothing: who works in it now came later", async () => {
    const worktree = await linkedWorktree("plait r1\n");
    const { pid } = await starts(staysInFolder, worktree);
    const recorded = { pid: 1234, startTime: "ticks:1", bootId: "another-boot" };
    expect(await reapMarked({ marker: newMarker(), worktree, process: recorded })).toEqual([]);
    expect(isAlive(pid)).toBe(true);
  });

  it("that plait did not make is never believed: the user's tree, a worktree of the user's own, any folder", async () => {
    const main = await tempFolder();
    await mkdir(join(main, ".git"));
    const own = await linkedWorktree("on a stick\n");
    const plain = await tempFolder();
    for (const worktree of [main, own, plain]) {
      const { pid } = await starts(staysInFolder, worktree);
      expect(await reapMarked({ marker: newMarker(), worktree })).toEqual([]);
      expect(isAlive(pid)).toBe(true);
    }
    for (const folder of [main, own, plain, "/", join(plain, "gone"), join(own, ".git")])
      expect(await plaitWorktree(folder)).toBeNull();
    const ours = await linkedWorktree("plait r1");
    expect(await plaitWorktree(ours)).toBe(ours);
  });
});

it("this boot is known, and another one is told from it", () => {
  expect(isThisBoot(thisBoot())).toBe(true);
  for (const other of [null, "", "another-boot", "boottime:1"]) expect(isThisBoot(other)).toBe(false);
});

/** A process that began on a later tick than that one, which the system counts in hundredths of a second. */
async function pidOfLaterTick(than: number): Promise<number> {
  const ticks = async (pid: number) => Number((await identify(pid)).startTime?.slice("ticks:".length));
  const first = await ticks(than);
  for (;;) {
    const pid = sleeper();
    if ((await ticks(pid)) > first) return pid;
  }
}
