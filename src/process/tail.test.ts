import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTail, lastLines } from "./tail.ts";

describe("a tail", () => {
  it("is the end of everything that was pushed, whatever the sizes, and counts the rest", () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 30 });
    fc.assert(
      fc.property(chunks, fc.integer({ min: 0, max: 60 }), (all, max) => {
        const tail = createTail(max);
        for (const chunk of all) tail.push(Buffer.from(chunk));
        const everything = Buffer.concat(all);
        expect(tail.bytes()).toEqual(everything.subarray(Math.max(0, everything.length - max)));
        expect(tail.droppedBytes()).toBe(Math.max(0, everything.length - max));
      }),
    );
  });

  it("takes no more memory than it keeps (I10)", () => {
    const tail = createTail(65_536);
    const chunk = Buffer.alloc(1024 * 1024, "x");
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 200; i += 1) tail.push(chunk);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1024 * 1024);
    expect(tail.bytes().length).toBe(65_536);
  });

  it("gives last lines for a message, without the blank ones at the end", () => {
    expect(lastLines("a\nb\r\nc\n\n  \n", 2)).toEqual(["b", "c"]);
    expect(lastLines("a", 5)).toEqual(["a"]);
    expect(lastLines(" \n", 5)).toEqual([]);
  });
});
