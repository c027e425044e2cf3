import { describe, expect, it } from "vitest";
import { createLineSplitter, type Line } from "./lines.ts";

function split(chunks: readonly (string | Buffer)[], maxLineBytes?: number): Line[] {
  const splitter = createLineSplitter(maxLineBytes);
  return [...chunks.flatMap((chunk) => [...splitter.push(Buffer.from(chunk))]), ...splitter.end()];
}

const texts = (lines: readonly Line[]): string[] => lines.map((line) => line.text);

describe("lines", () => {
  it("come without their line breaks, empty ones too, and the last one need not have any", () => {
    expect(split(["one\ntwo\r\n\nfour"])).toEqual(
      ["one", "two", "", "four"].map((text) => ({ text, cutBytes: 0 })),
    );
    expect(split(["one\n"])).toEqual([{ text: "one", cutBytes: 0 }]);
    expect(split([])).toEqual([]);
  });

  it("are the same wherever the chunks are cut, also in the middle of a character", () => {
    const text = "a\n\r\nżółć 🦊\n\n{“é”}\r\nlast 🦊";
    const bytes = Buffer.from(text);
    const whole = split([bytes]);
    expect(texts(whole)).toEqual(["a", "", "żółć 🦊", "", "{“é”}", "last 🦊"]);
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(split([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole);
    }
    expect(split([...bytes].map((byte) => Buffer.from([byte])))).toEqual(whole);
  });

  it("that are too long keep their beginning and say how much is missing, and the next is whole again (I10)", () => {
    for (const size of [1, 3, 1000]) {
      const bytes = Buffer.from("0123456789abc\nok\n0123456789\n");
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      expect(split(chunks, 10)).toEqual([
        { text: "0123456789", cutBytes: 3 },
        { text: "ok", cutBytes: 0 },
        { text: "0123456789", cutBytes: 0 },
      ]);
    }
  });

  it("are never cut inside a character", () => {
    for (let max = 1; max < 14; max += 1) {
      const [line] = split(["aéz🦊ł€x\n"], max);
      expect(line?.text).not.toContain("\ufffd");
      expect(Buffer.byteLength(line?.text ?? "") + (line?.cutBytes ?? 0)).toBe(14);
    }
    expect(split(["aéz🦊\n"], 5)).toEqual([{ text: "aéz", cutBytes: 4 }]);
    expect(split([Buffer.from([0xf0, 10])], 1)).toEqual([{ text: "\ufffd", cutBytes: 0 }]);
  });

  it("of bytes that are no text come out as replacement characters, not as an error", () => {
    expect(split([Buffer.from([0xff, 0xfe, 10, 0, 65, 10])])).toEqual([
      { text: "\ufffd\ufffd", cutBytes: 0 },
      { text: "\0A", cutBytes: 0 },
    ]);
  });

  it("in a million chunks cost no more than the line: what is kept is copied, not collected (I10)", () => {
    const splitter = createLineSplitter(1000);
    const chunk = Buffer.alloc(64, "x");
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 1_000_000; i += 1)
      for (const _ of splitter.push(chunk)) throw new Error("there is no line");
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1024 * 1024);
    expect(splitter.end()).toEqual([{ text: "x".repeat(1000), cutBytes: 64_000_000 - 1000 }]);
  });
});
