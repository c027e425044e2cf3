import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { encloseByBubblewrap } from "../../src/process/sandbox/bubblewrap.ts";
import { probeSandbox } from "../../src/process/sandbox/probe.ts";
import { buildSeccompFilter } from "../../src/process/sandbox/seccomp.ts";
import { listMounts, type Walls } from "../../src/process/sandbox/walls.ts";
import { describeWith } from "../support/extras.ts";
import { env, start, tempFolder } from "./support.ts";

const bubblewrap = {
  name: "bubblewrap",
  isThere: existsSync("/usr/bin/bwrap"),
  install: "apt install bubblewrap",
};

/** A home with a secret, a folder of the program's own, and another one. */
async function makeWalls(more: Partial<Walls> = {}): Promise<{ root: string; walls: Walls }> {
  const root = await tempFolder();
  for (const name of ["home/.ssh", "own", "other", "tmp"]) await mkdir(join(root, name), { recursive: true });
  await writeFile(join(root, "home/.ssh/id"), "canary\n");
  await writeFile(join(root, "other/file"), "other\n");
  const walls: Walls = {
    hidden: [],
    scratch: [join(root, "home")],
    readable: [root],
    writable: [join(root, "own")],
    replaced: [],
    files: [],
    tmp: join(root, "tmp"),
    ...more,
  };
  return { root, walls };
}

/** What a shell line in the walls prints, and how it ends. */
async function tryLine(
  walls: Walls,
  line: string,
): Promise<{ lines: readonly string[]; code: number | null }> {
  const child = await start(line, { enclose: encloseByBubblewrap(walls) });
  const { code } = await child.ended;
  return { lines: child.lines, code };
}

describeWith(bubblewrap, "I12: walls by bubblewrap", () => {
  it("hold here, or say why not", async () => {
    expect(await probeSandbox({ folder: await tempFolder(), env })).toMatchObject({ by: "bubblewrap" });
  });

  it("let the own folder be written, and nothing else", async () => {
    const { root, walls } = await makeWalls();
    const { lines } = await tryLine(
      walls,
      `for f in own/a other/a other/file a; do (echo x > ${root}/$f) 2> /dev/null && echo $f; done; true`,
    );
    expect(lines).toEqual(["own/a"]);
    expect(await readdir(join(root, "own"))).toEqual(["a"]);
  });

  it("hide the home: a write there is gone, a link out of the own folder leads nowhere", async () => {
    const { root, walls } = await makeWalls();
    await symlink(join(root, "home/.ssh/id"), join(root, "own/link"));
    const { lines } = await tryLine(
      walls,
      `cat ${root}/home/.ssh/id ${root}/own/link 2> /dev/null; echo x > ${root}/home/.bashrc && echo written`,
    );
    expect(lines).toEqual(["written"]);
    expect(await readdir(join(root, "home"))).toEqual([".ssh"]);
  });

  it("fail a write to a hidden folder, and show what is granted below it", async () => {
    const { root, walls } = await makeWalls();
    const closed = { ...walls, hidden: [join(root, "other")], readable: [root, join(root, "other/file")] };
    const { lines } = await tryLine(
      closed,
      `(echo x > ${root}/other/new) 2> /dev/null || echo failed; cat ${root}/other/file; ls ${root}/other`,
    );
    expect(lines).toEqual(["failed", "other", "file"]);
  });

  it("cannot be taken down: no mount, no namespace, no capability, no sysctl", async () => {
    const { root, walls } = await makeWalls();
    const attempts = [
      `umount ${root}/home`,
      "mount -o remount,rw /",
      `mount --bind / ${root}/own`,
      "unshare --user --map-root-user true",
      "sh -c 'echo x > /proc/sys/kernel/core_pattern'",
      "mknod /tmp/disk b 8 0",
      "sh -c 'kill -0 2147483' ",
    ];
    const line = attempts.map((one, i) => `(${one}) > /dev/null 2>&1 && echo ${i}`).join("; ");
    expect((await tryLine(walls, `${line}; true`)).lines).toEqual([]);
  });

  it("hand on the exit code and the signal of the program", async () => {
    const { walls } = await makeWalls();
    expect(await tryLine(walls, "exit 3")).toMatchObject({ code: 3 });
    const child = await start("kill -KILL $$", { enclose: encloseByBubblewrap(walls) });
    expect(await child.ended).toMatchObject({ code: null, signal: "SIGKILL", notRun: null });
  });

  it("are told from the program where they fail: exit 1 of bubblewrap is no red gate", async () => {
    const { walls } = await makeWalls({ writable: ["/no/such/folder"] });
    const child = await start("exit 0", { enclose: encloseByBubblewrap(walls) });
    expect((await child.ended).notRun).toMatchObject({ reason: "no-walls" });
    const { walls: sound } = await makeWalls();
    const missing = await start(["no-such-program"], { enclose: encloseByBubblewrap(sound) });
    expect((await missing.ended).notRun).toMatchObject({ reason: "not-found" });
  });

  it("let a stop reach the program, which says its last words (I5)", async () => {
    const { walls } = await makeWalls();
    const line = `trap 'echo bye; exit 7' INT; setsid sleep 4201 & echo ready; while :; do sleep 0.05; done`;
    const child = await start(line, { enclose: encloseByBubblewrap(walls) });
    await child.next();
    expect(await child.stop({ kill: false })).toMatchObject({ code: 7, leftOver: [] });
    expect(child.lines).toEqual(["bye"]);
    expect(() => execFileSync("pgrep", ["-f", "^sleep 4201$"])).toThrow();
  });

  it("end with everything in them when they are killed (I5)", async () => {
    const { walls } = await makeWalls();
    const line = `cd / && (env -i setsid sleep 4202 > /dev/null 2>&1 &); echo ready; trap '' INT TERM; sleep 4202`;
    const child = await start(line, { enclose: encloseByBubblewrap(walls) });
    await child.next();
    expect(await child.stop({ kill: true })).toMatchObject({ signal: "SIGKILL", leftOver: [] });
    expect(() => execFileSync("pgrep", ["-f", "^sleep 4202$"])).toThrow();
  });

  it("put files of the program's own where it looks for them", async () => {
    const { root, walls } = await makeWalls();
    const path = join(root, "home/.tool/login");
    const { lines } = await tryLine(
      { ...walls, files: [{ path, text: "made\n" }] },
      `cat ${path}; rm ${path}`,
    );
    expect(lines).toEqual(["made"]);
    expect(existsSync(path)).toBe(false);
  });
});

describe("the order of mounts", () => {
  it("is from the outside in, and the last word about a path counts", () => {
    const mounts = listMounts({
      hidden: ["/home", "/home/u/repo"],
      scratch: ["/home/u"],
      readable: ["/home/u/repo/.git/objects"],
      writable: ["/home/u/state/slot", "/home"],
      replaced: [],
      files: [],
      tmp: "/t",
    });
    expect(mounts.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      ...["writable /home", "writable /tmp", "scratch /home/u", "hidden /home/u/repo"],
      ...["writable /home/u/state/slot", "readable /home/u/repo/.git/objects"],
    ]);
  });
});

describe("the filter of system calls", () => {
  it.each(["x64", "arm64"])("has whole instructions and no jump behind its end: %s", (arch) => {
    const filter = buildSeccompFilter(arch) ?? Buffer.alloc(0);
    const count = filter.length / 8;
    expect(Number.isInteger(count) && count > 40).toBe(true);
    for (let i = 0; i < count; i += 1) {
      if ((filter.readUInt16LE(8 * i) & 7) !== 5) continue; // not a jump
      const jump = Math.max(filter.readUInt8(8 * i + 2), filter.readUInt8(8 * i + 3));
      expect(i + 1 + jump).toBeLessThan(count);
    }
  });

  it("is not made for machines whose numbers are not known", () =>
    expect(buildSeccompFilter("mips")).toBeNull());
});
