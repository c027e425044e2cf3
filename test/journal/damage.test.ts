import { appendFile, copyFile, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readJournal } from "../../src/journal/read.ts";
import { encodeRecord } from "../../src/journal/record.ts";
import { type ReadableFile, scanLive, startOfJournal } from "../../src/journal/scan.ts";
import { fact, facts, parse, tempFolder, writing } from "./support.ts";

/** A journal of five facts, and where each of its lines starts; the last number is its size. */
async function fiveFacts() {
  const folder = await tempFolder();
  const path = join(folder, "journal.ndjson");
  await writing(folder, (journal) => journal.append(facts(5)));
  const bytes = await readFile(path);
  const starts = [0];
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) starts.push(at + 1);
  return { folder, path, bytes, starts };
}

/** How many records are whole in the first `size` bytes, and where they end. */
function wholeIn(starts: readonly number[], size: number) {
  const ends = starts.filter((start) => start > 0 && start <= size);
  return { records: ends.length, atByte: ends.at(-1) ?? 0 };
}

test("a journal cut at any byte gives every whole record before the cut and names the tail (I4)", async () => {
  const { path, bytes, starts } = await fiveFacts();
  for (let size = 0; size <= bytes.length; size += 1) {
    await writeFile(path, bytes.subarray(0, size));
    const whole = wholeIn(starts, size);
    const clean = size > 0 && whole.atByte === size;
    expect(await readJournal(path, { parse }), `cut at ${size}`).toMatchObject({
      facts: facts(Math.max(0, whole.records - 1)),
      tail: clean ? { kind: "clean" } : { kind: "torn", atByte: whole.atByte, bytes: size - whole.atByte },
    });
    expect((await readFile(path)).length).toBe(size); // readers never write
  }
});

test("the next writer cuts the torn tail at any byte of the last two records, and goes on with the right number (I4)", async () => {
  const { folder, path, bytes, starts } = await fiveFacts();
  for (let size = starts.at(-3) ?? 0; size < bytes.length; size += 1) {
    await writeFile(path, bytes.subarray(0, size));
    const { records, atByte } = wholeIn(starts, size);
    await writing(folder, async (journal) => {
      expect(journal.facts).toEqual(facts(records - 1));
      expect((await readFile(path)).length).toBe(atByte);
      await journal.append([fact(99)]);
    });
    const { facts: after, tail } = await readJournal(path, { parse });
    expect({ after, tail }).toEqual({ after: [...facts(records - 1), fact(99)], tail: { kind: "clean" } });
    const last = (await readFile(path, "utf8")).trimEnd().split("\n").at(-1) ?? "";
    expect(JSON.parse(last).n).toBe(records);
  }
});

test("a writer killed inside its first header leaves a journal that the next one starts afresh", async () => {
  const { folder, path, bytes, starts } = await fiveFacts();
  for (const torn of [
    Buffer.alloc(0),
    bytes.subarray(0, 9),
    bytes.subarray(0, (starts[1] ?? 0) - 1),
    Buffer.alloc(70),
  ]) {
    await writeFile(path, torn);
    await writing(folder, (journal) => journal.append([fact(1)]));
    expect((await readJournal(path, { parse })).facts).toEqual([fact(1)]);
  }
});

test("any bit flipped before the last record is damage, named by file, line and byte; never skipped (I4)", async () => {
  const { path, bytes, starts } = await fiveFacts();
  const end = starts.at(-2) ?? 0;
  for (let bit = (starts[1] ?? 0) * 8; bit < end * 8; bit += 3) {
    const flipped = Buffer.from(bytes);
    const at = bit >> 3;
    flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << (bit & 7)), at);
    await writeFile(path, flipped);
    const { records, atByte } = wholeIn(starts, at);
    await expect(readJournal(path, { parse }), `bit ${bit}`).rejects.toMatchObject({
      code: "corrupt",
      failure: { path, line: records + 1, atByte },
      message: expect.stringContaining(`line ${records + 1} (byte ${atByte})`),
      hint: expect.stringContaining(`head -c ${atByte} '${path}'`),
    });
  }
});

test("any bit flipped in the header or in the last record never gives a changed fact", async () => {
  const { path, bytes, starts } = await fiveFacts();
  const last = starts.at(-2) ?? 0;
  for (let at = 0; at < bytes.length; at = at + 1 === starts[1] ? last : at + 1) {
    for (const bit of [0, 3, 6]) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << bit), at);
      await writeFile(path, flipped);
      const outcome = await readJournal(path, { parse }).catch((error: { code: string }) => error.code);
      if (at < last) expect(["not-a-journal", "corrupt"]).toContain(outcome);
      else if (outcome !== "corrupt")
        expect(outcome).toMatchObject({ facts: facts(4), tail: { kind: "torn", atByte: last } });
    }
  }
});

test("a writer refuses a damaged journal and changes nothing in it", async () => {
  const { folder, path, bytes, starts } = await fiveFacts();
  const flipped = Buffer.from(bytes);
  flipped.writeUInt8(flipped.readUInt8((starts[2] ?? 0) + 40) ^ 1, (starts[2] ?? 0) + 40);
  await writeFile(path, flipped);
  await expect(writing(folder, async () => undefined)).rejects.toMatchObject({
    code: "corrupt",
    failure: { line: 3 },
  });
  expect(await readFile(path)).toEqual(flipped);
});

test("a lost, a doubled and a foreign whole record are damage, also at the end of the file", async () => {
  const { path, bytes, starts } = await fiveFacts();
  const line = (n: number) => bytes.subarray(starts[n], starts[n + 1]);
  const cases: [Buffer[], number][] = [
    [[line(0), line(1), line(3)], 3],
    [[line(0), line(1), line(1)], 3],
    [[line(0), line(2), line(1)], 2],
    [[line(0), line(0)], 2],
  ];
  for (const [lines, at] of cases) {
    await writeFile(path, Buffer.concat(lines));
    const failure = { line: at };
    await expect(readJournal(path, { parse })).rejects.toMatchObject({ code: "corrupt", failure });
  }
});

test("a whole record that this plait does not know is no damage: it says to update, with the parser's words", async () => {
  const { path } = await fiveFacts();
  const strict = (value: unknown) => {
    if (JSON.stringify(value).includes('"i":3')) throw new Error("three is not allowed");
    return parse(value);
  };
  await expect(readJournal(path, { parse: strict })).rejects.toMatchObject({
    code: "unknown-fact",
    failure: { line: 4 },
    message: expect.stringContaining("three is not allowed"),
    hint: expect.stringContaining("update plait"),
  });
});

test("zeros at the end, as after a power cut, are a torn tail; two bad lines at the end are damage", async () => {
  const { folder, path, bytes } = await fiveFacts();
  await appendFile(path, Buffer.alloc(5000));
  expect(await readJournal(path, { parse })).toMatchObject({
    facts: facts(5),
    tail: { kind: "torn", atByte: bytes.length, bytes: 5000 },
  });
  await copyFile(path, join(folder, "copy"));
  await appendFile(join(folder, "copy"), "\nx\n");
  await expect(readJournal(join(folder, "copy"), { parse })).rejects.toMatchObject({ code: "corrupt" });
  await truncate(path, bytes.length);
  expect((await readJournal(path, { parse })).tail).toEqual({ kind: "clean" });
});

test("bytes from before and after a writer's cut, put together by one look, are not taken for damage (I4)", async () => {
  const { path, bytes, starts } = await fiveFacts();
  // The first read ends in a torn fourth record; then a new writer has cut it off and written other, longer facts.
  const before = bytes.subarray(0, (starts[4] ?? 0) + 20);
  const longer = [4, 5, 6].map((n) => encodeRecord(n, "fact", fact(n, { text: "y".repeat(50) })));
  const after = Buffer.concat([bytes.subarray(0, starts[4]), ...longer]);
  let looks = 0;
  const file: ReadableFile = {
    read: (async (buffer: Buffer, offset: number, length: number, position: number) => {
      const now = looks++ === 0 ? before : after;
      return { buffer, bytesRead: now.copy(buffer, offset, position, position + length) };
    }) as ReadableFile["read"],
  };
  const reading = { path, parse, upgrades: [], maxRecordBytes: 4096 };
  const seen: unknown[] = [];
  for await (const { entries } of scanLive(file, startOfJournal, reading))
    seen.push(...entries.map(({ fact: { i } }) => i));
  expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
});
