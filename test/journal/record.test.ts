import { appendFile, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openJournal } from "../../src/journal/open.ts";
import { readJournal } from "../../src/journal/read.ts";
import { anyCharacter } from "../support/any-character.ts";
import { type Fact, fact, facts, lockOf, parse, tempFolder, writing } from "./support.ts";

test("any JSON facts come back as they were, in order, over several writers (I4)", async () => {
  const parent = await tempFolder();
  let run = 0;
  const anyFact = fc
    .tuple(fc.string({ unit: anyCharacter }), fc.jsonValue({ stringUnit: anyCharacter }))
    .map(([type, data]): Fact => ({ v: 1, type, data }))
    .map((one) => JSON.parse(JSON.stringify(one)) as Fact); // JSON has no -0
  const writers = fc.array(fc.array(fc.array(anyFact, { maxLength: 3 }), { maxLength: 3 }), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(writers, async (sessions) => {
      run += 1;
      const folder = join(parent, `${run}`);
      const path = join(folder, "journal.ndjson");
      await writing(folder, async () => undefined);
      for (const [i, calls] of sessions.entries()) {
        await writing(folder, async (journal) => {
          expect(journal.facts).toEqual(sessions.slice(0, i).flat(2));
          await Promise.all(calls.map((call) => journal.append(call)));
        });
      }
      const { facts, tail } = await readJournal(path, { parse });
      expect({ facts, tail }).toEqual({ facts: sessions.flat(2), tail: { kind: "clean" } });
    }),
    { numRuns: 40 },
  );
});

test("newlines, separators and lone surrogates stay inside one line and round-trip", async () => {
  const folder = await tempFolder();
  const odd = fact(1, { text: "a\nb\r\u2028\u2029\u0000\ud800x\udfff\u{1f600}" });
  await writing(folder, (journal) => journal.append([odd]));
  const text = await readFile(join(folder, "journal.ndjson"), "utf8");
  expect(text.split("\n")).toHaveLength(3);
  expect((await readJournal(join(folder, "journal.ndjson"), { parse })).facts).toEqual([odd]);
});

test("every line is JSON with n from 0 and a crc over n and the exact text", async () => {
  const folder = await tempFolder();
  await writing(folder, (journal) => journal.append([fact(1), fact(2, { text: "ü" })]));
  const lines = (await readFile(join(folder, "journal.ndjson"), "utf8")).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).n)).toEqual([0, 1, 2]);
  expect(JSON.parse(lines[0] ?? "").header).toMatchObject({ format: "plait-journal", version: 1 });
  const text = JSON.stringify(fact(2, { text: "ü" }));
  const crc = crc32(`2:${text}`).toString(16).padStart(8, "0");
  expect(lines[2]).toBe(`{"n":2,"crc":"${crc}","fact":${text}}`);
});

test("files are 0600 in folders 0700", async () => {
  const folder = join(await tempFolder(), "runs", "r1");
  await writing(folder, (journal) => journal.append([fact(1)]));
  expect((await stat(join(folder, "journal.ndjson"))).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(join(folder, ".."))).mode & 0o777).toBe(0o700);
});

test("a symbolic link, a folder and a foreign file are refused, and left as they were", async () => {
  const folder = await tempFolder();
  const lock = await lockOf(folder);
  const target = join(folder, "target");
  await writeFile(target, "");
  await symlink(target, join(folder, "link"));
  await mkdir(join(folder, "dir"));
  for (const [name, content] of [
    ["line", "my notes\n"],
    ["half-line", "my notes"],
    ["json", '{"n":1}\n{"n":2}\n'],
    ["other-record", '{"n":0,"crx":"00000000","header":{}}'],
  ] as const) {
    await writeFile(join(folder, name), content);
    await expect(openJournal(join(folder, name), { lock, parse })).rejects.toMatchObject({
      code: "not-a-journal",
    });
    expect(await readFile(join(folder, name), "utf8")).toBe(content);
  }
  await expect(openJournal(join(folder, "link"), { lock, parse })).rejects.toMatchObject({
    code: "not-a-journal",
  });
  await expect(readJournal(join(folder, "link"), { parse })).rejects.toMatchObject({ code: "not-a-journal" });
  await expect(readJournal(join(folder, "dir"), { parse })).rejects.toMatchObject({ code: "not-a-journal" });
  await expect(readJournal(join(folder, "none"), { parse })).rejects.toMatchObject({ code: "missing" });
  expect(await readFile(target, "utf8")).toBe("");
});

test("a writer needs a lock that is held, in the journal's own folder (I6)", async () => {
  const folder = await tempFolder();
  const elsewhere = await lockOf(await tempFolder());
  const path = join(folder, "journal.ndjson");
  await expect(openJournal(path, { lock: elsewhere, parse })).rejects.toThrow("is not a lock for");
  const lock = await lockOf(folder);
  const journal = await openJournal(path, { lock, parse });
  await lock.release();
  await expect(journal.append([fact(1)])).rejects.toMatchObject({ code: "closed" });
  await journal.close();
  await expect(openJournal(path, { lock, parse })).rejects.toThrow("was released");
});

test("a fact over the limit is refused and uses up no number; the others go on (I10)", async () => {
  const folder = await tempFolder();
  const lock = await lockOf(folder);
  const path = join(folder, "journal.ndjson");
  const journal = await openJournal(path, { lock, parse, maxRecordBytes: 500 });
  const big = fact(0, { text: "x".repeat(500) });
  await expect(journal.append([fact(1), big])).rejects.toMatchObject({ code: "too-big" });
  const small = fact(2, { text: "x".repeat(100) });
  await journal.append([small]);
  await journal.close();
  expect((await readJournal(path, { parse })).facts).toEqual([small]);
  // To a reader that allows less it is damage, even at the end: a tail would be cut by the next writer.
  const less = readJournal(path, { parse, maxRecordBytes: 150 });
  await expect(less).rejects.toMatchObject({
    code: "corrupt",
    message: expect.stringContaining("longer than 150"),
  });
  // Without a newline it is a torn tail, however long.
  await appendFile(path, "y".repeat(300_000));
  const { tail } = await readJournal(path, { parse, maxRecordBytes: 500 });
  expect(tail).toMatchObject({ kind: "torn", bytes: 300_000 });
});

test("10,000 facts are written in groups and read back", async () => {
  const folder = await tempFolder();
  const many = facts(10_000);
  await writing(folder, (journal) => Promise.all(many.map((one) => journal.append([one]))));
  expect((await readJournal(join(folder, "journal.ndjson"), { parse })).facts).toEqual(many);
});
