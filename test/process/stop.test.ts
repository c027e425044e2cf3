import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createManualClock } from "../support/manual-clock.ts";
import {
  endsOnInt,
  endsOnTerm,
  escapes,
  hidesBelowParent,
  ignoresSignals,
  notesSignals,
  obeys,
  waitsForGo,
} from "./children.ts";
import { isAlive, pidsWith, start, tempFolder, until } from "./support.ts";

const none = (marker: string): void => expect(pidsWith(`PLAIT_ATTEMPT=${marker}`)).toEqual([]);

describe("a stop goes step by step", () => {
  it("INT comes first, and what ends on it may say its last words", async () => {
    const child = await start(endsOnInt, { clock: createManualClock() });
    await child.next();
    const exit = await child.stop({ kill: false });
    expect(exit).toMatchObject({ code: 7, signal: null, why: "stop", leftOver: [] });
    expect(child.lines).toEqual(["bye"]);
    none(child.marker);
  });

  it("TERM comes three seconds after INT, and not before", async () => {
    const clock = createManualClock();
    const child = await start(endsOnTerm, { clock });
    await child.next();
    const stopped = child.stop({ kill: false });
    await until(() => clock.pending() > 1); // the look of the limits, and the stop
    clock.advance(2_999);
    expect(isAlive(child.pid)).toBe(true);
    clock.advance(1);
    expect(await stopped).toMatchObject({ code: 8, why: "stop" });
  });

  it("KILL comes a second after TERM, and each step is one signal", async () => {
    const clock = createManualClock();
    const child = await start(notesSignals, { clock });
    await child.next();
    const stopped = child.stop({ kill: false });
    expect(await child.next()).toBe("INT");
    clock.advance(3_000);
    expect(await child.next()).toBe("TERM");
    clock.advance(999);
    expect(isAlive(child.pid)).toBe(true);
    clock.advance(1);
    expect(await stopped).toMatchObject({ code: null, signal: "SIGKILL", why: "stop" });
    expect(child.lines).toEqual([]);
    none(child.marker);
  });
});

it("INT goes to the whole group: a shell waits for its program, which must hear of it too", async () => {
  const child = await start(`trap 'echo shell' INT; sh -c "$INTERRUPTED"`, { clock: createManualClock() });
  await child.next();
  await child.stop({ kill: false });
  expect(child.lines).toEqual(["program", "shell"]);
});

describe("a kill ends at once", () => {
  it.each([
    ["before anything was asked", 0],
    ["after INT", 1],
    ["after TERM", 2],
  ])("%s", async (_when, steps) => {
    const clock = createManualClock();
    const child = await start(notesSignals, { clock });
    await child.next();
    if (steps > 0) {
      void child.stop({ kill: false });
      await child.next();
    }
    if (steps > 1) {
      clock.advance(3_000);
      await child.next();
    }
    const exit = await child.stop({ kill: true }); // and no time passes on its clock
    expect(exit).toMatchObject({ signal: "SIGKILL", why: "kill", leftOver: [] });
    none(child.marker);
  });

  it("while what an ended process left is still asked: nobody is patient any more", async () => {
    const cwd = await tempFolder();
    const script = `setsid sh -c "$NOTING" & ${waitsForGo}`;
    const child = await start(script, { cwd, times: { leftoverMs: 60_000 } });
    const pid = Number(await child.next());
    await writeFile(join(cwd, "go"), "");
    expect(await child.next()).toBe("TERM");
    expect(await child.stop({ kill: true })).toMatchObject({ code: 0, why: null, leftOver: [] });
    expect(isAlive(pid)).toBe(false);
  });

  it("while pipes are drained", async () => {
    const empty = async () => ({
      entries: [],
      isCalm: true,
      carries: () => false,
      holds: () => false,
      placesOf: () => [],
    });
    const script = `${escapes["in a session of its own"]} ${obeys}`;
    const child = await start(script, { table: empty, times: { drainMs: 200 } });
    await child.next();
    await child.next(); // both of them are ready
    expect(await child.stop({ kill: true })).toMatchObject({ stdoutCut: true, stderrCut: true });
  });
});

it("to stop twice is to stop once, and to stop what has ended is nothing", async () => {
  const child = await start(endsOnInt);
  await child.next();
  const [first, second] = await Promise.all([child.stop({ kill: false }), child.stop({ kill: false })]);
  expect(first).toBe(second);
  expect(await child.stop({ kill: true })).toBe(first);
  expect(first.why).toBe("stop");
});

it("a stop leaves nothing four seconds after INT, whatever was started and ignores all signals (I5)", async () => {
  const script = `${Object.values(escapes).join("\n")}\n${ignoresSignals}`;
  const clock = createManualClock();
  const child = await start(script, { clock });
  const printed: string[] = [];
  while (printed.length < Object.keys(escapes).length + 1) printed.push(await child.next());
  const pids = [child.pid, ...printed.filter((line) => line !== "ready").map(Number)];
  expect(pids.filter(isAlive)).toEqual(pids);
  const stopped = child.stop({ kill: false });
  await until(() => clock.pending() > 1); // the look of the limits, and the stop
  clock.advance(3_000);
  expect(pids.filter(isAlive)).toEqual(pids);
  clock.advance(1_000);
  const exit = await stopped;
  expect(exit).toMatchObject({ signal: "SIGKILL", why: "stop", leftOver: [], stdoutCut: false });
  expect(pids.filter(isAlive)).toEqual([]);
  none(child.marker);
});

it("what was a child when the stop began is ended, although nothing else would find it", async () => {
  const child = await start(`trap 'exit 0' INT; ${hidesBelowParent} wait`);
  const pid = Number(await child.next());
  expect(isAlive(pid)).toBe(true);
  expect(await child.stop({ kill: false })).toMatchObject({ why: "stop", leftOver: [] });
  expect(isAlive(pid)).toBe(false);
});
