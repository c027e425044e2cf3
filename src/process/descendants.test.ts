import { describe, expect, it } from "vitest";
import { type Family, findMembers, keyOf } from "./descendants.ts";
import type { ProcessEntry, Snapshot } from "./process-entry.ts";

type Signs = { readonly env?: string; readonly files?: string; readonly cwd?: string };
type Given = Partial<ProcessEntry> & { readonly pid: number } & Signs;

/** A table of processes: children of process 1 in groups of their own, younger than the root, unless said otherwise. */
function table(...given: Given[]): Snapshot {
  const signs = new Map(given.map((one) => [one.pid, one]));
  return {
    entries: given.map(({ env: _env, files: _files, cwd: _cwd, ...one }) => ({
      ppid: 1,
      pgid: one.pid,
      session: one.pid,
      startTime: "ticks:2000",
      hasTerminal: false,
      name: "sleep",
      ...one,
    })),
    isCalm: true,
    carries: ({ pid }, variable) => signs.get(pid)?.env === variable,
    holds: ({ pid }, files) => files.has(signs.get(pid)?.files ?? ""),
    placesOf: ({ pid }) => [signs.get(pid)?.cwd ?? []].flat(),
  };
}

const root = { pid: 100, startTime: "ticks:1000" };
const rootEntry = { ...root, ppid: process.pid };
const family: Family = {
  root,
  variable: "PLAIT_ATTEMPT=a1",
  pipes: new Set(["socket:[7]"]),
  folder: "/trees/a",
  known: new Set(),
};

const members = (snapshot: Snapshot, more: Partial<Family> = {}): number[] =>
  findMembers(snapshot, { ...family, ...more })
    .map((one) => one.pid)
    .sort((a, b) => a - b);

describe("to a supervised process belong", () => {
  it("itself, its group, its session, and their children's children, whatever those did", () => {
    const snapshot = table(
      rootEntry,
      { pid: 101, pgid: 100, session: 100 },
      { pid: 102, pgid: 102, session: 100 },
      { pid: 103, ppid: 102 },
      { pid: 104, ppid: 103 },
      { pid: 105 },
    );
    expect(members(snapshot)).toEqual([100, 101, 102, 103, 104]);
  });

  it("whoever carries its marker, and no other one", () => {
    const snapshot = table({ pid: 101, env: "PLAIT_ATTEMPT=a1" }, { pid: 102, env: "PLAIT_ATTEMPT=a12" });
    expect(members(snapshot)).toEqual([101]);
  });

  it("whoever holds a pipe that it was given", () => {
    expect(members(table({ pid: 101, files: "socket:[7]" }, { pid: 102, files: "socket:[70]" }))).toEqual([
      101,
    ]);
  });

  it("those who were seen before, by pid and start time", () => {
    const known = new Set([
      keyOf({ pid: 101, startTime: "ticks:2000" }),
      keyOf({ pid: 102, startTime: "ticks:9" }),
    ]);
    expect(members(table({ pid: 101 }, { pid: 102 }, { pid: 103, ppid: 101 }), { known })).toEqual([
      101, 103,
    ]);
  });

  it("orphans that work in its worktree, also under systemd, also when the folder is gone", () => {
    const snapshot = table(
      { pid: 50, name: "systemd", startTime: "ticks:5" },
      { pid: 101, cwd: "/trees/a" },
      { pid: 102, cwd: "/trees/a/deep (deleted)", ppid: 50 },
    );
    expect(members(snapshot)).toEqual([101, 102]);
  });
});

describe("to a supervised process do not belong", () => {
  it("the shell, the editor and its helpers of somebody who looks at the worktree", () => {
    const snapshot = table(
      { pid: 101, cwd: "/trees/a", hasTerminal: true },
      { pid: 102, name: "editor", startTime: "ticks:2" },
      { pid: 103, cwd: "/trees/a", ppid: 102 },
      { pid: 104, cwd: "/trees/ab" },
    );
    expect(members(snapshot)).toEqual([]);
  });

  it("processes that are older than it, whatever they carry", () => {
    const old = { startTime: "ticks:999" };
    const snapshot = table(
      { pid: 101, ...old, env: "PLAIT_ATTEMPT=a1" },
      { pid: 102, ...old, files: "socket:[7]" },
      { pid: 103, ...old, cwd: "/trees/a" },
    );
    expect(members(snapshot)).toEqual([]);
  });

  it("the one that has its pid by now, nor that one's group, session and children", () => {
    const snapshot = table(
      { pid: 100, startTime: "ticks:5000" },
      { pid: 101, pgid: 100, session: 100 },
      { pid: 102, ppid: 100 },
    );
    expect(members(snapshot)).toEqual([]);
  });

  it("plait itself, those it comes from, and process 1, even if they carry the marker", () => {
    const env = "PLAIT_ATTEMPT=a1";
    const line = [
      { pid: process.pid, ppid: 60, env },
      { pid: 60, ppid: 61, env },
      { pid: 61, env },
    ];
    expect(members(table(...line, { pid: 1, env, ppid: 0 }, { pid: 62, ppid: 61, env }))).toEqual([62]);
  });

  it("a process whose start time is not known, by its pid alone", () => {
    expect(members(table(rootEntry), { root: { pid: 100, startTime: null } })).toEqual([]);
  });
});

it("without a root the marker alone finds, whatever the age", () => {
  const snapshot = table(
    { pid: 101, env: "PLAIT_ATTEMPT=a1", startTime: "ticks:1" },
    { pid: 102, ppid: 101 },
    { pid: 103 },
  );
  expect(members(snapshot, { root: null, folder: null })).toEqual([101, 102]);
});
