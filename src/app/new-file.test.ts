import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { writeNewFile } from "./safe-file.ts";

const folder = mkdtempSync(join(tmpdir(), "plait-new-file-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

test("nothing is written over what is there, nor through a link", async () => {
  writeFileSync(at("there.yaml"), "mine");
  symlinkSync(at("nowhere"), at("link"));
  const taken = { ok: false, reason: "exists", detail: "EEXIST" };
  expect(await writeNewFile(at("there.yaml"), "x")).toEqual(taken);
  expect(await writeNewFile(at("link"), "x")).toEqual(taken);
  expect(await writeNewFile(at("no/x.yaml"), "x")).toMatchObject({ reason: "no-folder" });
  expect(await writeNewFile(at("new.yaml"), "x")).toEqual({ ok: true });
  expect(readFileSync(at("there.yaml"), "utf8")).toBe("mine");
  expect(readdirSync(folder).sort()).toEqual(["link", "new.yaml", "there.yaml"]);
});

test("of many at once that want one name, one gets it, and its text is whole", async () => {
  const texts = Array.from({ length: 8 }, (_, i) => `${i}`.repeat(50_000));
  const results = await Promise.all(texts.map((text) => writeNewFile(at("one.txt"), text)));
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  expect(readFileSync(at("one.txt"), "utf8")).toBe(texts[results.findIndex(({ ok }) => ok)]);
});
