import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FolderStock, findIdleCopies, type StockOptions } from "./folder-stock.ts";
import { LISTING_FORMAT } from "./listing.ts";
import { readReference } from "./reference.ts";

let root = "";
const at = (...path: string[]) => join(root, ...path);

beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), "plait-stock-"));
  for (const folder of ["source/pkg/lib", "source/.bin", "trees"]) mkdirSync(at(folder), { recursive: true });
  writeFileSync(at("source/pkg/index.js"), "module.exports = 1;\n");
  writeFileSync(at("source/pkg/lib/deep.js"), "deep\n", { mode: 0o755 });
  symlinkSync("../pkg/index.js", at("source/.bin/pkg"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function openStock(
  fast = false,
  listed: string[] = [],
  copyFast: StockOptions["copyFast"] = async (from, to) => {
    if (fast) execFileSync("cp", ["-a", from, to]);
    return fast;
  },
): Promise<FolderStock> {
  const reference = await readReference(at("source"));
  const options = {
    source: at("source"),
    reference,
    folder: at("stock"),
    rewritten: new Set<string>(),
    copyFast,
    listFast: async (folder: string) => {
      listed.push(folder);
      return fast ? list(folder) : null;
    },
  };
  return new FolderStock(options, await findIdleCopies(at("stock")));
}

const list = (folder: string) =>
  execFileSync("find", [folder, "-mindepth", "1", "-printf", LISTING_FORMAT], { encoding: "utf8" });

const listing = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return `${path.slice(folder.length)} ${entry.isFile() ? readFileSync(path, "utf8") : ""}`;
    })
    .sort();

/** What agents do to dependencies. */
const edits: readonly [string, (folder: string) => void][] = [
  ["an edit in place", (f) => appendFileSync(join(f, "pkg/index.js"), "// changed\n")],
  [
    "an edit of the same size with the time put back",
    (f) => {
      const path = join(f, "pkg/index.js");
      const { atimeMs, mtimeMs } = statSync(path); // to the microsecond
      writeFileSync(path, "module.exports = 2;\n");
      utimesSync(path, atimeMs / 1000, mtimeMs / 1000);
    },
  ],
  ["a new file", (f) => writeFileSync(join(f, "pkg/new.js"), "new\n")],
  ["a removed file", (f) => rmSync(join(f, "pkg/lib/deep.js"))],
  ["a removed folder", (f) => rmSync(join(f, "pkg"), { recursive: true })],
  ["another mode", (f) => chmodSync(join(f, "pkg/lib/deep.js"), 0o600)],
  ["a closed folder", (f) => chmodSync(join(f, "pkg/lib"), 0o000)],
  [
    "a folder replaced by a link",
    (f) => {
      renameSync(join(f, "pkg"), join(f, "moved"));
      symlinkSync("moved", join(f, "pkg"));
    },
  ],
  [
    "a file replaced by a folder",
    (f) => {
      rmSync(join(f, "pkg/index.js"));
      mkdirSync(join(f, "pkg/index.js/x"), { recursive: true });
    },
  ],
  [
    "another link",
    (f) => {
      rmSync(join(f, ".bin/pkg"));
      symlinkSync("/etc/passwd", join(f, ".bin/pkg"));
    },
  ],
  ["a hard link kept elsewhere", (f) => linkSync(join(f, "pkg/index.js"), at("kept.js"))],
];

test.each(edits)("after %s the next worktree gets the folder as it was (I9)", async (_, edit) => {
  for (const fast of [false, true]) {
    const stock = await openStock(fast);
    const original = listing(at("source"));
    const first = await stock.take(at("trees/a"));
    expect(listing(at("trees/a"))).toEqual(original);
    edit(at("trees/a"));
    if (first !== null) await stock.releaseWorktree(first);
    expect(await stock.take(at("trees/b"))).not.toBeNull();
    expect(listing(at("trees/b"))).toEqual(original);
    expect(statSync(at("trees/b/pkg/lib/deep.js")).mode & 0o777).toBe(0o755);
    if (existsSync(at("kept.js"))) {
      appendFileSync(at("kept.js"), "written through\n");
      expect(listing(at("trees/b"))).toEqual(original);
    }
    expect(listing(at("source"))).toEqual(original);
    rmSync(at("trees"), { recursive: true, force: true });
    rmSync(at("kept.js"), { force: true });
    mkdirSync(at("trees"));
    await stock.close(0);
  }
});

test("an unchanged copy is the same files again, also for the next run", async () => {
  const stock = await openStock();
  const first = await stock.take(at("trees/a"));
  // A file that is written again may get the number of the one before it, but not its time of change.
  const { ino, ctimeMs } = statSync(at("trees/a/pkg/index.js"));
  if (first !== null) await stock.releaseWorktree(first);
  await stock.close(1_000);
  const next = await openStock();
  await next.take(at("trees/b"));
  expect(statSync(at("trees/b/pkg/index.js"))).toMatchObject({ ino, ctimeMs });
});

test("no two worktrees share a file, and none shares one with the checkout", async () => {
  const stock = await openStock();
  await Promise.all([stock.take(at("trees/a")), stock.take(at("trees/b"))]);
  const inodes = ["source", "trees/a", "trees/b"].map((tree) => statSync(at(tree, "pkg/index.js")).ino);
  expect(new Set(inodes).size).toBe(3);
});

test("a copy that no worktree will want is not compared when it is given back", async () => {
  for (const isWanted of [true, false]) {
    const listed: string[] = [];
    const stock = await openStock(false, listed);
    stock.compareAhead(1);
    const copy = await stock.take(at("trees/a"));
    if (!isWanted) stock.stopAhead();
    if (copy !== null) await stock.releaseWorktree(copy);
    await stock.close(0);
    rmSync(at("trees/a"), { recursive: true, force: true });
    expect(listed).toHaveLength(isWanted ? 2 : 1);
  }
});

test("a folder that changed since it was read gives no copy", async () => {
  const stock = await openStock();
  appendFileSync(at("source/pkg/index.js"), "// npm install\n");
  expect(await stock.take(at("trees/a"))).toBeNull();
  expect(existsSync(at("trees/a"))).toBe(false);
});

test("copies made ahead are used, and beyond the limit none is left", async () => {
  const stock = await openStock();
  stock.makeSpares(2);
  await stock.take(at("trees/a"));
  expect(await stock.close(0)).toBe(0);
  expect(readdirSync(at("stock"))).toEqual([]);
});

test("copies that a killed run was making or removing are never used; one that it was comparing is compared again", async () => {
  const gone = Number(execFileSync("sh", ["-c", "echo $$"], { encoding: "utf8" }));
  const stock = await openStock();
  const copy = await stock.take(at("trees/a"));
  if (copy !== null) await stock.releaseWorktree(copy);
  await stock.close(1_000);
  const [name = ""] = readdirSync(at("stock"));
  const [seal = ""] = name.split("-");
  // Killed while it put one file right: the file is incomplete, and younger than the seal.
  renameSync(at("stock", name), at("stock", `.held-${gone}-${seal}-7`));
  writeFileSync(at("stock", `.held-${gone}-${seal}-7/pkg/index.js`), "module");
  for (const cutOff of [`.making-${gone}-8`, `.trash-${gone}-9`]) {
    mkdirSync(at("stock", cutOff, "pkg"), { recursive: true });
    writeFileSync(at("stock", cutOff, "pkg/index.js"), "mod");
  }
  const next = await openStock();
  expect(readdirSync(at("stock"))).toEqual([`.held-${gone}-${seal}-7`]);
  await next.take(at("trees/b"));
  expect(listing(at("trees/b"))).toEqual(listing(at("source")));
  expect(readdirSync(at("stock"))).toEqual([]);
});

test("a copy that a living run compares belongs to that run alone", async () => {
  const stock = await openStock();
  const copy = await stock.take(at("trees/a"));
  if (copy !== null) await stock.releaseWorktree(copy);
  stock.compareAhead(1);
  await expect.poll(() => readdirSync(at("stock")).some((name) => name.startsWith(".held-"))).toBe(true);
  expect(await findIdleCopies(at("stock"))).toEqual([]);
  expect(await stock.close(1_000)).toBeGreaterThan(0);
  expect(await findIdleCopies(at("stock"))).toHaveLength(1);
});

test("closing does not wait for a copy that no tree needs any more, and leaves nothing of it", async () => {
  let began: () => void = () => undefined;
  const isCopying = new Promise<void>((resolve) => (began = resolve));
  const copyFast = (_: string, to: string, signal: AbortSignal) => {
    mkdirSync(to);
    writeFileSync(join(to, "half"), "");
    began();
    return new Promise<boolean>((resolve) => signal.addEventListener("abort", () => resolve(false)));
  };
  const stock = await openStock(false, [], copyFast);
  stock.makeSpares(2);
  await isCopying;
  expect(await stock.close(1_000_000)).toBe(0);
  expect(readdirSync(at("stock"))).toEqual([]);
});
