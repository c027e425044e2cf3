import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openStreamLog } from "../../src/app/cast/stream-log.ts";
import type { AttemptId } from "../../src/core/ids.ts";
import { folderWith } from "../cli/plait.ts";

/** The log of a stream where cast-parallel kept it: a readable copy of what the attempts left in the run folder. */

const said = (...entries: object[]): string =>
  entries.map((entry) => `${JSON.stringify({ at: 1, ...entry })}\n`).join("");
const text = (words: string) => ({ kind: "text", text: words, by: "agent" });
const [first, second] = ["stream-a/1", "stream-a/2"] as AttemptId[] as [AttemptId, AttemptId];

function runWith(transcripts: Record<string, string>) {
  const run = folderWith({ x: "" });
  mkdirSync(join(run, "transcripts"));
  const write = (name: string, content: string) =>
    writeFileSync(join(run, "transcripts", `${name}.ndjson`), content);
  for (const [name, content] of Object.entries(transcripts)) write(name, content);
  return { run, path: join(run, "a.log"), write };
}

it("holds what the agent said and did, attempt after attempt, for its user alone", async () => {
  const tool = { kind: "tool", call: null, name: "Write", target: "a.txt", by: "agent" };
  const { run, path } = runWith({
    "stream-a.1": said({ kind: "started", conversation: null, model: null }, text("ä one\n"), tool),
    "stream-a.2": said(text("two")),
  });
  writeFileSync(path, "of an earlier run\n", { mode: 0o644 });
  const log = await openStreamLog(path, run);
  log.follow(first);
  await log.finish(first, "plait: rate limit");
  log.follow(second);
  await log.finish(second, null);
  await log.close();
  expect(readFileSync(path, "utf8")).toBe("ä one\n> Write a.txt\nplait: rate limit\ntwo\n");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(log.lastLines(2)).toEqual(["plait: rate limit", "two"]);
});

it("holds the end of an attempt whose next one begins at once", async () => {
  const { run, path } = runWith({ "stream-a.1": said(text("one")), "stream-a.2": said(text("two")) });
  const log = await openStreamLog(path, run);
  log.follow(first);
  void log.finish(first, "plait: rate limit");
  log.follow(second);
  await log.finish(second, null);
  await log.close();
  expect(readFileSync(path, "utf8")).toBe("one\nplait: rate limit\ntwo\n");
});

it("is written anew where the middle of a long transcript went (I10)", async () => {
  const { run, path, write } = runWith({ "stream-a.1": said(text("one"), text("two")) });
  const log = await openStreamLog(path, run);
  log.follow(first);
  await log.finish(first, null);
  write("stream-a.1", said(text("one"), { kind: "cut", bytes: 900 }, text("nine")));
  await log.finish(first, null);
  await log.close();
  expect(readFileSync(path, "utf8")).toBe("one\n… 900 bytes are left out here\nnine\n");
});

it.each<[string, (path: string) => void]>([
  ["a link", (path) => symlinkSync("/nowhere", path)],
  ["a folder", (path) => mkdirSync(path)],
])("is left out where %s is in its place, and still knows the last lines", async (_, put) => {
  const { run, path } = runWith({ "stream-a.1": said(text("one")) });
  put(path);
  const log = await openStreamLog(path, run);
  log.follow(first);
  await log.finish(first, null);
  await log.close();
  expect([log.problem, log.lastLines(20)]).toEqual(["it is not a file", ["one"]]);
});

it("is left out where its folder cannot be written", async () => {
  const { run } = runWith({});
  const log = await openStreamLog(join(run, "no", "a.log"), run);
  await log.close();
  expect(log.problem).toBe("cannot write it (ENOENT)");
});
