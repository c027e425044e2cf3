import { appendFile, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { followJournal } from "../../src/journal/follow.ts";
import { readJournal } from "../../src/journal/read.ts";
import type { Entry } from "../../src/journal/scan.ts";
import { buildProgram, type Fact, fact, facts, parse, start, tempFolder, writing } from "./support.ts";

const pollMs = 2;

/** The bytes of a journal with this many facts, and a file to write them to piece by piece. */
async function journalBytes(count: number) {
  const folder = await tempFolder();
  const path = join(folder, "journal.ndjson");
  await writing(folder, (journal) => journal.append(facts(count)));
  return { folder, path, bytes: await readFile(path) };
}

/** Follows until so many entries have come. */
async function take(count: number, follower: AsyncIterable<Entry<Fact>>): Promise<Entry<Fact>[]> {
  const taken: Entry<Fact>[] = [];
  if (count > 0) for await (const entry of follower) if (taken.push(entry) >= count) break;
  return taken;
}

test("an unfinished line is waited for, whatever byte it stops at", async () => {
  const { path, bytes } = await journalBytes(3);
  for (let size = 0; size <= bytes.length; size += 1) {
    await writeFile(path, bytes.subarray(0, size));
    const ending = new AbortController();
    const seen = take(3, followJournal(path, { parse, pollMs: 1, signal: ending.signal }));
    await new Promise((resolve) => setTimeout(resolve, 3)); // it has looked at the unfinished line by now
    await appendFile(path, bytes.subarray(size));
    expect(await seen).toEqual(facts(3).map((one, i) => ({ n: i + 1, fact: one })));
    ending.abort();
  }
});

test("a follower of a process that writes sees every fact once, whole and in order", async () => {
  const folder = await tempFolder();
  const path = join(folder, "journal.ndjson");
  const writer = start(await buildProgram("writer", folder), [folder, "20"]);
  try {
    await writer.next(); // the first fact is durable: the file is there
    const ending = new AbortController();
    const seen = await take(300, followJournal(path, { parse, pollMs, signal: ending.signal }));
    expect(seen.map((entry) => entry.n)).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
    expect(seen.map((entry) => entry.fact.i)).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
  } finally {
    await writer.kill();
  }
});

test("a torn tail that a new writer cuts and writes over is never seen", async () => {
  const { folder, path, bytes } = await journalBytes(3);
  await truncate(path, bytes.length - 9);
  const follower = followJournal(path, { parse, pollMs, signal: new AbortController().signal });
  expect(await follower.next()).toMatchObject({ value: { n: 1 } });
  expect(await follower.next()).toMatchObject({ value: { n: 2 } });
  const third = follower.next();
  await new Promise((resolve) => setTimeout(resolve, pollMs * 5)); // it has looked at the torn line by now
  await writing(folder, (journal) => journal.append([fact(33, { text: "longer than what was torn off" })]));
  expect(await third).toMatchObject({ value: { n: 3, fact: { i: 33 } } });
  await follower.return();
});

test("from says where to begin, and the signal ends it", async () => {
  const { path } = await journalBytes(5);
  const ending = new AbortController();
  const seen: number[] = [];
  for await (const { n } of followJournal(path, { parse, pollMs: 60_000, from: 3, signal: ending.signal })) {
    seen.push(n);
    if (n === 5) setImmediate(() => ending.abort());
  }
  expect(seen).toEqual([3, 4, 5]);
});

test("damage ends a follower with the place, after the facts before it", async () => {
  const { path, bytes } = await journalBytes(4);
  const broken = Buffer.from(bytes);
  const third = bytes.indexOf('{"n":3');
  broken.writeUInt8(0x21, third + 30);
  await writeFile(path, broken);
  const follower = followJournal(path, { parse, pollMs, signal: new AbortController().signal });
  expect(await follower.next()).toMatchObject({ value: { n: 1 } });
  expect(await follower.next()).toMatchObject({ value: { n: 2 } });
  await expect(follower.next()).rejects.toMatchObject({
    code: "corrupt",
    failure: { line: 4, atByte: third },
  });
});

test("a journal that is cut short or removed under a follower ends it with an error", async () => {
  for (const [harm, code] of [
    [(path: string) => truncate(path, 100), "corrupt"],
    [(path: string) => rm(path), "missing"],
  ] as const) {
    const { path } = await journalBytes(3);
    const follower = followJournal(path, { parse, pollMs, signal: new AbortController().signal });
    for (let n = 1; n <= 3; n += 1) await follower.next();
    await harm(path);
    await expect(follower.next()).rejects.toMatchObject({ code });
  }
});

test("a reader beside a writer that cuts and appends never sees damage or a partial fact (I4)", async () => {
  const { folder, path } = await journalBytes(3);
  let writingStill = true;
  const reader = (async () => {
    let reads = 0;
    while (writingStill) {
      const { facts: seen } = await readJournal(path, { parse });
      for (const one of seen) expect(one.type).toBe("test.counted");
      reads += 1;
    }
    return reads;
  })();
  for (let i = 0; i < 40; i += 1) {
    await appendFile(path, '{"n":4,"crc":"00000000","fact":{"v":1,"ty'.repeat(1 + (i % 3)));
    await writing(folder, (journal) => journal.append([fact(4, { text: "x".repeat(i * 50) })]));
  }
  writingStill = false;
  expect(await reader).toBeGreaterThan(5);
});
