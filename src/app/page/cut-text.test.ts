import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cutFile } from "./cut-text.ts";

test("of a long file the middle is left out, at whole lines, and it is said how much", async () => {
  const folder = mkdtempSync(join(tmpdir(), "plait-cut-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "log");
  const lines = Array.from({ length: 1_000 }, (_, i) => `${i} ${"ü".repeat(20)}`);
  writeFileSync(path, lines.join("\n"));
  const mask = (text: string) => text.replaceAll("999", "***");
  const cut = await cutFile(path, 4_000, mask);
  expect(cut?.text).not.toContain("\ufffd");
  expect(cut?.text).toMatch(/^0 ü[\s\S]*\n\[[\d,]+ bytes are left out\]\n\d+ ü[\s\S]*\n\*\*\* ü+$/);
  expect(Buffer.byteLength(cut?.text ?? "")).toBeLessThan(4_100);
  expect(cut?.cutBytes).toBeGreaterThan(38_000);
  expect(await cutFile(path, 1_000_000, mask)).toEqual({ text: mask(lines.join("\n")), cutBytes: 0 });
  expect(await cutFile(join(folder, "none"), 10, mask)).toBeNull();
});

test("what is left of a long line has no half of a secret at the cut, and no half of a character (I13)", async () => {
  const folder = mkdtempSync(join(tmpdir(), "plait-cut-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "log");
  const mask = (text: string) => text.replaceAll("hunter2-hunter2", "***");
  writeFileSync(path, "ü hunter2-hunter2".repeat(50_000));
  for (let most = 4_000; most < 4_080; most += 4) {
    const cut = await cutFile(path, most, mask);
    expect(cut?.text).toMatch(/^ü \*\*\*[^\n]*\n\[[\d,]+ bytes are left out\]\n[^\n]*\*\*\*$/);
    expect(cut?.text).not.toMatch(/hunter|\ufffd/);
    expect(Buffer.byteLength(cut?.text ?? "")).toBeLessThan(most + 100);
  }
});
