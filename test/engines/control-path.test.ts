import { chmod, lstat, mkdir, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { RunId } from "../../src/core/ids.ts";
import { connectToRun } from "../../src/engines/local/connect-to-run.ts";
import type { ControlHandlers } from "../../src/engines/local/control-client.ts";
import { type ControlPlace, findControlPath, readControlFile } from "../../src/engines/local/control-path.ts";
import { openControlSocket } from "../../src/engines/local/control-socket.ts";
import { namesIn, tempFolder } from "../journal/support.ts";

const uid = process.getuid?.() ?? 0;

async function place(
  change: Partial<ControlPlace> = {},
): Promise<ControlPlace & { readonly folder: string }> {
  const folder = await tempFolder();
  return { run: "r1", runDir: folder, runtimeDir: null, tmpDir: folder, uid, folder, ...change };
}

const handlers: ControlHandlers = {
  ask: async () => ({ ok: false, refusal: { message: "no", hint: null } }),
  factsSince: async () => [],
  subscribe: () => () => undefined,
  describe: () => ({ run: "r1" as RunId, pid: 1, version: "1", facts: 0 }),
};

test("the path is short, the same for all who ask, and another for another run or folder", async () => {
  const here = await place({ runDir: `/repo/${"deep/".repeat(40)}runs/r1` });
  const runtimeDir = here.folder;
  const first = await findControlPath({ ...here, runtimeDir, tmpDir: "/nowhere" });
  if (!first.ok) throw new Error(first.problem);
  expect(first.path.startsWith(join(runtimeDir, "plait", "/"))).toBe(true);
  expect(Buffer.byteLength(first.path)).toBeLessThanOrEqual(100);
  expect(await findControlPath({ ...here, runtimeDir })).toEqual(first);
  expect(await findControlPath({ ...here, runtimeDir, run: "r2" })).not.toEqual(first);
  expect(await findControlPath({ ...here, runtimeDir, runDir: "/other" })).not.toEqual(first);
  expect((await stat(join(runtimeDir, "plait"))).mode & 0o777).toBe(0o700);
});

test.each([0, 0o777])(
  "the folder is for its user only, whatever the umask (%i) took or gave",
  async (mask) => {
    const here = await place();
    const old = process.umask(mask);
    onTestFinished(() => void process.umask(old));
    expect(await findControlPath(here)).toMatchObject({ ok: true });
    expect((await stat(join(here.folder, `plait-${uid}`))).mode & 0o777).toBe(0o700);
  },
);

test("a runtime folder that is missing, relative or too long is passed over for the temporary one", async () => {
  const here = await place();
  const long = join(here.folder, "ü".repeat(60));
  await mkdir(long);
  for (const runtimeDir of [join(here.folder, "missing"), "run/user", long]) {
    const found = await findControlPath({ ...here, runtimeDir });
    expect(found.ok && found.path.startsWith(join(here.folder, `plait-${uid}`, "/"))).toBe(true);
  }
  expect(await namesIn(here.folder)).toEqual([`plait-${uid}`, "ü".repeat(60)]);
});

test("when both are too long it says so, counting bytes, and makes nothing", async () => {
  const here = await place();
  const tmpDir = join(here.folder, "ü".repeat(40)); // fewer than 100 characters
  await mkdir(tmpDir);
  const found = await findControlPath({ ...here, tmpDir, runtimeDir: tmpDir });
  expect(found.ok ? "" : found.problem).toMatch(
    /has \d{3} bytes, more than the 100 of a socket path: set TMPDIR/,
  );
  expect(await namesIn(tmpDir)).toEqual([]);
  const opened = await openControlSocket({
    path: join(tmpDir, "x".repeat(40)),
    runDir: here.folder,
    handlers,
  });
  expect(opened.ok ? "" : opened.problem).toMatch(/more than the 100/);
  expect(await connectToRun(join(tmpDir, "x".repeat(40)))).toMatchObject({ ok: false, reason: "not-ours" });
});

test.each([
  ["is a link", (path: string, folder: string) => symlink(folder, path), /is a symbolic link/],
  ["is a file", (path: string) => writeFile(path, ""), /is not a folder/],
  ["its group may write to", (path: string) => mkdir(path).then(() => chmod(path, 0o770)), /by other users/],
  ["all may write to", (path: string) => mkdir(path).then(() => chmod(path, 0o1777)), /by other users/],
])("a folder that %s is refused", async (_what, make, reason) => {
  const here = await place();
  const path = join(here.folder, `plait-${uid}`);
  await make(path, here.folder);
  const before = await lstat(path);
  const found = await findControlPath(here);
  expect(found.ok ? "" : found.problem).toMatch(reason);
  expect((await lstat(path)).mode).toBe(before.mode);
});

test("a folder of another user is refused", async () => {
  const here = await place();
  await mkdir(join(here.folder, `plait-${uid + 1}`), 0o700);
  const found = await findControlPath({ ...here, uid: uid + 1 });
  expect(found.ok ? "" : found.problem).toContain(`belongs to user ${uid}, not to ${uid + 1}`);
});

test("what lies at the path and is no socket stays, and the door does without", async () => {
  const { folder } = await place();
  const path = join(folder, "s");
  await writeFile(path, "precious");
  expect(await openControlSocket({ path, runDir: folder, handlers })).toMatchObject({ ok: false });
  expect((await stat(path)).size).toBe(8);
  expect(await connectToRun(path)).toMatchObject({ ok: false, reason: "not-ours" });
});

test("a run folder that cannot be written leaves no socket behind", async () => {
  const { folder } = await place();
  const opened = await openControlSocket({
    path: join(folder, "s"),
    runDir: join(folder, "missing"),
    handlers,
  });
  expect(opened.ok ? "" : opened.problem).toMatch(/cannot listen/);
  expect(await namesIn(folder)).toEqual([]);
});

test("whoever knocks where nobody is, at another user's socket, or at one that is silent, is told which", async () => {
  const { folder } = await place();
  const path = join(folder, "s");
  expect(await connectToRun(path)).toMatchObject({ ok: false, reason: "nobody" });
  const server = createServer(() => undefined).listen(path);
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  expect(await connectToRun(path, { uid: uid + 1 })).toMatchObject({ ok: false, reason: "not-ours" });
  expect(await connectToRun(path, { timeoutMs: 20 })).toMatchObject({ ok: false, reason: "silent" });
});

test("a door file that is none tells of no door", async () => {
  const { folder } = await place();
  expect(await readControlFile(folder)).toBeNull();
  for (const text of ["", "relative/s\n", `/${"x".repeat(5000)}\n`]) {
    await writeFile(join(folder, "door"), text);
    expect(await readControlFile(folder)).toBeNull();
  }
});
