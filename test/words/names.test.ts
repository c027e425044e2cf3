import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { countNames } from "./names.ts";

/** These may only shrink: lower a figure with the names. */
const MOST = { endInOf: 806, inSeveralFiles: 920, bannedTypes: 113 };

test("names that say too little become fewer", () => {
  const counts = countNames(fileURLToPath(new URL("../..", import.meta.url)));
  expect(counts.endInOf).toBeLessThanOrEqual(MOST.endInOf);
  expect(counts.inSeveralFiles).toBeLessThanOrEqual(MOST.inSeveralFiles);
  expect(counts.bannedTypes).toBeLessThanOrEqual(MOST.bannedTypes);
});

test("each kind is found where it is planted", () => {
  const root = mkdtempSync(join(tmpdir(), "plait-names-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "src/app"), { recursive: true });
  const write = (file: string, text: string) => writeFileSync(join(root, "src/app", file), text);
  write("a.ts", "function nameOf() {}\nconst read = () => 1;\ntype Told = 1;\ntype RunResult = 2;\n");
  write("b.ts", "export const read = (a: number) => a;\nconst of = 1;\nfunction proof() {}\n");
  write("b.test.ts", "function textOf() {}\ntype Found = 1;\n");
  expect(countNames(root)).toEqual({ endInOf: 1, inSeveralFiles: 1, bannedTypes: 1 });
});
