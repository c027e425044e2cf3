import { describe, expect, it } from "vitest";
import { environHolds, parseStat } from "./proc-files.ts";
import { parsePsLine, snapshotOf } from "./process-table.ts";

describe("/proc", () => {
  it("a process is read from its fields, counted from the last bracket of its name", () => {
    const rest = "S 12 34 56 34816 34 4194304 1 2 3 4 5 6 7 8 20 0 1 0 987654 1000 20 18446744073709551615";
    expect(parseStat(`77 (a) b) (c) ${rest}`)).toEqual({
      state: "S",
      entry: {
        pid: 77,
        ppid: 12,
        pgid: 34,
        session: 56,
        startTime: "ticks:987654",
        hasTerminal: true,
        name: "a) b) (c",
      },
    });
    expect(parseStat(`77 (x) ${rest.replace("34816", "0")}`)?.entry.hasTerminal).toBe(false);
    expect(parseStat("")).toBeUndefined();
    expect(parseStat("77 (x) S 1")).toBeUndefined();
  });

  it("an environment holds a variable only whole: first, last, in the middle", () => {
    const environ = Buffer.from("A=1\0PLAIT_RUN=r1\0XPLAIT_RUN=r2\0Z=9\0");
    for (const variable of ["A=1", "PLAIT_RUN=r1", "Z=9"]) expect(environHolds(environ, variable)).toBe(true);
    for (const variable of ["PLAIT_RUN=r", "PLAIT_RUN=r2", "A=", "RUN=r1", "Z=99"])
      expect(environHolds(environ, variable)).toBe(false);
    expect(environHolds(Buffer.alloc(0), "A=1")).toBe(false);
  });
});

describe("ps", () => {
  // As macOS prints it, with -E.
  const output = `
    1     0     1 Ss   ??       Sat Nov 15 03:06:01 2026     /sbin/launchd
  501     1   501 S    ??       Sat Nov 15 04:37:29 2026     /usr/local/bin/node a.mjs PATH=/bin PLAIT_ATTEMPT=a1 HOME=/Users/x
  502   501   501 Z+   ttys001  Sat Nov 15 04:37:30 2026     (sleep) PLAIT_ATTEMPT=a1
  503   501   503 S+   ttys001  Fri Nov  7 04:37:30 2026     sleep 100 PLAIT_ATTEMPT=a12
not a line
`;

  it("a process is read from a line, its start with blanks as one", () => {
    expect(parsePsLine(output.split("\n")[2] ?? "")).toEqual({
      state: "S",
      command: "/usr/local/bin/node a.mjs PATH=/bin PLAIT_ATTEMPT=a1 HOME=/Users/x",
      entry: {
        pid: 501,
        ppid: 1,
        pgid: 501,
        session: null,
        startTime: "lstart:Sat Nov 15 04:37:29 2026",
        hasTerminal: false,
        name: "node",
      },
    });
    expect(parsePsLine("")).toBeUndefined();
  });

  it("a list with nobody on it is an error: it would be taken for nobody left", () => {
    expect(() => snapshotOf("")).toThrow("no processes");
  });

  it("the living are listed, and carry a marker only whole", () => {
    const snapshot = snapshotOf(output);
    expect(snapshot.entries.map((one) => [one.pid, one.startTime, one.hasTerminal])).toEqual([
      [1, "lstart:Sat Nov 15 03:06:01 2026", false],
      [501, "lstart:Sat Nov 15 04:37:29 2026", false],
      [503, "lstart:Fri Nov 7 04:37:30 2026", true],
    ]);
    const carriers = (variable: string): number[] =>
      snapshot.entries.filter((one) => snapshot.carries(one, variable)).map((one) => one.pid);
    expect(carriers("PLAIT_ATTEMPT=a1")).toEqual([501]);
    expect(carriers("PLAIT_ATTEMPT=a12")).toEqual([503]);
    expect(carriers("PLAIT_ATTEMPT=a")).toEqual([]);
  });
});
