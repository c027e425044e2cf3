import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const built = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../../dist/ui/${name}`, import.meta.url)));
const packed = (...names: string[]): number =>
  names.reduce((sum, name) => sum + gzipSync(built(name), { level: 9 }).length, 0);

test("the first look at a run is below 100 KiB, compressed, and all of it below 160", () => {
  expect(packed("index.html", "page.js", "page.css", "page.svg")).toBeLessThan(100 * 1024);
  expect(packed("file.js", "page.css")).toBeLessThan(160_000);
});
