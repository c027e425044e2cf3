import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { git, makePlace, type Place, plaitIn } from "./place.ts";

/** Codex as far as plait sees it: the first account has used up its limit, any other works. */
const CODEX = `
const { readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
if (process.argv.includes("--version")) { console.log("codex-cli 0.166.0"); process.exit(0); }
if (!process.argv.includes("exec")) process.exit(0);
const print = (event) => console.log(JSON.stringify(event));
const { tokens } = JSON.parse(readFileSync(join(process.env.HOME, ".codex", "auth.json"), "utf8"));
print({ type: "thread.started", thread_id: "t-1" });
print({ type: "turn.started" });
if (tokens.account_id === "one") {
  print({ type: "turn.failed", error: { message: "You've hit your usage limit. Try again in 2 hours 5 minutes." } });
  process.exit(1);
}
writeFileSync("made-" + process.pid + ".txt", "x\\n");
print({ type: "item.completed", item: { id: "m", type: "agent_message", text: "Done." } });
print({ type: "turn.completed", usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 } });
`;

it("a usage limit of Codex pauses its account, and another login continues at once with plait retry --now", async () => {
  const made = makePlace();
  const folder = dirname(made.repo);
  const place: Place = { ...made, env: { ...made.env, PATH: `${join(folder, "bin")}:${made.env["PATH"]}` } };
  const login = join(String(place.env["HOME"]), ".codex");
  for (const path of [join(folder, "bin"), login]) mkdirSync(path, { recursive: true });
  writeFileSync(join(folder, "bin/codex"), `#!${process.execPath}\n${CODEX}`);
  chmodSync(join(folder, "bin/codex"), 0o755);
  const logIn = (name: string) =>
    writeFileSync(join(login, "auth.json"), JSON.stringify({ tokens: { account_id: name } }));
  logIn("one");
  const tasks = ["a", "b"].map((id) => `  - { id: ${id}, agent: codex, prompt: "Write a file" }`).join("\n");
  writeFileSync(join(folder, "plan.yaml"), `plait: 1\nname: d\ngates: ["true"]\ntasks:\n${tasks}\n`);
  const ran = await plaitIn(place, "run", "../plan.yaml", "-j", "1", "--detach", "--allow-root");
  expect(ran.code, ran.stderr).toBe(0);
  const status = async () => JSON.parse((await plaitIn(place, "status", "--json")).stdout);
  await expect
    .poll(async () => (await status()).waits, { timeout: 60_000 })
    .toMatchObject([{ reason: expect.stringContaining("limit"), tasks: ["a", "b"] }]);
  const { tasks: paused } = await status();
  expect(paused.map((task: { attempts: number }) => task.attempts)).toEqual([1, 0]);
  logIn("two");
  const retried = await plaitIn(place, "retry", "--now");
  expect(retried.code, retried.stderr).toBe(0);
  await expect.poll(async () => (await status()).status.kind, { timeout: 60_000 }).toBe("landed");
  // The old account is as limited as it was: neither is it tried, nor is its limit forgotten.
  const { run } = await status();
  const journal = readFileSync(join(place.repo, ".git/plait/runs", run, "journal.ndjson"), "utf8");
  expect(journal.match(/"type":"(?:accounts\.changed|waits\.skipped)"/g)).toEqual([
    '"type":"accounts.changed"',
  ]);
  expect(git(place, "ls-files").match(/made-/g)).toHaveLength(2);
});
