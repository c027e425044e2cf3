import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createMasker } from "../../src/process/mask/masker.ts";
import type { Invocation } from "../../src/process/spawn.ts";
import { supervise } from "../../src/process/supervise.ts";
import { deferred } from "../../src/util/deferred.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { obeys, silent, waitsForGo } from "./children.ts";
import { env, isAlive, newMarker, pidsWith, start, tempFolder, until } from "./support.ts";

describe("a supervised program", () => {
  it("gets its input, its folder and its environment; its lines, its stderr and its exit come back", async () => {
    const cwd = await tempFolder();
    const child = await start(
      'cat; echo; pwd; echo "$COLOUR $PLAIT_ATTEMPT $PLAIT_RUN"; echo oops >&2; exit 3',
      {
        stdin: "żółć\nsecond",
        cwd,
        env: { COLOUR: "blue" },
      },
    );
    const exit = await child.ended;
    expect(child.lines).toEqual(["żółć", "second", cwd, `blue ${child.marker} ${child.marker}`]);
    expect(exit).toEqual({
      code: 3,
      signal: null,
      why: null,
      notRun: null,
      leftOver: [],
      stdoutCut: false,
      stderrCut: false,
      stdoutBytes: Buffer.byteLength(`${child.lines.join("\n")}\n`),
      stderrBytes: 5,
      stderrTail: "oops\n",
      durationMs: expect.any(Number),
    });
  });

  it("sees nothing of our own environment", async () => {
    const child = await start("env");
    await child.ended;
    const names = child.lines.map((line) => line.split("=")[0]);
    expect(names).toContain("PLAIT_RUN");
    expect(names).not.toContain("HOME");
  });

  it("is known by pid, start time and boot, and leads a group and a session of its own", async () => {
    const child = await start(obeys);
    await child.next();
    const stat = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    expect([stat[2], stat[3]]).toEqual([`${child.pid}`, `${child.pid}`]);
    expect(child.startTime).toBe(`ticks:${stat[19]}`);
    await child.stop({ kill: true });
  });

  it("need not end its last line, not even one that ends like the beginning of a secret", async () => {
    const child = await start("printf 'one\\ntwo correct-hor'", {
      masker: createMasker(["correct-horse-battery"]),
    });
    await child.ended;
    expect(child.lines).toEqual(["one", "two correct-hor"]);
  });

  it("leaves no timer behind when it ends by itself", async () => {
    const clock = createManualClock();
    await (await start("exit 0", { clock, limits: { startMs: 1, idleMs: 1, totalMs: 1 } })).ended;
    expect(clock.pending()).toBe(0);
  });

  it("that kills itself was not ended by plait", async () => {
    const child = await start("kill -9 $$");
    expect(await child.ended).toMatchObject({ code: null, signal: "SIGKILL", why: null });
  });

  it("may end without reading its input: that is no failure", async () => {
    for (const script of ["exit 0", "exec <&-; echo closed; exit 0"]) {
      const child = await start(script, { stdin: "x".repeat(5_000_000) });
      expect(await child.ended).toMatchObject({ code: 0, signal: null });
    }
  });

  it("may close its outputs and go on: it is waited for, and can be stopped", async () => {
    const cwd = await tempFolder();
    const script = `echo ready; exec >&- 2>&-; ${waitsForGo}; exit 4`;
    const [one, other] = [await start(script, { cwd }), await start(script, { cwd })];
    await Promise.all([one.next(), other.next()]);
    // Files 1 and 2 of both are closed; what plait makes of it, it makes before it ends one of them.
    await until(() => [one, other].every(({ pid }) => !existsSync(`/proc/${pid}/fd/2`)));
    expect(await other.stop({ kill: true })).toMatchObject({ signal: "SIGKILL", why: "kill" });
    expect(isAlive(one.pid)).toBe(true);
    await writeFile(join(cwd, "go"), "");
    expect(await one.ended).toMatchObject({ code: 4, why: null, stdoutCut: false, stderrCut: false });
  });

  it("may be stopped as soon as it is there, and may have ended before anybody could look", async () => {
    for (const kill of [false, true]) {
      const child = await start(["sleep", "60"]);
      expect((await child.stop({ kill })).signal).toBe(kill ? "SIGKILL" : "SIGINT");
    }
    const exits = Array.from({ length: 20 }, async () => (await start(["true"])).stop({ kill: true }));
    for (const exit of await Promise.all(exits))
      expect(exit).toMatchObject({ leftOver: [], stdoutCut: false });
  });

  it("may read an input of twenty megabytes to its end", async () => {
    const child = await start("wc -c", { stdin: "x".repeat(20_000_000) });
    await child.ended;
    expect(Number(child.lines[0])).toBe(20_000_000);
  });
});

describe("what cannot be started is a value", () => {
  const attempt = async (more: Partial<Invocation>) => {
    const marker = newMarker();
    const invocation = { argv: ["true"], cwd: "/", env, stdin: null, ...more };
    const supervised = await supervise(invocation, { marker, runMarker: marker });
    if (supervised.ok) throw new Error("it started");
    return supervised.failure;
  };

  it("no such program, nothing that may be run, a folder instead of a program", async () => {
    const folder = await tempFolder();
    await writeFile(join(folder, "text"), "#!/bin/sh\n");
    expect(await attempt({ argv: ["no-such-program"] })).toMatchObject({
      reason: "not-found",
      errno: "ENOENT",
    });
    expect(await attempt({ argv: [join(folder, "text")] })).toMatchObject({
      reason: "not-allowed",
      errno: "EACCES",
    });
    expect(await attempt({ argv: [folder] })).toMatchObject({ reason: "not-allowed" });
  });

  it("no such folder is not taken for a missing program", async () => {
    expect(await attempt({ cwd: "/no/such/folder" })).toEqual({
      reason: "no-folder",
      errno: "ENOENT",
      message: "cannot start true: /no/such/folder does not exist",
    });
  });

  it("arguments that are too big, or no arguments at all", async () => {
    expect(await attempt({ argv: ["true", "x".repeat(3_000_000)] })).toMatchObject({
      reason: "too-big",
      errno: "E2BIG",
    });
    expect(await attempt({ argv: ["true", "a\0b"] })).toMatchObject({ reason: "bad-argument", errno: null });
    expect(await attempt({ argv: [] })).toMatchObject({ reason: "bad-argument" });
  });

  it("is looked for in the PATH that it gets", async () => {
    expect(await attempt({ env: { PATH: "/no/such/folder" } })).toMatchObject({ reason: "not-found" });
  });
});

describe("clocks", () => {
  it.each([
    ["start", silent, 60_000],
    ["idle", `echo ready; ${silent}`, 300_000],
    ["total", obeys, 3_600_000],
  ] as const)("%s: it is stopped when this one runs out, and the exit says so", async (which, script, ms) => {
    const clock = createManualClock();
    const limits = { startMs: 60_000, ...(which === "idle" ? { idleMs: ms } : {}), totalMs: 3_600_000 };
    const onStderr = deferred<unknown>();
    const child = await start(script, { clock, limits, onStderr: onStderr.resolve });
    await (which === "total" ? child.next() : onStderr.promise);
    clock.advance(ms - 1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isAlive(child.pid)).toBe(true);
    clock.advance(1);
    expect(await child.ended).toMatchObject({ why: which, signal: "SIGINT", leftOver: [] });
    expect(clock.pending()).toBe(0);
  });

  it("a stop that a clock began stays the clock's, also when somebody kills it then", async () => {
    const clock = createManualClock();
    const child = await start("trap '' INT; echo ready; sleep 60", { clock, limits: { totalMs: 1_000 } });
    await child.next();
    clock.advance(1_000);
    await until(() => clock.pending() === 1); // INT was sent, TERM is due
    expect(await child.stop({ kill: true })).toMatchObject({ why: "total", signal: "SIGKILL" });
  });
});

describe("takers", () => {
  it("that are slow hold the child back, and nothing piles up (I10)", async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let lines = 0;
    const child = await start("yes 0123456789 | head -c 22000000", {
      onLine: () => {
        lines += 1;
        return lines === 1 ? held : undefined;
      },
    });
    const written = (): number => {
      const [yes] = pidsWith(`PLAIT_ATTEMPT=${child.marker}`).filter((pid) => pid !== child.pid);
      if (yes === undefined) return -1; // it is about to start
      return Number(/wchar: (\d+)/.exec(readFileSync(`/proc/${yes}/io`, "utf8"))?.[1]);
    };
    let last = -1;
    await until(() => {
      const before = last;
      last = written();
      return last > 0 && last === before;
    });
    expect(last).toBeLessThan(2_000_000);
    release();
    expect(await child.ended).toMatchObject({ code: 0, stdoutBytes: 22_000_000 });
    expect(lines).toBe(2_000_000);
  });

  it("that fail end the child, and the error comes out when all is over", async () => {
    const child = await start(obeys, {
      onLine: () => {
        throw new Error("a bug of ours");
      },
    });
    await expect(child.ended).rejects.toThrow("a bug of ours");
    expect(isAlive(child.pid)).toBe(false);
  });

  it("and the tail of stderr never see a secret, whole or in pieces (I13)", async () => {
    const secret = "correct-horse-battery";
    const taken: string[] = [];
    const child = await start(
      "printf 'it is correct-horse'; sleep 0.05; echo '-battery.'; printf 'correct-hor' >&2; sleep 0.05; echo 'se-battery' >&2",
      {
        masker: createMasker([secret]),
        onStderr: (bytes) => void taken.push(bytes.toString()),
      },
    );
    const exit = await child.ended;
    expect(child.lines).toEqual(["it is [masked]."]);
    expect([exit.stderrTail, taken.join("")]).toEqual(["[masked]\n", "[masked]\n"]);
  });
});

it("fifty children in a row leave no open file and no process behind", async () => {
  const openFiles = async () => (await readdir("/proc/self/fd")).length;
  const folder = await tempFolder();
  await mkdir(join(folder, "sub"));
  for (let i = 0; i < 5; i += 1) await (await start("echo x", { stdin: "y" })).ended;
  const before = await openFiles();
  for (let i = 0; i < 50; i += 1) {
    const child = await start("echo out; echo err >&2", { stdin: i % 2 === 0 ? "some input" : null });
    expect((await child.ended).code).toBe(0);
  }
  expect(await openFiles()).toBeLessThanOrEqual(before);
});
