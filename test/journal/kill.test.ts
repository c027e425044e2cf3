import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readJournal } from "../../src/journal/read.ts";
import { buildProgram, parse, start, tempFolder } from "./support.ts";

let built: string;
let writer: string;

beforeAll(async () => {
  built = await mkdtemp(join(tmpdir(), "plait-programs-"));
  writer = await buildProgram("writer", built);
});
afterAll(() => rm(built, { recursive: true, force: true }));

test("after kill -9 at any moment every fact whose append had resolved is there, over many lives (I4, I6)", async () => {
  const folder = await tempFolder();
  const path = join(folder, "journal.ndjson");
  let durable = 0;
  for (let life = 0; life < 12; life += 1) {
    const process = start(writer, [folder, `${1 + life * 3}`]);
    await process.next();
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
    await process.kill("SIGKILL");
    const printed = await process.rest();
    durable = Math.max(durable, ...printed.map(Number));
    const read = await readJournal(path, { parse });
    // Whole and in order: 1, 2, 3 … without a gap, over all lives; and nothing that was promised is missing.
    expect(read.facts.map((one) => one.i)).toEqual(Array.from(read.facts, (_, i) => i + 1));
    expect(read.facts.length).toBeGreaterThanOrEqual(durable);
    // A kill seldom tears a small write; so tear one by hand and let the next life cut it.
    if (life % 2 === 0) await appendFile(path, `{"n":${read.facts.length + 1},"crc":"0000`);
  }
  expect(durable).toBeGreaterThan(100);
});
