// Whole runs through the library, with the demo agent, on real repositories that are gone after the test.

import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { Host } from "../../src/app/host.ts";
import { loadPlan } from "../../src/app/load-plan.ts";
import { resumeRun, retryFailed } from "../../src/app/resume-run.ts";
import { findRun } from "../../src/app/runs.ts";
import { startRun } from "../../src/app/start-run.ts";
import { defaultCaps, defaultLayers, defaultPolicy } from "../../src/config/settings.ts";
import type { RunCommand } from "../../src/core/decide.ts";
import type { Fact, Policy, RunOutcome } from "../../src/core/facts.ts";
import type { Plan } from "../../src/core/plan.ts";
import type { PortSettings } from "../../src/core/ports.ts";
import type { RunState } from "../../src/core/run-state.ts";
import type { LocalRun } from "../../src/engines/local/local-run.ts";

/** Memory where there is such a file system: runs wait for the disk again and again. */
const TEMP = realpathSync(existsSync("/dev/shm") ? "/dev/shm" : tmpdir());

/** Not `onTestFinished`: among tests that run at once it may be another test that has finished. */
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function tempFolder(): string {
  const folder = mkdtempSync(join(TEMP, "plait-run-"));
  folders.push(folder);
  return folder;
}

export type Place = { readonly root: string; readonly repo: string; readonly host: Host };

type Files = { readonly [path: string]: string };

/** A repository without a commit, to be copied: what git would do the same way each time is done once. */
let template: string | null = null;

export function place(files: Files = { "a.txt": "a\n" }): Place {
  template ??= makeTemplate();
  const made = folderPlace(files);
  cpSync(template, join(made.repo, ".git"), { recursive: true });
  sh(made, "git add -A; git commit -q -m start");
  return made;
}

function makeTemplate(): string {
  const made = folderPlace({});
  sh(made, "git init -q -b main; git config user.name U; git config user.email u@example.com");
  rmSync(join(made.repo, ".git/hooks"), { recursive: true }); // samples only, and many
  mkdirSync(join(made.repo, ".git/hooks"));
  return join(made.repo, ".git");
}

/** The same without a repository: `repo` is a folder like any other. */
export function folderPlace(files: Files): Place {
  const root = tempFolder();
  const repo = join(root, "repo");
  const home = join(root, "home");
  for (const folder of [repo, home]) mkdirSync(folder);
  const { PATH = "" } = process.env;
  const env = { PATH, HOME: home, XDG_STATE_HOME: join(root, "state"), TMPDIR: root };
  const host: Host = {
    cwd: repo,
    env,
    version: "0.0.0",
    command: "test",
    allowRoot: true,
    allowNested: false,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(repo, path, ".."), { recursive: true });
    writeFileSync(join(repo, path), text);
  }
  return { root, repo, host };
}

export function sh({ repo, host }: Place, line: string): string {
  return execFileSync("sh", ["-ec", line], { cwd: repo, env: host.env, encoding: "utf8" }).trimEnd();
}

export type Ran = {
  readonly outcome: RunOutcome;
  readonly facts: readonly Fact[];
  readonly state: RunState;
  readonly folder: string;
};

type Change = {
  readonly policy?: Partial<Policy>;
  readonly only?: readonly string[];
  /** The lines of .worktreeinclude. */
  readonly include?: readonly string[];
  readonly agent?: string;
  /** What the format of another system says and the native one cannot. */
  readonly plan?: Partial<Plan>;
};

/** Starts a plan in the native format; whatever agent it names, the demo agent does the work, or the one that the test names. */
export async function start({ root, host }: Place, plan: string, change: Change = {}): Promise<LocalRun> {
  const path = join(root, "plan.yaml");
  writeFileSync(path, `plait: 1\nname: test\n${plan}`);
  const { include = [] } = change;
  const layers = { ...defaultLayers(), force: { agent: change.agent ?? "demo", model: null }, include };
  const loaded = await loadPlan(path, { caps: defaultCaps, layers });
  if (loaded.plan === null) throw new Error(JSON.stringify(loaded.diagnostics));
  const { land, landStyle, publish, budgetUsd } = loaded.plan;
  const asked = { land, landStyle, publish, budgetUsd };
  const policy: Policy = { ...defaultPolicy, failFast: false, ...asked, ...change.policy };
  const input = { plan: { ...loaded.plan, ...change.plan }, texts: loaded.texts, policy };
  const started = await startRun(host, { ...input, only: change.only ?? null });
  if (!started.ok) throw new Error(started.refusal.message, { cause: started.refusal });
  return started.run;
}

/** Takes a run over, as `plait resume` does. */
export async function resume(
  { host }: Place,
  { state }: Pick<Ran, "state">,
  commands?: readonly RunCommand[],
): Promise<LocalRun> {
  const found = await findRun(host, state.run);
  if (!found.ok) throw new Error(found.refusal.message);
  const resumed = await resumeRun(host, found, commands === undefined ? retryFailed : () => commands);
  if (!resumed.ok) throw new Error(resumed.refusal.message);
  return resumed.run;
}

export async function drive(run: LocalRun): Promise<Ran> {
  const facts: Fact[] = [...run.past];
  run.view.subscribe({ fact: (fact) => facts.push(fact) });
  const outcome = await run.drive();
  return { outcome, facts, state: run.view.state(), folder: run.view.folder };
}

export async function runPlan(at: Place, plan: string, change: Change = {}): Promise<Ran> {
  return drive(await start(at, plan, change));
}

export function factsOf<T extends Fact["type"]>({ facts }: Pick<Ran, "facts">, type: T) {
  return facts.filter((fact): fact is Extract<Fact, { type: T }> => fact.type === type);
}

/** What an attempt was told. */
export function promptOf({ folder }: Ran, attempt: string): string {
  return readFileSync(join(folder, "prompts", `${attempt.replace("/", ".")}.md`), "utf8");
}

let portsGiven = 0;

/** Three ports for each of so many worktrees, where another process that runs these tests hardly looks. */
export function portsOfTests(ranges: number): PortSettings {
  const from = 10_000 + ((process.pid * 200) % 10_000) + 10 * portsGiven;
  const size = ranges * 3;
  portsGiven += Math.ceil(size / 10);
  return { from, to: from + size - 1, count: 3 };
}
