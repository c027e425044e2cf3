import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { root } from "./plait.ts";

/** Output that was looked at and found good. `UPDATE=1 npm test -- test/cli` rewrites it; the diff is then the review. */
export function expectGolden(name: string, text: string): void {
  const file = join(root, "test/cli/golden", name);
  const { UPDATE } = process.env;
  if (UPDATE === "1") {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  expect(text).toBe(readFileSync(file, "utf8"));
  expect(text).not.toContain(root);
}
