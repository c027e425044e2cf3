import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { followJournal } from "../../src/journal/follow.ts";
import { openJournal } from "../../src/journal/open.ts";
import { readJournal } from "../../src/journal/read.ts";
import { currentVersion, type Upgrade } from "../../src/journal/upgrade.ts";
import { type Fact, fact, facts, lockOf, parse, tempFolder, writing } from "./support.ts";

// Version 2 renames a type; version 3 splits even numbers in two and forgets number 3.
const renamed: Upgrade = {
  from: 1,
  to: 2,
  fact: (old) => [{ ...(old as Fact), v: 2, type: "test.numbered" }],
};
const split: Upgrade = {
  from: 2,
  to: 3,
  fact: (old) => {
    const { i, ...rest } = old as Fact & { i: number };
    if (i === 3) return [];
    return i % 2 === 0 ? ["a", "b"].map((half) => ({ ...rest, v: 3, i, half })) : [{ ...rest, v: 3, i }];
  },
};
const upgrades = [renamed, split];

async function oldJournal() {
  const folder = await tempFolder();
  await writing(folder, (journal) => journal.append(facts(4)));
  return { folder, path: join(folder, "journal.ndjson") };
}

const upgraded = [
  { v: 3, type: "test.numbered", i: 1 },
  { v: 3, type: "test.numbered", i: 2, half: "a" },
  { v: 3, type: "test.numbered", i: 2, half: "b" },
  { v: 3, type: "test.numbered", i: 4, half: "a" },
  { v: 3, type: "test.numbered", i: 4, half: "b" },
];

test("facts of an older version are read through all steps since, and the file is not touched", async () => {
  const { path } = await oldJournal();
  const before = await readFile(path);
  expect((await readJournal(path, { parse, upgrades })).facts).toEqual(upgraded);
  expect(await readFile(path)).toEqual(before);
});

test("a writer of a newer version goes on in the old file; each stretch is read by its own version", async () => {
  const { folder, path } = await oldJournal();
  const before = await readFile(path);
  const latest = { v: 3, type: "test.numbered", i: 6 };
  for (let opened = 0; opened < 2; opened += 1) {
    const lock = await lockOf(folder);
    const journal = await openJournal(path, { lock, parse, upgrades });
    expect(journal.facts).toEqual(opened === 0 ? upgraded : [...upgraded, latest]);
    await journal.append([latest]);
    await journal.close();
    await lock.release();
  }
  const read = await readJournal(path, { parse, upgrades });
  expect(read.facts).toEqual([...upgraded, latest, latest]);
  expect(read.header).toMatchObject({ version: 3 });
  const after = await readFile(path);
  expect(after.subarray(0, before.length)).toEqual(before);
  const lines = after.toString().trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).n)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  const follower = followJournal(path, {
    parse,
    upgrades,
    from: 4,
    pollMs: 1,
    signal: new AbortController().signal,
  });
  const seen = [];
  for await (const { n, fact: one } of follower) if (seen.push([n, one.half]) === 4) break;
  expect(seen).toEqual([
    [4, "a"],
    [4, "b"],
    [6, undefined],
    [7, undefined],
  ]);
});

test("a journal of a newer version is refused by readers, writers and followers, with what to do", async () => {
  const { folder, path } = await oldJournal();
  const lock = await lockOf(folder);
  await (await openJournal(path, { lock, parse, upgrades })).close();
  const before = await readFile(path);
  const refusal = {
    code: "newer",
    failure: { version: 3, known: 1 },
    hint: expect.stringContaining("update plait"),
  };
  const message = expect.stringContaining("written by a newer plait");
  await expect(readJournal(path, { parse })).rejects.toMatchObject({ ...refusal, message });
  await expect(openJournal(path, { lock, parse })).rejects.toMatchObject(refusal);
  const follower = followJournal(path, { parse, pollMs: 1, from: 5, signal: new AbortController().signal });
  await expect(follower.next()).rejects.toMatchObject(refusal);
  await expect(readJournal(path, { parse, upgrades: [renamed] })).rejects.toMatchObject({
    failure: { known: 2 },
  });
  expect(await readFile(path)).toEqual(before);
});

test("steps that do not lead on one by one are a bug, told at once", () => {
  expect(currentVersion([])).toBe(1);
  expect(currentVersion(upgrades)).toBe(3);
  expect(() => currentVersion([split])).toThrow("one by one");
  expect(() => currentVersion([renamed, { ...split, to: 4 }])).toThrow("one by one");
});

test("a step that throws names the record", async () => {
  const { path } = await oldJournal();
  const picky: Upgrade = {
    from: 1,
    to: 2,
    fact: (old) => {
      if ((old as Fact).i === 2) throw new Error("no twos");
      return [fact(0)];
    },
  };
  const failure = { line: 3 };
  await expect(readJournal(path, { parse, upgrades: [picky] })).rejects.toMatchObject({
    code: "unknown-fact",
    failure,
  });
});
