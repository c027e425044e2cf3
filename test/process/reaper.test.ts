import { spawn } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { startReaper } from "../../src/process/reaper.ts";
import { staysInFolder } from "./children.ts";
import { useHost } from "./host.ts";
import { env, isAlive, killQuietly, newMarker, pidsWith, start, tempFolder, until } from "./support.ts";

const host = useHost();

type Announced = { readonly reaper: number; readonly pids: number[] };

it("after kill -9 of plait nothing is left, whatever it ignores and wherever it hides (I5)", async () => {
  const marker = newMarker();
  const plait = host("live", marker, await tempFolder());
  const { reaper, pids } = (await plait.next()) as Announced;
  onTestFinished(() => pids.forEach(killQuietly));
  expect(pids.length).toBe(7);
  expect([...pids, reaper].filter(isAlive)).toEqual([...pids, reaper]);
  plait.child.kill("SIGKILL");
  await plait.ended;
  await until(() => ![...pids, reaper].some(isAlive) && pidsWith(`PLAIT_RUN=${marker}`).length === 0);
});

it("a reaper that cannot be started for want of files is a value", async () => {
  const seen = await host.withLimit("ulimit -n 64")("no-files").next();
  expect(seen).toEqual({
    ok: false,
    message: expect.stringContaining("cannot start the process that ends leftover agents"),
  });
});

it("a reaper that is told that all is well leaves and ends nobody", async () => {
  const marker = newMarker();
  const plait = host("leave", marker);
  const { reaper, pids } = (await plait.next()) as Announced;
  onTestFinished(() => pids.forEach(killQuietly));
  plait.child.stdin?.end("go\n");
  await plait.ended;
  expect(isAlive(reaper)).toBe(false);
  expect(pids.filter(isAlive)).toEqual(pids);
});

it("only the processes of its run are ended: another run may have a marker that begins with this one", async () => {
  const marker = newMarker();
  const child = (runMarker: string): number => {
    const pid =
      spawn("sleep", ["60"], { env: { ...env, PLAIT_RUN: runMarker }, detached: true, stdio: "ignore" })
        .pid ?? 0;
    onTestFinished(() => killQuietly(pid));
    return pid;
  };
  const [mine, longer, other] = [child(marker), child(`${marker}2`), child("other")];
  const plait = host("live", marker, "");
  const { pids } = (await plait.next()) as Announced;
  onTestFinished(() => pids.forEach(killQuietly));
  plait.child.kill("SIGKILL");
  await until(() => !isAlive(mine));
  await until(() => pidsWith(`PLAIT_RUN=${marker}`).length === 0);
  expect([isAlive(longer), isAlive(other)]).toEqual([true, true]);
});

it("what is known by its folder only is ended as well, but not somebody's shell in the worktree", async () => {
  const [marker, worktrees] = [newMarker(), await tempFolder()];
  const plait = host("live", marker, worktrees);
  await plait.next();
  const hidden = await start(`${staysInFolder}\nexec sleep 60`, { cwd: worktrees });
  const pid = Number(await hidden.next());
  onTestFinished(() => killQuietly(pid));
  const visitor = spawn("sleep", ["60"], { cwd: worktrees, stdio: "ignore" });
  onTestFinished(() => void visitor.kill("SIGKILL"));
  plait.child.kill("SIGKILL");
  await until(() => !isAlive(pid));
  await until(() => pidsWith(`PLAIT_RUN=${marker}`).length === 0);
  expect(visitor.pid !== undefined && isAlive(visitor.pid)).toBe(true); // its parent lives: it is no orphan
  await hidden.stop({ kill: true });
});

it("a reaper ignores signals, has a session of its own, carries no marker and holds no folder", async () => {
  const marker = newMarker();
  const started = await startReaper({ runMarker: marker, worktrees: null, env });
  if (!started.ok) throw new Error(started.message);
  const pid = started.reaper.pid() ?? 0;
  const about = (file: string): string => readFileSync(`/proc/${pid}/${file}`, "utf8");
  const [HUP, INT, TERM] = [1, 2, 1 << 14];
  await until(() => (Number.parseInt(/SigIgn:\s+(\w+)/.exec(about("status"))?.[1] ?? "", 16) & TERM) !== 0);
  expect(Number.parseInt(/SigIgn:\s+(\w+)/.exec(about("status"))?.[1] ?? "", 16) & (HUP | INT | TERM)).toBe(
    HUP | INT | TERM,
  );
  expect(about("stat").split(") ")[1]?.split(" ")[3]).toBe(`${pid}`);
  expect(about("environ")).not.toContain(marker);
  expect(readlinkSync(`/proc/${pid}/cwd`)).toBe("/");
  await started.reaper.close();
  expect(isAlive(pid)).toBe(false);
});

it("a reaper that is killed is replaced, and the new one knows what the old one did", async () => {
  const marker = newMarker();
  const plait = host("live", marker, "");
  const { reaper, pids } = (await plait.next()) as Announced;
  onTestFinished(() => pids.forEach(killQuietly));
  const group = pids.filter((pid) => groupOf(pid) === pids[0]);
  expect(group.length).toBeGreaterThan(1);
  process.kill(reaper, "SIGKILL");
  await until(() => reapersOf(plait.child.pid ?? 0).some((pid) => pid !== reaper));
  plait.child.kill("SIGKILL");
  await until(() => pidsWith(`PLAIT_RUN=${marker}`).length === 0 && !group.some(isAlive));
});

function groupOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[2]);
}

function reapersOf(parent: number): number[] {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8")
    .trim()
    .split(" ")
    .map(Number);
  return children.filter(
    (pid) => isAlive(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("plait-reaper"),
  );
}
