import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { type LocalRun, loadPlan, type Policy, startRun } from "../../src/app/index.ts";
import { defaultCaps } from "../../src/config/caps.ts";
import { defaultLayers, defaultPolicy } from "../../src/config/settings.ts";
import { main, type Run } from "./plait.ts";

/** Real runs of the demo agent in small real repositories, begun through the library, looked at through the program. */
export type Place = {
  readonly repo: string;
  readonly env: Readonly<Record<string, string>>;
};

/** A repository with one commit, a home of its own, and nothing of the user's. Gone after the tests of the file. */
export function makePlace(files: Readonly<Record<string, string>> = { "src/a.txt": "a\n" }): Place {
  const root = mkdtempSync(join(realpathSync(tmpdir()), "plait-runs-"));
  folders.push(root);
  const [repo, home] = [join(root, "repo"), join(root, "home")];
  for (const folder of [repo, home]) mkdirSync(folder);
  writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = User\n\temail = user@example.com\n");
  const { PATH = "/usr/bin:/bin" } = process.env;
  const place = { repo, env: { PATH, HOME: home, TMPDIR: root, GIT_CONFIG_NOSYSTEM: "1", TZ: "UTC" } };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repo, name)), { recursive: true });
    writeFileSync(join(repo, name), text);
  }
  git(place, "init", "-q", "-b", "main", ".");
  git(place, "add", "-A");
  git(place, "commit", "-q", "-m", "start");
  return place;
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function git({ repo, env }: Place, ...args: string[]): string {
  return execFileSync("git", args, {
    cwd: repo,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();
}

/** One attempt at a time unless a test wants more: then everything happens in the same order each time. */
export async function begin(place: Place, text: string, policy: Partial<Policy> = {}): Promise<LocalRun> {
  const path = join(dirname(place.repo), "plan.yaml");
  writeFileSync(path, text);
  const { plan, texts, diagnostics } = await loadPlan("../plan.yaml", {
    ...{ caps: defaultCaps, layers: defaultLayers(), cwd: place.repo },
  });
  if (plan === null) throw new Error(JSON.stringify(diagnostics));
  const host = {
    ...{ cwd: place.repo, env: place.env, version: "test", command: "a test" },
    ...{ allowRoot: true, allowNested: true },
  };
  const usual: Policy = { ...defaultPolicy, slots: 1, failFast: false, land: "end", budgetUsd: null };
  const started = await startRun(host, { plan, texts, policy: { ...usual, ...policy }, only: null });
  if (!started.ok) throw new Error(started.refusal.message);
  return started.run;
}

/** Drives it to its end; gives its name. */
export async function finish(place: Place, text: string, policy: Partial<Policy> = {}): Promise<string> {
  const run = await begin(place, text, policy);
  await run.drive();
  return run.view.run;
}

/** The program beside a run that this process drives: nothing here may wait in a way that stops the driver. */
export async function plaitIn({ repo, env }: Place, ...args: string[]): Promise<Run> {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: repo,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const seen = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => (seen[name] += text));
  }
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, ...seen };
}

/** What differs from one run to the next, in words of the same width. */
export function steady(text: string, run: string, { repo }: Place): string {
  return text
    .replaceAll(dirname(repo), "/place")
    .replaceAll(run, run.replace(/....$/, "0000"))
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "2026-11-15 14:02")
    .replace(/\b\d\d:\d\d:\d\d\b/g, "14:02:03")
    .replace(
      /(process) \d+( on \S+)?/g,
      (_, word, host) => `${word} 4242${host === undefined ? "" : " on host"}`,
    )
    .replace(/(?<![:\d])\d:\d\d(?![:\d])/g, "0:01")
    .replace(/\b\d+\.\ds\b/g, "0.1s")
    .replace(/(as|on|at|is at|merged .*|candidate) [0-9a-f]{7}\b/g, (found) =>
      found.replace(/[0-9a-f]{7}$/, "0123456"),
    )
    .replace(/candidate [0-9a-f]{7}/g, "candidate 0123456");
}
