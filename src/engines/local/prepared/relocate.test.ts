import {
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readReference } from "./reference.ts";
import { findRelocations, writeRelocations } from "./relocate.ts";

let root = "";
const at = (...path: string[]) => join(root, ...path);
const read = (...path: string[]) => readFileSync(at(...path), "utf8");

beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), "plait-relocate-"));
  mkdirSync(at("shop/.venv/bin"), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (path: string, content: string | Buffer, mode = 0o644) =>
  writeFileSync(at("shop/.venv", path), content, { mode });

/** A copy in a worktree, as it is when the paths in it are written. */
async function relocate(to = at("tree")): Promise<string[]> {
  const [folder, from] = [at("shop/.venv"), at("shop")];
  const found = findRelocations({ folder, root: from, reference: await readReference(folder) });
  cpSync(folder, join(to, ".venv"), { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  writeRelocations(found, { folder: join(to, ".venv"), from, to });
  return found.map(({ path }) => path).sort();
}

test("scripts, .pth files and links name the worktree, with mode and time of the file", async () => {
  write("bin/tool", `#!${at("shop/.venv/bin/python")}\nrun\n`, 0o755);
  write("shop.pth", `${at("shop/src")}\n`);
  symlinkSync(at("shop/.venv/bin/tool"), at("shop/.venv/bin/alias"));
  expect(await relocate(at("t"))).toEqual(["bin/alias", "bin/tool", "shop.pth"]);
  expect(read("t/.venv/shop.pth")).toBe(`${at("t/src")}\n`);
  expect(read("t/.venv/bin/tool")).toContain(at("t/.venv/bin/python"));
  expect(read("t/.venv/bin/tool")).not.toContain(at("shop"));
  expect(readlinkSync(at("t/.venv/bin/alias"))).toBe(at("t/.venv/bin/tool"));
  const [before, after] = [statSync(at("shop/.venv/bin/tool")), statSync(at("t/.venv/bin/tool"))];
  expect(after.mode).toBe(before.mode);
  expect(Math.abs(after.mtimeMs - before.mtimeMs)).toBeLessThan(2);
});

test("a longer name, a binary, another encoding and other kinds of files stay as they are", async () => {
  write("old.pth", `${at("shop-old/src")}\n`);
  write("bin/binary", Buffer.from(`${at("shop/x")}\0`));
  write("bin/latin", Buffer.concat([Buffer.from(`${at("shop/x")}\n`), Buffer.from([0xe9])]));
  write("code.py", `${at("shop/src")}\n`);
  expect(await relocate()).toEqual([]);
});

test("a first line that would be too long lets the shell start the interpreter", async () => {
  write("bin/tool", `#!${at("shop/.venv/bin/python3")}\nimport x\n`);
  const far = at("deep".repeat(30));
  await relocate(far);
  const text = readFileSync(join(far, ".venv/bin/tool"), "utf8");
  expect(text).toBe(`#!/bin/sh\n'''exec' "${far}/.venv/bin/python3" "$0" "$@"\n' '''\nimport x\n`);
});

test("a file that is linked elsewhere is replaced, not written through (I3)", async () => {
  write("shop.pth", `${at("shop/src")}\n`);
  const [folder, from] = [at("shop/.venv"), at("shop")];
  const found = findRelocations({ folder, root: from, reference: await readReference(folder) });
  mkdirSync(at("tree/.venv"), { recursive: true });
  linkSync(at("shop/.venv/shop.pth"), at("tree/.venv/shop.pth"));
  writeRelocations(found, { folder: at("tree/.venv"), from, to: at("tree") });
  expect(read("shop/.venv/shop.pth")).toBe(`${at("shop/src")}\n`);
  expect(read("tree/.venv/shop.pth")).toBe(`${at("tree/src")}\n`);
});
