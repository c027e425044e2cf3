import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readDriverFailure, removeDriverFailure, writeDriverFailure } from "./driver-failure.ts";

test("a failure is read back as it was written; a missing or damaged file is none", async () => {
  const folder = await mkdtemp(join(tmpdir(), "plait-failure-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "failure.json");
  const failure = { message: "error: not a prefix", hint: "line one\nline two" };
  expect(await readDriverFailure(path)).toBeNull();
  await writeDriverFailure(path, failure);
  expect(await readDriverFailure(path)).toEqual(failure);
  await writeFile(path, '{"mess');
  expect(await readDriverFailure(path)).toBeNull();
  await removeDriverFailure(path);
  await removeDriverFailure(path);
  await writeDriverFailure(join(folder, "gone", "failure.json"), failure); // never rejects
});
