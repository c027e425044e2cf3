import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useHost } from "./host.ts";
import { tempFolder } from "./support.ts";

const host = useHost();

it("after kill -9 a log holds everything that was written up to then, in order, with its middle left out (I10)", async () => {
  for (const [cap, lines] of [
    [1_000_000, 500],
    [4_096, 1_500],
    [2_048, 1_537],
  ]) {
    const path = join(await tempFolder(), "log");
    const plait = host("log", path, String(cap));
    let last = -1;
    while (last < (lines ?? 0)) last = (await plait.next()) as number;
    plait.child.kill("SIGKILL");
    await plait.ended;
    const text = await readFile(path, "utf8");
    expect(text.length).toBeLessThanOrEqual(cap ?? 0);
    // A kill in the middle of making room may leave a part of the end twice, and half of a line that nobody was told of: what counts is
    // that nothing is missing.
    const numbers = [...text.matchAll(/^line (\d+)\n/gm)].map((match) => Number(match[1]));
    const first = numbers.findIndex((n, i) => n !== i);
    const tail = first === -1 ? numbers : numbers.slice(first);
    expect(tail.at(-1)).toBeGreaterThanOrEqual(last);
    expect(tail.every((n, i) => i === 0 || n === (tail[i - 1] ?? 0) + 1)).toBe(true);
    expect(text.includes("bytes are left out here")).toBe(first !== -1);
  }
});

// In the middle of a chunk a disk takes a part of it.
it.each([
  ["between two chunks", 16],
  ["in the middle of a chunk", 17],
])(
  "a disk that is full, %s, ends the log and not the attempt: nothing is thrown, and the end says so",
  async (_where, blocks) => {
    const path = join(await tempFolder(), "log");
    const end = await host.withLimit(`ulimit -f ${blocks}`)("fill", path, "100").next();
    expect(end).toEqual({
      bytes: 102_400,
      cutBytes: 102_400 - blocks * 512,
      failure: { errno: "EFBIG", message: expect.any(String) },
    });
    expect((await stat(path)).size).toBe(blocks * 512);
  },
);
