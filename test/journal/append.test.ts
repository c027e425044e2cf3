import { constants } from "node:fs";
import { type FileHandle, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createPen, type JournalFile, type JournalWriter, journalFile } from "../../src/journal/append.ts";
import { openJournal } from "../../src/journal/open.ts";
import { readJournal } from "../../src/journal/read.ts";
import { type Fact, fact, facts, lockOf, parse, tempFolder, writing } from "./support.ts";

/** A journal file whose disk counts, stops and fails as it is told. */
type Disk = JournalFile & { writes: number; syncs: number; closed: boolean };

async function penOn(faults: (disk: Disk, real: JournalFile) => Partial<JournalFile> = () => ({})) {
  const folder = await tempFolder();
  const path = join(folder, "journal.ndjson");
  await writing(folder, async () => undefined);
  const handle = await open(path, constants.O_RDWR | constants.O_APPEND);
  const real = journalFile(handle);
  const disk: Disk = { ...real, writes: 0, syncs: 0, closed: false };
  const { write, sync } = { ...real, ...faults(disk, real) };
  const file: JournalFile = {
    write: (bytes) => {
      disk.writes += 1;
      return write(bytes);
    },
    sync: () => {
      disk.syncs += 1;
      return sync();
    },
    close: () => {
      disk.closed = true;
      return real.close();
    },
  };
  const pen: JournalWriter<Fact> = createPen<Fact>(file, { path, nextN: 1, maxRecordBytes: 4096 });
  return { pen, disk, path };
}

const errno = (code: string): Error => Object.assign(new Error(`${code}: told so`), { code });

test("an append resolves only after the sync of its bytes (I4)", async () => {
  const releases: (() => void)[] = [];
  const { pen, disk, path } = await penOn((_, real) => ({
    sync: async () => {
      await new Promise<void>((resolve) => releases.push(resolve));
      await real.sync();
    },
  }));
  let durable = false;
  const append = pen.append([fact(1)]).then(() => {
    durable = true;
  });
  while (releases.length === 0) await tick();
  expect((await readJournal(path, { parse })).facts).toEqual([fact(1)]);
  await tick();
  expect({ durable, syncs: disk.syncs }).toEqual({ durable: false, syncs: 1 });
  releases[0]?.();
  await append;
  await pen.close();
});

test("calls of one turn share a write and a sync; so do all calls made while a sync is under way", async () => {
  const releases: (() => void)[] = [];
  const { pen, disk, path } = await penOn((_, real) => ({
    sync: async () => {
      await new Promise<void>((resolve) => releases.push(resolve));
      await real.sync();
    },
  }));
  const appends = facts(100).map((one) => pen.append([one]));
  while (releases.length < 1) await tick();
  expect(disk).toMatchObject({ writes: 1, syncs: 1 });
  expect((await readJournal(path, { parse })).facts).toEqual(facts(100));
  for (let i = 101; i <= 150; i += 1) {
    appends.push(pen.append([fact(i)]));
    await tick(); // not one turn: spread over the sync
  }
  expect(disk).toMatchObject({ writes: 1, syncs: 1 });
  releases[0]?.();
  while (releases.length < 2) await tick();
  releases[1]?.();
  await Promise.all(appends);
  await pen.close();
  expect(disk).toMatchObject({ writes: 2, syncs: 2, closed: true });
  expect((await readJournal(path, { parse })).facts).toEqual(facts(150));
});

test("a write that takes less than it was given is carried on", async () => {
  const { pen, disk, path } = await penOn((_, real) => ({
    write: (bytes) => real.write(bytes.subarray(0, 7)),
  }));
  await pen.append(facts(20));
  await pen.close();
  expect(disk.writes).toBeGreaterThan(100);
  expect(await readJournal(path, { parse })).toMatchObject({ facts: facts(20), tail: { kind: "clean" } });
});

test("a full disk poisons the pen: what waits and what comes gets the same error; readers see whole records only (I4)", async () => {
  let room = 400;
  const { pen, disk, path } = await penOn((_, real) => ({
    write: async (bytes) => {
      if (room === 0) throw errno("ENOSPC");
      const written = await real.write(bytes.subarray(0, room));
      room -= written;
      return written;
    },
  }));
  await pen.append([fact(1), fact(2)]);
  const lost = facts(20).map((one) => pen.append([one]));
  await tick();
  lost.push(pen.append([fact(21)]));
  const errors = (await Promise.allSettled(lost)).map((result) =>
    result.status === "rejected" ? result.reason : "kept",
  );
  const later = await pen.append([fact(22)]).catch((error: unknown) => error);
  expect(new Set([...errors, later]).size).toBe(1);
  expect(later).toMatchObject({ code: "io", failure: { during: "write", errno: "ENOSPC" } });
  expect(later).toMatchObject({
    message: expect.stringContaining(path),
    hint: expect.stringContaining("df -h"),
  });
  expect(disk.syncs).toBe(1);
  await pen.close();
  expect(disk.closed).toBe(true);
  const read = await readJournal(path, { parse });
  expect(read.facts.slice(0, 2)).toEqual([fact(1), fact(2)]);
  expect(read.facts.slice(2)).toEqual(facts(20).slice(0, read.facts.length - 2));
  expect(read.tail.kind).toBe("torn");
});

test("a failed sync is never tried again: the kernel may call lost pages clean", async () => {
  const { pen, disk } = await penOn(() => ({ sync: () => Promise.reject(errno("EIO")) }));
  const first = await pen.append([fact(1)]).catch((error: unknown) => error);
  expect(first).toMatchObject({ code: "io", failure: { during: "sync", errno: "EIO" } });
  expect(await pen.append([fact(2)]).catch((error: unknown) => error)).toBe(first);
  await pen.close();
  expect(disk).toMatchObject({ writes: 1, syncs: 1 });
});

test.runIf(process.platform === "linux")("a device that is really full gives the typed error", async () => {
  const full: FileHandle = await open("/dev/full", "a");
  const pen = createPen<Fact>(journalFile(full), { path: "/dev/full", nextN: 1, maxRecordBytes: 4096 });
  await expect(pen.append([fact(1)])).rejects.toMatchObject({ code: "io", failure: { errno: "ENOSPC" } });
  await pen.close();
});

test("close waits for what was taken, and takes no more", async () => {
  const { pen, path } = await penOn();
  const append = pen.append([fact(1)]);
  const closing = pen.close();
  await expect(pen.append([fact(2)])).rejects.toMatchObject({ code: "closed" });
  await Promise.all([append, closing, pen.close()]);
  expect((await readJournal(path, { parse })).facts).toEqual([fact(1)]);
});

test("an append without facts waits for those before it and writes nothing", async () => {
  const { pen, disk, path } = await penOn();
  await pen.append([]);
  expect(disk).toMatchObject({ writes: 0, syncs: 0 });
  void pen.append([fact(1)]);
  await pen.append([]);
  expect(disk).toMatchObject({ writes: 1, syncs: 1 });
  expect((await readFile(path, "utf8")).split("\n")).toHaveLength(3);
  await pen.close();
});

test("what the caller does to a fact after the call is not in the journal", async () => {
  const folder = await tempFolder();
  const lock = await lockOf(folder);
  const path = join(folder, "journal.ndjson");
  const journal = await openJournal(path, { lock, parse });
  const mine = { v: 1, type: "test.counted", i: 1 };
  const append = journal.append([mine]);
  mine.i = 2;
  await append;
  await journal.close();
  expect((await readJournal(path, { parse })).facts).toEqual([fact(1)]);
});

function tick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
