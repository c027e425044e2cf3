import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readText, sha256 } from "./read-text.ts";

const folder = mkdtempSync(join(tmpdir(), "plait-read-text-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const bytes = (...values: number[]) => Uint8Array.from(values);

describe("reading a text", () => {
  test("gives the text, its hash and its size", async () =>
    expect(await readText(file("a", "héllo"), 100)).toEqual({
      ok: true,
      text: "héllo",
      hash: sha256("héllo"),
      bytes: 6,
    }));
  test("drops a byte order mark", async () =>
    expect(await readText(file("bom", "\uFEFFplait: 1"), 100)).toMatchObject({
      text: "plait: 1",
      bytes: 11,
    }));
  test("takes exactly as much as allowed", async () => {
    expect(await readText(file("full", "x".repeat(70_000)), 70_000)).toMatchObject({
      ok: true,
      bytes: 70_000,
    });
    expect(await readText(file("over", "x".repeat(70_001)), 70_000)).toEqual({
      ok: false,
      reason: "too-large",
      detail: "is too large: at least 70001 bytes (limit: 70000)",
    });
  });
  test("says how large a file is without reading it", async () =>
    expect(await readText(file("huge", "x".repeat(1_000)), 10)).toMatchObject({
      detail: "is too large: at least 1000 bytes (limit: 10)",
    }));
  test("does not believe a size of 0", async () =>
    expect(await readText("/proc/self/status", 10)).toMatchObject(
      process.platform === "linux" ? { ok: false, reason: "too-large" } : { ok: false },
    ));
  test("follows links", async () => {
    symlinkSync(file("target", "x"), join(folder, "link"));
    expect(await readText(join(folder, "link"), 10)).toMatchObject({ ok: true, text: "x" });
  });

  test.each([
    ["a zero byte", bytes(97, 98, 0, 99), "is binary, not text (byte 2 is 0)"],
    ["Latin-1", bytes(97, 0xe4, 98), "is not UTF-8 text (see byte 1)"],
    ["UTF-16", bytes(0xff, 0xfe, 98, 97), "is not UTF-8 text (see byte 0)"],
    ["a character cut off by the end", bytes(97, 0xc3), "is not UTF-8 text (see byte 1)"],
    ["an overlong form", bytes(97, 0xc0, 0xaf), "is not UTF-8 text (see byte 1)"],
    ["a half of a surrogate pair", bytes(97, 0xed, 0xa0, 0x80), "is not UTF-8 text (see byte 1)"],
    [
      "a wrong byte far in",
      Buffer.concat([Buffer.from("é".repeat(5_000)), bytes(0xff)]),
      "is not UTF-8 text (see byte 10000)",
    ],
  ])("refuses %s and says where", async (name, content, detail) =>
    expect(await readText(file(name, content), 100_000)).toEqual({ ok: false, reason: "not-text", detail }),
  );

  test.each([
    ["a missing file", "nothing", "missing"],
    ["a path through a file", "a/b", "missing"],
    ["a name that no system takes", "a\0b", "missing"],
    ["a name that is too long", "x".repeat(5_000), "missing"],
    ["a folder", ".", "folder"],
  ])("refuses %s", async (_, name, reason) => {
    file("a", "x");
    expect(await readText(join(folder, name), 100)).toMatchObject({ ok: false, reason });
  });

  test("refuses a link to itself", async () => {
    symlinkSync("loop", join(folder, "loop"));
    expect(await readText(join(folder, "loop"), 100)).toEqual({
      ok: false,
      reason: "link-loop",
      detail: "cannot be read: its symbolic links form a loop",
    });
  });
  test("refuses a file that it may not read", async () => {
    chmodSync(file("secret", "x"), 0);
    const isRoot = process.getuid?.() === 0;
    expect(await readText(join(folder, "secret"), 100)).toMatchObject(
      isRoot ? { ok: true } : { ok: false, reason: "unreadable", detail: "cannot be read (EACCES)" },
    );
  });
  test.skipIf(process.platform === "win32")("does not wait for pipes and devices", async () => {
    mkdirSync(join(folder, "special"), { recursive: true });
    execFileSync("sh", ["-c", 'mkfifo "$0"', join(folder, "special/pipe")]);
    for (const path of [join(folder, "special/pipe"), "/dev/zero", "/dev/null"]) {
      expect(await readText(path, 100)).toEqual({
        ok: false,
        reason: "special",
        detail: "is not a regular file",
      });
    }
  });
});
