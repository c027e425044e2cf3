import { describe, expect, test } from "vitest";
import type { Walls } from "../../../process/sandbox/walls.ts";
import { buildInsideEnv } from "./inside-env.ts";
import { buildWalls, findDenial, type Occupant, type SandboxSurroundings } from "./policy.ts";
import { watchDenials } from "./watch-denials.ts";

const around: SandboxSurroundings = {
  home: "/home/u",
  shared: ["/run", "/home", "/tmp"],
  closed: ["/home/u/shop", "/home/u/.local/state"],
  tools: ["/home/u/.nvm/versions"],
  grants: { readable: ["/home/u/.aws/config"], writable: ["/home/u/.gradle"] },
  caches: [{ path: "/home/u/.npm", by: "/home/u/.local/state/plait/x/npm", isWritable: true }],
};

const slot = "/home/u/.local/state/plait/worktrees/shop/tax";
const occupant: Occupant = {
  ...{
    root: slot,
    isReadOnly: false,
    reports: [],
    readable: [],
    kept: [],
    scratch: [],
    files: [],
    tmp: "/t",
  },
  git: { hidden: [], readable: ["/home/u/shop/.git/objects"], writable: [] },
};

const walls: Walls = buildWalls(around, occupant);

describe("I12: what a program in the sandbox", () => {
  test.each([
    [`${slot}/a.txt`, null],
    ["/tmp/x", null],
    ["/home/u/.gradle/caches", null],
    ["/home/u/.npm/_cacache", null],
    ["/home/u/.ssh/id_ed25519", "hidden"],
    ["/home/u/shop/a.txt", "hidden"],
    ["/home/u/.local/state/plait/worktrees/shop/other/a.txt", "hidden"],
    ["/home/u/shop/.git/objects/pack", "read-only"],
    ["/home/u/.aws/config", "read-only"],
    ["/usr/lib/x", "read-only"],
  ])("may do with %s: %s", (path, denial) => expect(findDenial(walls, path)).toBe(denial));

  test("may write of a read-only task is its reports", () => {
    const readOnly = buildWalls(around, { ...occupant, isReadOnly: true, reports: ["reports"] });
    expect(findDenial(readOnly, `${slot}/a.txt`)).toBe("read-only");
    expect(findDenial(readOnly, `${slot}/reports/a.md`)).toBeNull();
  });
});

describe("the environment inside", () => {
  const inherited = {
    PATH: "/bin",
    DB_PASSWORD: "hunter2hunter2",
    SSH_AUTH_SOCK: "/run/x",
    MY_TOKEN: "abcdefghij",
  };
  const options = { inherited, home: "/home/u", grants: [], isNeeded: () => false };

  test("has no secrets of the user's and nothing that leads out", () => {
    expect(buildInsideEnv(inherited, options)).toEqual({
      env: { PATH: "/bin", HOME: "/home/u", TMPDIR: "/tmp" },
      heldBack: ["DB_PASSWORD", "MY_TOKEN"],
    });
  });

  test("has what is granted, what the agent needs, and what the plan sets", () => {
    const env = { ...inherited, MY_TOKEN: "the plan's own" };
    const granted = { ...options, grants: [{ kind: "variable", name: "DB_PASSWORD" } as const] };
    expect(Object.keys(buildInsideEnv(env, granted).env)).toEqual([
      ...["PATH", "DB_PASSWORD", "MY_TOKEN", "HOME", "TMPDIR"],
    ]);
    const needed = { ...options, isNeeded: (name: string) => name === "MY_TOKEN" };
    expect(buildInsideEnv(inherited, needed).env["MY_TOKEN"]).toBe("abcdefghij");
  });
});

describe("what was denied", () => {
  const found = (...lines: string[]) => {
    const denials = watchDenials({ walls, heldBack: ["DB_PASSWORD"] });
    for (const line of lines) denials.look(line);
    return denials.list();
  };

  test("is found in errors of the system, for paths that are there outside", () => {
    expect(found("touch: cannot touch '/usr/plait-new': Read-only file system")).toEqual([
      { kind: "read-only", what: "/usr" },
    ]);
    expect(found("Error: EROFS: read-only file system, open '/etc/hosts'")).toEqual([
      { kind: "read-only", what: "/etc/hosts" },
    ]);
  });

  test("is a variable that is spoken of", () => {
    expect(found("DB_PASSWORD is not set")).toEqual([{ kind: "variable", what: "DB_PASSWORD" }]);
  });

  test("is nothing where a file is missing outside too, or what is written to is the program's own", () => {
    expect(found("cat: /home/u/.none/x: No such file or directory", "sh: /tmp/x: Permission denied")).toEqual(
      [],
    );
  });
});
