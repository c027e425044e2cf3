import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildProgram, start, tempFolder } from "./support.ts";

test("file, name and folders are synced before a journal counts as open, a cut tail too, and data before an append resolves (I4)", async () => {
  const folder = await tempFolder();
  const program = await buildProgram("disk-log", folder);
  const path = join(folder, "runs", "r1", "journal.ndjson");
  const operations = async () => {
    const lines = (await start(program, [path]).rest()).map((line) =>
      (JSON.parse(line) as string[]).join(" "),
    );
    return lines.filter((line) => !line.includes(".tmp")); // the lock's own
  };
  const [top = ""] = folder.split("/").slice(-1);
  const append = ["opened", "write journal.ndjson", "datasync journal.ndjson", "appended"];
  const open = ["sync journal.ndjson", "sync r1"];
  expect(await operations()).toEqual([
    `sync ${top}`,
    "sync runs",
    "locked",
    "write journal.ndjson",
    ...open,
    ...append,
  ]);
  // Also when nothing is torn: what the last writer left may not be on the disk yet.
  expect(await operations()).toEqual(["locked", ...open, ...append]);
  await appendFile(path, '{"n":3,"crc');
  expect(await operations()).toEqual(["locked", "truncate journal.ndjson", ...open, ...append]);
});

test("a lock's identity is on the disk before it becomes the lock: no empty lock after a power cut (I6)", async () => {
  const folder = await tempFolder();
  const program = await buildProgram("disk-log", folder);
  const lines = await start(program, [join(folder, "journal.ndjson")]).rest();
  const identity = expect.stringMatching(/^driver\.lock\.[0-9a-f]{32}\.tmp$/);
  expect(lines.map((line) => JSON.parse(line)).slice(0, 2)).toEqual([["sync", identity], ["locked"]]);
});
