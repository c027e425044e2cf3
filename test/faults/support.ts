// What the tests of faults share: a repository of its own for each, the built command line as a child, and observers that
// look at git, /proc and files from outside. plait itself is never asked whether it is right.

import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import type { Fact } from "../../src/core/facts.ts";
import { main, programFor } from "../cli/plait.ts";
import { notePrinted } from "../commands/printed.ts";

/** Memory where there is such a file system, and short: a Unix socket has its path below it. */
const TEMP = realpathSync(existsSync("/dev/shm") ? "/dev/shm" : tmpdir());

/** One user's machine: a home, a repository, room for worktrees and temporary files, and a folder that is nobody's. */
export type Place = {
  readonly root: string;
  readonly repo: string;
  readonly env: Record<string, string>;
  /** Where scripts leave signs of what they did. */
  readonly outside: string;
};

export type Files = { readonly [path: string]: string };

const roots: string[] = [];
afterAll(() => {
  for (const root of roots.splice(0)) {
    for (const pid of orphans({ root })) process.kill(pid, "SIGKILL");
    execFileSync("chmod", ["-R", "u+rwx", root]);
    rmSync(root, { recursive: true, force: true });
  }
});

const FILES: Files = {
  "a.txt": "a\n",
  "b.txt": "b\n",
  "dir/c.txt": "c\n",
  ".gitignore": "*.log\n",
};

let template: string | null = null;

/** A copy of one template: what git would do the same way each time is done once. */
export function makeRepo(): Place {
  template ??= makeTemplate();
  const place = emptyPlace();
  cpSync(template, place.repo, { recursive: true });
  return place;
}

function makeTemplate(): string {
  const place = emptyPlace();
  git(place, "init", "-q", "-b", "main", "--template=", ".");
  mkdirSync(join(place.repo, ".git/hooks"));
  mkdirSync(join(place.repo, ".git/info"));
  writeFiles(place.repo, FILES);
  git(place, "add", "-A");
  git(place, "commit", "-qm", "start");
  return place.repo;
}

/** Everything but a repository: `repo` is an empty folder. */
export function emptyPlace(): Place {
  const root = mkdtempSync(join(TEMP, "pf-"));
  roots.push(root);
  for (const name of ["home", "repo", "tmp", "state", "outside"]) mkdirSync(join(root, name));
  const home = join(root, "home");
  writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = User\n\temail = user@example.com\n");
  const { PATH = "/usr/bin:/bin" } = process.env;
  const env = {
    PATH,
    HOME: home,
    XDG_STATE_HOME: join(root, "state"),
    TMPDIR: join(root, "tmp"),
    GIT_CONFIG_NOSYSTEM: "1",
  };
  return { root, repo: join(root, "repo"), env, outside: join(root, "outside") };
}

function writeFiles(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** What it prints, without the last line end. Changes nothing that it is not asked to: not even the index. */
export function git({ repo, env }: Place, ...args: readonly string[]): string {
  const quiet = { ...env, GIT_OPTIONAL_LOCKS: "0" };
  return execFileSync("git", args, {
    cwd: repo,
    env: quiet,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).replace(/\n$/, "");
}

export type TaskText = {
  readonly id: string;
  /** Verbs of the demo agent. */
  readonly does?: readonly string[];
  readonly [key: string]: unknown;
};

/** Outside the repository, so that it is in nobody's tree. Nothing is tried twice unless the plan says so. */
export function writePlan(
  { root }: Place,
  tasks: readonly TaskText[],
  { defaults = {}, ...more }: { readonly defaults?: object; readonly [key: string]: unknown } = {},
): string {
  const path = join(root, "plan.json");
  const plan = {
    plait: 1,
    name: "p",
    defaults: { retries: 0, "fix-rounds": 0, ...defaults },
    ...more,
    tasks: tasks.map(({ does, ...task }) =>
      does === undefined ? task : { prompt: does.map((verb) => `demo: ${verb}`).join("\n"), ...task },
    ),
  };
  writeFileSync(path, JSON.stringify(plan, null, 1));
  return path;
}

export type End = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** plait as a child, in a process group of its own. */
export type Plait = {
  readonly pid: number;
  /** Those that it has printed so far. */
  readonly facts: readonly Fact[];
  /** The first that fits, printed already or to come. */
  readonly seen: (fits: (fact: Fact) => boolean) => Promise<Fact>;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** As a terminal sends it: to everyone in the foreground. */
  readonly signalGroup: (signal: NodeJS.Signals) => void;
  readonly end: Promise<End>;
};

export type Surroundings = {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
  /** Nobody reads the stream: its reader is gone, or its pipe is full and stays so. */
  readonly unread?: { readonly stream: "stdout" | "stderr"; readonly how: "closed" | "full" };
};

export function startPlait(place: Place, args: readonly string[], around: Surroundings = {}): Plait {
  const { cwd = place.repo, env = {}, uid, unread } = around;
  const streamFor = (name: "stdout" | "stderr") =>
    unread?.stream === name && unread.how === "full" ? fullPipe(join(place.root, "fifo")) : "pipe";
  const user = uid === undefined ? {} : { uid, gid: uid };
  const program = uid === undefined ? { node: process.execPath, main } : programFor(user, place.root);
  const child = spawn(program.node, [program.main, ...args], {
    cwd,
    env: { ...place.env, ...env },
    detached: true,
    stdio: ["ignore", streamFor("stdout"), streamFor("stderr")],
    ...user,
  });
  const printed = { stdout: "", stderr: "" };
  const log = factLog();
  for (const name of ["stdout", "stderr"] as const) {
    if (unread?.stream === name) child[name]?.destroy();
    else
      child[name]?.setEncoding("utf8").on("data", (text: string) => {
        printed[name] += text;
        if (name === "stdout") log.push(text);
      });
  }
  const end = new Promise<End>((resolve) => {
    child.on("close", (code, signal) => {
      log.close(`it ended with ${code ?? signal}: ${printed.stderr.slice(-2_000)}`);
      notePrinted(`${printed.stdout}\n${printed.stderr}`);
      resolve({ code, signal, ...printed });
    });
  });
  const pid = child.pid ?? 0;
  return {
    pid,
    facts: log.facts,
    seen: log.seen,
    signal: (signal) => void child.kill(signal),
    signalGroup: (signal) => void process.kill(-pid, signal),
    end,
  };
}

/** The end of a pipe to write to, which takes not one byte more. Its reader lives as long as these tests do, and never reads. */
function fullPipe(path: string): number {
  execFileSync("mkfifo", [path]);
  openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const filling = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  try {
    for (;;) writeSync(filling, Buffer.alloc(4096));
  } catch {
    return openSync(path, constants.O_WRONLY); // EAGAIN: it is full
  }
}

/** The lines of a stream that are facts, as they come. */
function factLog() {
  const facts: Fact[] = [];
  const waiting = new Set<() => void>();
  let rest = "";
  let closed: string | null = null;
  const wake = () => {
    for (const look of [...waiting]) look();
  };
  return {
    facts,
    push: (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      // One at a time: whoever waits for the third acts before the fourth.
      for (const line of lines) {
        if (line.startsWith("{")) facts.push(JSON.parse(line));
        wake();
      }
    },
    close: (why: string) => {
      closed = why;
      wake();
    },
    seen: (fits: (fact: Fact) => boolean) =>
      new Promise<Fact>((resolve, reject) => {
        const look = () => {
          const found = facts.find(fits);
          if (found === undefined && closed === null) return;
          waiting.delete(look);
          if (found === undefined) reject(new Error(closed ?? ""));
          else resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
}

const RUN = ["run", "--agent", "demo", "--json"];

export function startRun(
  place: Place,
  plan: string,
  args: readonly string[] = [],
  around: Surroundings = {},
): Plait {
  return startPlait(place, [...RUN, plan, ...args], around);
}

/** From the start to the end, undisturbed. */
export function runPlan(
  place: Place,
  plan: string,
  args: readonly string[] = [],
  around: Surroundings = {},
): Promise<End> {
  return startRun(place, plan, args, around).end;
}

export function plait(place: Place, args: readonly string[], around: Surroundings = {}): Promise<End> {
  return startPlait(place, args, around).end;
}

/** The folder where runs lie. */
export function runsFolder({ repo }: Place): string {
  return join(existsSync(join(repo, ".git")) ? join(repo, ".git") : repo, "plait/runs");
}

export function runIds(place: Place): string[] {
  const folder = runsFolder(place);
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

/** The only run there is. */
export function runId(place: Place): string {
  const [run, ...others] = runIds(place);
  if (run === undefined || others.length > 0)
    throw new Error(`there are ${others.length + (run ? 1 : 0)} runs`);
  return run;
}

/** What is durable: the whole lines of the journal. */
export function journal(place: Place, run = runId(place)): Fact[] {
  const path = join(runsFolder(place), run, "journal.ndjson");
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
  return lines.flatMap((line) => JSON.parse(line).fact ?? []); // the first line is a header
}

export function factsOf<T extends Fact["type"]>(
  facts: readonly Fact[],
  type: T,
): Extract<Fact, { type: T }>[] {
  return facts.filter((fact): fact is Extract<Fact, { type: T }> => fact.type === type);
}

/** Processes that plait started in this place, or that those started: all inherit its home, or work below its root. */
export function orphans({ root }: Pick<Place, "root">): number[] {
  return livingPids().filter(
    (pid) => carries(pid, `HOME=${root}/home`) || folderOf(pid).startsWith(`${root}/`),
  );
}

function folderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return ""; // gone, or not ours
  }
}

/** Those that carry the marker of a run: agents, commands, gates and what they started. */
export function marked(run: string): number[] {
  return livingPids().filter((pid) => carries(pid, `PLAIT_RUN=${run}`));
}

function carries(pid: number, variable: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(variable);
  } catch {
    return false; // gone, or not ours
  }
}

function livingPids(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && !isZombie(pid));
}

function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return "ZX".includes(stat.slice(stat.lastIndexOf(")") + 2)[0] ?? "X");
  } catch {
    return true;
  }
}

/** A script in a folder of its own, for PATH or as a hook. */
export function writeProgram(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}

/** For what gives no event: looks until it is so. How long that takes is nothing to judge by; only what never comes ends it. */
export async function until(isSo: () => boolean): Promise<void> {
  const start = performance.now();
  while (!isSo()) {
    if (performance.now() - start > 60_000) throw new Error("it never came to be so");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
