// Several processes at one accounts file.

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openAccounts } from "../../src/engines/local/accounts-file.ts";
import { systemClock } from "../../src/util/clock.ts";
import { namesIn, type Program, start, tempFolder } from "../journal/support.ts";

/** Waits for a word, then reports limits of its own one after the other. */
const reporterText = `
import { createInterface } from "node:readline";
import { openAccounts } from "./accounts-file.mjs";
const [path, name, count] = process.argv.slice(2);
const clock = { now: Date.now, setTimer: (ms, fire) => ({ cancel: clearTimeout.bind(null, setTimeout(fire, ms)) }) };
const accounts = openAccounts(path, { clock, onProblem: (problem) => console.log(problem) });
console.log("ready");
for await (const line of createInterface({ input: process.stdin })) {
  for (let i = 0; i < Number(count); i += 1) {
    await accounts.report({ account: name + "/" + i, until: Date.now() + 1e8, durationMs: 1e8, why: "rate-limit" });
  }
  break;
}
console.log("done");
`;

let built: string;

beforeAll(async () => {
  built = await mkdtemp(join(tmpdir(), "plait-accounts-"));
  const entry = fileURLToPath(new URL("../../src/engines/local/accounts-file.ts", import.meta.url));
  const output = { entryFileNames: "accounts-file.mjs" };
  await build({
    configFile: false,
    logLevel: "error",
    build: { ssr: entry, outDir: built, emptyOutDir: false, target: "node20", rollupOptions: { output } },
  });
  await writeFile(join(built, "reporter.mjs"), reporterText);
});
afterAll(() => rm(built, { recursive: true, force: true }));

async function reporters(path: string, count: number, reports: number): Promise<Program[]> {
  const all = Array.from({ length: count }, (_, i) =>
    start(join(built, "reporter.mjs"), [path, `p${i}`, String(reports)]),
  );
  onTestFinished(async () => void (await Promise.all(all.map((one) => one.kill("SIGKILL")))));
  for (const one of all) expect(await one.next()).toBe("ready");
  return all;
}

test("eight processes report at once and nothing is lost", async () => {
  const path = join(await tempFolder(), "accounts.json");
  const all = await reporters(path, 8, 6);
  for (const one of all) one.say("go");
  for (const one of all) expect(await one.next()).toBe("done");
  const limits = await openAccounts(path, { clock: systemClock }).limits();
  const expected = Array.from({ length: 48 }, (_, i) => `p${Math.floor(i / 6)}/${i % 6}`);
  expect([...limits.keys()].sort()).toEqual(expected.sort());
  expect(await namesIn(join(path, ".."))).toEqual(["accounts.json"]);
});

test("with processes killed on the way the file stays whole, the others lose nothing, and the lock stays takeable", async () => {
  const path = join(await tempFolder(), "accounts.json");
  const all = await reporters(path, 8, 6);
  const doomed = all.slice(0, 4);
  for (const one of all) one.say("go");
  for (const one of doomed) {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
    await one.kill("SIGKILL");
    const text = await readFile(path, "utf8").catch(() => '{"limits":[]}');
    expect(Array.isArray(JSON.parse(text).limits)).toBe(true);
  }
  for (const one of all.slice(4)) expect(await one.next()).toBe("done");
  const accounts = openAccounts(path, { clock: systemClock });
  const until = Date.now() + 1e8;
  await accounts.report({ account: "last" as never, until, durationMs: 1e8, why: "auth" });
  const keys = new Set<string>((await accounts.limits()).keys());
  const expected = [4, 5, 6, 7].flatMap((p) => Array.from({ length: 6 }, (_, i) => `p${p}/${i}`));
  expect([...expected, "last"].filter((name) => !keys.has(name))).toEqual([]);
  expect(await namesIn(join(path, ".."))).toEqual(["accounts.json"]);
});
