import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { replaceUnchanged } from "./safe-file.ts";

const top = mkdtempSync(join(tmpdir(), "plait-safe-file-"));
afterAll(() => rmSync(top, { recursive: true }));
let path = top;
beforeEach(() => {
  path = join(mkdtempSync(join(top, "case-")), "mine.md");
});
const text = () => readFileSync(path, "utf8");
const replace = async (at = path) => {
  const done = await replaceUnchanged({ name: "mine.md", path: at }, "before", "after");
  return done.ok ? null : done.refusal.message;
};

test("a text that is as it was is replaced through a link, with its mode and its mark", async () => {
  writeFileSync(path, "\ufeffbefore");
  chmodSync(path, 0o640);
  symlinkSync(path, `${path}.link`);
  expect(await replace(`${path}.link`)).toBeNull();
  expect([text(), statSync(path).mode & 0o777]).toEqual(["\ufeffafter", 0o640]);
  expect(readdirSync(join(path, "..")).sort()).toEqual(["mine.md", "mine.md.link"]);
});

test.each<[string, () => void, string]>([
  [
    "changed",
    () => writeFileSync(path, "before, and more"),
    "mine.md was changed by another program; nothing was written",
  ],
  ["taken away", () => undefined, "mine.md was changed by another program; nothing was written"],
  [
    "read-only",
    () => {
      writeFileSync(path, "before");
      chmodSync(path, 0o444);
    },
    "cannot write mine.md (EACCES); nothing was changed",
  ],
])("one that is %s stays so", async (_, become, says) => {
  become();
  const names = readdirSync(join(path, ".."));
  expect(await replace()).toContain(says);
  expect(readdirSync(join(path, ".."))).toEqual(names);
  if (names.length > 0) expect(text()).toMatch(/^before/);
});
