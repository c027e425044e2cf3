import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { driverWords } from "./driver-words.ts";

async function logOf(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "plait-words-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const log = join(folder, "driver.log");
  await writeFile(log, text);
  return log;
}

test("why a driver ended is in its own last words, and not in those of one before it", async () => {
  const before = "error: old\n  help: old\n";
  const log = await logOf(
    `${before}plait.config.yaml:2:1 error: no\nerror: first\nerror: it cannot be used.\n  help: mend it\n`,
  );
  expect(await driverWords({ log, from: before.length, code: 2 })).toEqual({
    why: ": it cannot be used",
    hint: `mend it; all that it said: ${log}`,
  });
});

test("of a driver that said nothing only its end is told", async () => {
  const log = await logOf("error: old\n");
  const hint = `read why: ${log}`;
  expect(await driverWords({ log, from: 11, code: 3 })).toEqual({ why: ", with exit code 3", hint });
  expect(await driverWords({ log, from: 11, code: null })).toEqual({ why: ", by a signal", hint });
  expect((await driverWords({ log: `${log}.gone`, from: 0, code: 3 })).why).toBe(", with exit code 3");
});
