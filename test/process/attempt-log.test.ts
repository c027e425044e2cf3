import { mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutMarker, openLog } from "../../src/process/attempt-log.ts";
import { tempFolder } from "./support.ts";

async function opened(path: string, maxBytes?: number) {
  const result = await openLog(path, maxBytes === undefined ? {} : { maxBytes });
  if (!result.ok) throw new Error(result.failure.message);
  return result.log;
}

describe("a log file", () => {
  it("is for its user alone, whatever the umask, and holds what was written, byte for byte", async () => {
    const path = join(await tempFolder(), "log");
    const mask = process.umask(0);
    const log = await opened(path).finally(() => process.umask(mask));
    const bytes = Buffer.from([0, 255, 10, 27, 91, 50, 74]);
    await Promise.all([log.write(bytes), log.write(Buffer.from("second")), log.write(Buffer.from("third"))]);
    expect(await log.close()).toEqual({ bytes: 18, cutBytes: 0, failure: null });
    expect(await readFile(path)).toEqual(Buffer.concat([bytes, Buffer.from("secondthird")]));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("is never made of what is there already: a file, a link, a link to nothing", async () => {
    const folder = await tempFolder();
    await writeFile(join(folder, "file"), "kept");
    await symlink(join(folder, "file"), join(folder, "link"));
    await symlink(join(folder, "target"), join(folder, "nowhere"));
    await mkdir(join(folder, "folder"));
    for (const name of ["file", "link", "nowhere", "folder"]) {
      expect(await openLog(join(folder, name))).toMatchObject({ ok: false, failure: { errno: "EEXIST" } });
    }
    expect(await readFile(join(folder, "file"), "utf8")).toBe("kept");
    expect(await openLog(join(folder, "no", "folder"))).toMatchObject({
      ok: false,
      failure: { errno: "ENOENT" },
    });
  });
});

describe("a log that would grow over its cap (I10)", () => {
  const line = (i: number): string => `line ${String(i).padStart(6, "0")} of the output\n`;

  it("keeps whole lines of the beginning and of the end, and says how much is missing", async () => {
    const path = join(await tempFolder(), "log");
    const log = await opened(path, 4096);
    let written = 0;
    for (let i = 0; i < 1_000; i += 1) {
      written += line(i).length;
      await log.write(Buffer.from(line(i)));
      const [, tail] = (await readFile(path, "utf8")).split(/\n\[plait: .*\]\n/);
      if (tail !== undefined) expect(tail.length).toBeGreaterThan(1_400);
      expect((await stat(path)).size).toBeLessThanOrEqual(4096);
    }
    const { bytes, cutBytes, failure } = await log.close();
    expect([bytes, failure]).toEqual([written, null]);
    const text = await readFile(path, "utf8");
    expect(text.length).toBeLessThanOrEqual(4096);
    const [head = "", tail = ""] = text.split(cutMarker(cutBytes));
    const headLines = head.match(/.+\n/g) ?? [];
    const tailLines = tail.match(/.+\n/g) ?? [];
    expect(headLines).toEqual(headLines.map((_, i) => line(i)));
    expect(tailLines).toEqual(tailLines.map((_, i) => line(1_000 - tailLines.length + i)));
    expect(headLines.length).toBeGreaterThan(30);
    expect(tailLines.length).toBeGreaterThan(45);
    expect(head.length + tail.length + cutBytes).toBe(written);
  });

  it("is right for chunks and lines of any size", async () => {
    const folder = await tempFolder();
    let n = 0;
    const chunk = fc.tuple(fc.integer({ min: 1, max: 6_000 }), fc.integer({ min: 1, max: 3_000 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(chunk, { maxLength: 12 }),
        fc.integer({ min: 1, max: 5_000 }),
        async (chunks, max) => {
          n += 1;
          const path = join(folder, String(n));
          const log = await opened(path, max);
          const parts = chunks.map(([size, every], i) => chunkOf(size, every, i));
          for (const part of parts) await log.write(part);
          const { cutBytes } = await log.close();
          const [all, text] = [Buffer.concat(parts).toString(), await readFile(path, "utf8")];
          expect(text.length).toBeLessThanOrEqual(Math.max(1024, max));
          const pieces = text.split(cutMarker(cutBytes));
          expect(pieces.length).toBe(cutBytes > 0 ? 2 : 1);
          const [head = "", tail = ""] = pieces;
          expect(all.startsWith(head) && all.endsWith(tail)).toBe(true);
          expect(head.length + tail.length + cutBytes).toBe(all.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("may say it in another way, for a file of JSON lines", async () => {
    const path = join(await tempFolder(), "transcript");
    const marker = (cut: number): string => `{"type":"cut","bytes":${String(cut).padStart(15)}}\n`;
    const result = await openLog(path, { maxBytes: 2048, marker });
    if (!result.ok) throw new Error(result.failure.message);
    for (let i = 0; i < 500; i += 1) await result.log.write(Buffer.from(`{"type":"text","n":${i}}\n`));
    const { cutBytes } = await result.log.close();
    const events = (await readFile(path, "utf8"))
      .trimEnd()
      .split("\n")
      .map((text) => JSON.parse(text));
    expect(events[0]).toEqual({ type: "text", n: 0 });
    expect(events.at(-1)).toEqual({ type: "text", n: 499 });
    expect(events.filter((event) => event.type === "cut")).toEqual([{ type: "cut", bytes: cutBytes }]);
  });
});

/** Bytes that differ from place to place, with a line break now and then. */
function chunkOf(size: number, every: number, seed: number): Buffer {
  return Buffer.from(
    Array.from({ length: size }, (_, i) =>
      i % every === every - 1 ? 10 : 97 + ((i * 7 + seed * 13 + ((i / 26) | 0)) % 26),
    ),
  );
}
