import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { processTable } from "../../src/process/process-table.ts";
import { escapes, obeys, staysInFolder, vanishes, waitsForGo } from "./children.ts";
import { isAlive, killQuietly, pidsWith, start, tempFolder } from "./support.ts";

/** Starts something that hides, lets the main process end, and gives back the pid of what hid. */
async function leaveBehind(how: string, options: Parameters<typeof start>[1] = {}) {
  const cwd = await tempFolder();
  const times = { leftoverMs: 50, ...options.times }; // they ignore TERM anyway
  const child = await start(`${how}\n${waitsForGo}`, { cwd, ...options, times });
  const pid = Number(await child.next());
  expect(isAlive(pid)).toBe(true);
  onTestFinished(() => killQuietly(pid));
  const ends = async () => {
    await writeFile(join(cwd, "go"), "");
    return child.ended;
  };
  return { pid, cwd, ends };
}

describe("what a process leaves behind when it ends is ended (I5)", () => {
  it.each(Object.keys(escapes))("%s", async (how) => {
    const { pid, ends } = await leaveBehind(escapes[how] ?? "");
    expect(await ends()).toMatchObject({ code: 0, why: null, leftOver: [], stdoutCut: false });
    expect(isAlive(pid)).toBe(false);
  });

  it("as a daemon that is known by its folder only", async () => {
    const worktree = await tempFolder();
    const { pid, ends } = await leaveBehind(`(cd ${worktree}; ${staysInFolder})`, { worktree });
    await ends();
    expect(isAlive(pid)).toBe(false);
  });

  it("as a daemon that only writes to a file of its folder: the file may be in another worktree by then (I9)", async () => {
    const worktree = await tempFolder();
    const { pid, ends } = await leaveBehind(`(exec 9>>${worktree}/log; ${vanishes})`, { worktree });
    await ends();
    expect(isAlive(pid)).toBe(false);
  });

  it("but not for a file that it only reads", async () => {
    const worktree = await tempFolder();
    await writeFile(join(worktree, "log"), "");
    const { pid, ends } = await leaveBehind(`(exec 9<${worktree}/log; ${vanishes})`, { worktree });
    await ends();
    expect(isAlive(pid)).toBe(true);
  });

  it("but a folder that is not the child's alone says nothing", async () => {
    const { pid, ends } = await leaveBehind(staysInFolder);
    await ends();
    expect(isAlive(pid)).toBe(true);
  });

  it("but not what nothing is left of to find it by: that takes a process namespace", async () => {
    const { pid, ends } = await leaveBehind(vanishes);
    expect(await ends()).toMatchObject({ code: 0, leftOver: [] });
    expect(isAlive(pid)).toBe(true);
  });
});

it("what is left may end by itself on TERM", async () => {
  const polite = `(setsid sh -c 'trap "echo tidied; exit" TERM; echo $$; while :; do sleep 0.02; done' &)`;
  const lines: string[] = [];
  const cwd = await tempFolder();
  const child = await start(`${polite}\n${waitsForGo}`, {
    cwd,
    onLine: async ({ text }) => {
      lines.push(text);
      await writeFile(join(cwd, "go"), "");
    },
  });
  await child.ended;
  expect(lines.at(-1)).toBe("tidied");
});

it("a pipe that somebody holds whom nobody can find is cut by its deadline, and what was printed is there", async () => {
  const blind = async () => ({
    entries: [],
    isCalm: true,
    carries: () => false,
    holds: () => false,
    placesOf: () => [],
  });
  const script = escapes["in a session of its own"] ?? "";
  const { pid, ends } = await leaveBehind(script, { table: blind, times: { drainMs: 100 } });
  expect(await ends()).toMatchObject({ code: 0, stdoutCut: true, stderrCut: true });
  expect(isAlive(pid)).toBe(true); // it held them
});

it("what lies in the pipe is read also when there is no time left for it", async () => {
  const child = await start("seq 100000", { times: { drainMs: 0 } });
  expect(await child.ended).toMatchObject({ stdoutCut: false });
  expect(child.lines.length).toBe(100_000);
});

it("a look that fails once is repeated; one that always fails is an error, after everything was read", async () => {
  let looks = 0;
  const failing = async () => {
    looks += 1;
    if (looks === 1) throw new Error("no file may be opened any more");
    return processTable();
  };
  const script = `${escapes["as a daemon with closed files"]}`;
  const { pid, ends } = await leaveBehind(script, { table: failing });
  expect((await ends()).leftOver).toEqual([]);
  expect([isAlive(pid), looks > 1]).toEqual([false, true]);

  const table = () => Promise.reject(new Error("no file may be opened any more"));
  const child = await start("echo one", { table, times: { leftoverMs: 10, killMs: 10, drainMs: 100 } });
  await expect(child.ended).rejects.toThrow("no file may be opened");
  expect(child.lines).toEqual(["one"]);
});

it("what cannot be ended is named", async () => {
  // Process 1 would not end; here a table that goes on showing one that is gone stands for it.
  const ghost = {
    pid: 4_000_000,
    ppid: 1,
    pgid: 1,
    session: 1,
    startTime: "ticks:1",
    hasTerminal: false,
    name: "x",
  };
  const table = async () => ({
    entries: [{ ...ghost, startTime: "ticks:99999999999" }],
    isCalm: true,
    carries: () => true,
    holds: () => false,
    placesOf: () => [],
  });
  const child = await start("exit 0", { table, times: { leftoverMs: 20, killMs: 50, drainMs: 100 } });
  expect((await child.ended).leftOver).toEqual([{ pid: 4_000_000, startTime: "ticks:99999999999" }]);
});

it("to end one leaves the others alone, and who was there before (I9)", async () => {
  const bystander = spawn("sleep", ["60"], { stdio: "ignore" });
  onTestFinished(() => void bystander.kill("SIGKILL"));
  const [one, other] = [await start(obeys), await start(`${escapes["as a daemon, forked twice"]}\n${obeys}`)];
  await one.next();
  await other.next();
  await other.next();
  const before = pidsWith(`PLAIT_ATTEMPT=${other.marker}`).length;
  expect(before).toBeGreaterThanOrEqual(2);
  await one.stop({ kill: true });
  expect(isAlive(other.pid)).toBe(true);
  expect(bystander.pid !== undefined && isAlive(bystander.pid)).toBe(true);
  await other.stop({ kill: true });
  expect(pidsWith(`PLAIT_ATTEMPT=${other.marker}`)).toEqual([]);
});
