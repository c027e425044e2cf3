import { describe, expect, test } from "vitest";
import { parseDiff } from "../report/diff/parse-diff.ts";
import { createFairCut, type Mask } from "./fair-cut.ts";

const file = (name: string, lines: readonly string[]): string =>
  [
    `diff --git a/${name} b/${name}`,
    "new file mode 100644",
    "--- /dev/null",
    `+++ b/${name}`,
    `@@ -0,0 +1,${lines.length} @@`,
    ...lines.map((line) => `+${line}`),
    "",
  ].join("\n");
const numbered = (name: string, n: number) =>
  file(
    name,
    Array.from({ length: n }, (_, i) => `line ${i}`),
  );

function cut(diffs: readonly string[], most: number, mask: Mask | null = null) {
  const shares = createFairCut(most, mask);
  for (const diff of diffs) shares.add(Buffer.from(diff));
  return shares.take({ files: 0, bytes: 0 });
}

describe("of a diff that is too long", () => {
  const long = [numbered("a", 2_000), numbered("b", 10), numbered("c", 3_000)];

  test("every file gets its share, small ones are whole, and what is left out of each is said", () => {
    for (const parts of [[long.join("")], long]) {
      const { text, cutBytes } = cut(parts, 6_000);
      const files = parseDiff(text);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(6_000);
      expect(Buffer.byteLength(text)).toBeGreaterThan(5_700);
      expect(files.map(({ path }) => path)).toEqual(["a", "b", "c"]);
      const [a = 0, b = 0, c = 0] = files.map(({ added }) => added);
      expect([b, Math.abs(a - c) < 3, a > 200]).toEqual([10, true, true]);
      expect(files.map((one) => one.cutBytes).reduce((sum, bytes) => sum + bytes, 0)).toBe(cutBytes);
      expect(files[1]?.cutBytes).toBe(0);
    }
  });

  test("what has room stays as it is", () => {
    const text = long.join("");
    expect(cut([text], Buffer.byteLength(text))).toEqual({ text, cutBytes: 0 });
    expect(cut([], 100)).toEqual({ text: "", cutBytes: 0 });
  });

  test("the last of too many files are counted, and the room is used (I10)", () => {
    const many = Array.from({ length: 900 }, (_, n) => numbered(`file-${n}`, 1));
    const { text, cutBytes } = cut(many, 20_000);
    const shown = parseDiff(text).length;
    expect(text.endsWith(`[${900 - shown} more files are left out]\n`)).toBe(true);
    expect(Buffer.byteLength(text)).toBeGreaterThan(19_500);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
    expect(cutBytes).toBeGreaterThan(50_000);
  });

  test("a line of a megabyte shows its beginning, in whole characters, and never half a secret (I13)", () => {
    const secret = "hunter2-hunter2";
    const mask = (text: string) => text.replaceAll(secret, "[masked]");
    for (let most = 1_000; most < 1_040; most += 1) {
      const { text } = cut([file("a", [`ü${secret.repeat(80_000)}`])], most, mask);
      expect(text).toContain("+ü[masked]");
      expect(text).not.toMatch(/hunter|\ufffd/);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(most);
    }
  });
});
