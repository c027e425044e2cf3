// Whole runs of the built command line with real agents: a server, a user and a repository for each, so that they can go on side
// by side.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll } from "vitest";
import { replay } from "../../src/core/evolve.ts";
import type { Fact } from "../../src/core/facts.ts";
import type { RunState, TaskState } from "../../src/core/run-state.ts";
import { taskState } from "../../src/core/run-tasks.ts";
import { main } from "../cli/plait.ts";
import type { Scripts } from "./model-script.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { claudeHome, type Home, type Setup, tempFolder } from "./support.ts";

export type Place = { readonly server: ModelServer; readonly home: Home; readonly repo: string };

const servers: ModelServer[] = [];
const children = new Set<ReturnType<typeof spawn>>();
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL"); // what a failed test has left; its agents die with it
  await Promise.all(servers.map((server) => server.close()));
});

/** For Claude where nothing else is said. */
export async function newPlace(
  scripts: Scripts,
  setup: Setup = {},
  homeFor: typeof claudeHome = claudeHome,
): Promise<Place> {
  const server = await startModelServer(scripts);
  servers.push(server);
  const home = await homeFor(server, setup);
  const repo = join(await tempFolder(), "repo");
  await mkdir(repo);
  const place = { server, home, repo };
  sh(place, "git init -q -b main; git config user.name U; git config user.email u@example.com");
  sh(place, "echo a > a.txt; git add -A; git commit -q -m start");
  return place;
}

/** What it prints, in the repository. */
export function sh({ repo, home }: Place, line: string): string {
  return execFileSync("sh", ["-ec", line], { cwd: repo, env: home.env, encoding: "utf8" }).trimEnd();
}

export type End = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

export type Plait = { readonly signal: (signal: NodeJS.Signals) => void; readonly ended: Promise<End> };

export function startPlait({ repo, home }: Place, ...args: readonly string[]): Plait {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: repo,
    env: home.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.add(child);
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => (printed[name] += text));
  const ended = new Promise<End>((resolve) => {
    child.on("close", (code) => {
      children.delete(child);
      resolve({ code, ...printed });
    });
  });
  return { signal: (signal) => void child.kill(signal), ended };
}

export function plait(place: Place, ...args: readonly string[]): Promise<End> {
  return startPlait(place, ...args).ended;
}

export type PlanTask = { readonly id: string; readonly [key: string]: unknown };

/** Starts a plan whose tasks are answered by the scripts that their prompts name; the plan lies in nobody's tree. */
export async function startRun(place: Place, tasks: readonly PlanTask[], more: object = {}): Promise<Plait> {
  const path = join(place.repo, "..", "plan.json");
  await writeFile(path, JSON.stringify({ plait: 1, name: "shop", ...more, tasks }));
  return startPlait(place, "run", path, "--allow-root");
}

export async function runPlan(place: Place, tasks: readonly PlanTask[], more: object = {}): Promise<End> {
  return (await startRun(place, tasks, more)).ended;
}

/** Those of the repository, the oldest first. */
export function runIds({ repo }: Place): string[] {
  const folder = join(repo, ".git/plait/runs");
  if (!existsSync(folder)) return [];
  const begun = (run: string) => journalOf(join(folder, run))[0]?.at ?? Number.POSITIVE_INFINITY;
  return readdirSync(folder).sort((a, b) => begun(a) - begun(b));
}

function journalOf(folder: string): Fact[] {
  const path = join(folder, "journal.ndjson");
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
  return lines.flatMap((line) => JSON.parse(line).fact ?? []); // the first line is a header
}

/** What is durable of the latest run. */
export function facts(place: Place): Fact[] {
  const run = runIds(place).at(-1);
  return run === undefined ? [] : journalOf(join(place.repo, ".git/plait/runs", run));
}

export function factsOf<T extends Fact["type"]>(place: Place, type: T): Extract<Fact, { type: T }>[] {
  return facts(place).filter((fact): fact is Extract<Fact, { type: T }> => fact.type === type);
}

/** Of an attempt that is over. */
export function endOf(place: Place, attempt: string) {
  const end = factsOf(place, "attempt.ended").find((fact) => fact.attempt === attempt);
  if (end === undefined) throw new Error(`${attempt} has not ended`);
  return end;
}

/** Where the latest run stands, and a task of it. */
export function stateOf(place: Place): RunState {
  const state = replay(facts(place));
  if (state === null) throw new Error("there is no run");
  return state;
}

export function taskIn(state: RunState, id: string): TaskState {
  return taskState(
    state,
    state.index.plan.tasks.findIndex((task) => task.id === id),
  );
}

/** The text of a file in what was saved of an attempt. */
export function savedText(place: Place, attempt: string, file: string): string {
  const saved = factsOf(place, "attempt.saved").find((fact) => fact.attempt === attempt);
  return sh(place, `git show ${saved?.result.commit}:${file}`);
}

/** Looks until it is so. How long that takes is nothing to judge by: only the end of the program ends it. */
export async function until(isSo: () => boolean, { ended }: Plait): Promise<void> {
  let end: End | null = null;
  void ended.then((one) => {
    end = one;
  });
  while (!isSo()) {
    if (end !== null) throw new Error(`it ended before: ${JSON.stringify(end)}`);
    await setTimeout(20);
  }
}
