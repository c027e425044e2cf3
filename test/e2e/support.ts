// What the tests with real agents share: a user that is nobody's, and one attempt from an adapter's `invoke` to its conclusion.
// Nothing leaves the machine, whatever the agent tries: its model is the one on loopback.

import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll } from "vitest";
import type {
  Adapter,
  AgentWork,
  Conclusion,
  Ending,
  Invocation,
  InvokeInput,
} from "../../src/agents/adapter.ts";
import { claude } from "../../src/agents/claude/adapter.ts";
import type { AgentEvent } from "../../src/agents/event.ts";
import { type Exit, type SuperviseOptions, supervise } from "../../src/process/supervise.ts";
import type { TimeLimits } from "../../src/process/time-limits.ts";
import { type Clock, systemClock } from "../../src/util/clock.ts";
import { invocationOf } from "../agents/input.ts";
import { claudeProgram } from "./claude-program.ts";
import type { ModelServer } from "./model-server.ts";
import type { RealProgram } from "./real-program.ts";

const { PATH = "/usr/bin:/bin" } = process.env;

const folders: string[] = [];
const running = new Set<Running>();
afterAll(async () => {
  await Promise.all([...running].map(({ stop }) => stop({ kill: true }))); // what a failed test has left
  const options = { recursive: true, force: true, maxRetries: 5 };
  await Promise.all(folders.map((folder) => rm(folder, options)));
});

/** Gone when the tests of the file are over. */
export async function tempFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "plait-e2e-")));
  folders.push(folder);
  return folder;
}

/** What a user has set up for Claude. */
export type Setup = {
  /** With an API key, a rejected usage limit is a mere rate limit to it. */
  readonly login?: "api-key" | "subscription";
  /** Files below the home folder. */
  readonly files?: { readonly [path: string]: string };
  readonly env?: { readonly [name: string]: string };
};

export type Home = {
  readonly folder: string;
  /** Complete: nothing of ours is inherited. The agent comes first on its PATH. */
  readonly env: { readonly [name: string]: string };
};

/** A home of its own, so that no test sees another's conversations, nor those of whoever runs the tests. */
export async function claudeHome(server: Pick<ModelServer, "url">, setup: Setup = {}): Promise<Home> {
  const folder = await tempFolder();
  await writeFiles(folder, setup.files ?? {});
  const login =
    setup.login === "subscription"
      ? { CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-not-a-token" }
      : { ANTHROPIC_API_KEY: "sk-ant-api03-not-a-key" };
  return {
    folder,
    env: {
      PATH: pathWith(claudeProgram),
      HOME: folder,
      TMPDIR: folder,
      ANTHROPIC_BASE_URL: server.url,
      ...login,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
      DISABLE_ERROR_REPORTING: "1",
      ...setup.env,
    },
  };
}

/** With the folder of the program first. */
export function pathWith({ path }: RealProgram): string {
  return path === null ? PATH : [dirname(path), PATH].join(delimiter);
}

/** All that Claude has written down of its conversations. */
export function remembered({ folder }: Home): string {
  const projects = join(folder, ".claude/projects");
  if (!existsSync(projects)) return "";
  return readdirSync(projects, { encoding: "utf8", recursive: true })
    .filter((file) => file.endsWith(".jsonl"))
    .map((file) => readFileSync(join(projects, file), "utf8"))
    .join("");
}

export async function writeFiles(folder: string, files: { readonly [path: string]: string }): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

export type AttemptOptions = {
  /** Claude where nothing is said. */
  readonly adapter?: Adapter;
  readonly home: Home;
  /** An empty folder where it does not matter. */
  readonly worktree?: string;
  readonly prompt: string;
  readonly input?: Partial<InvokeInput>;
  readonly work?: Partial<AgentWork>;
  readonly ending?: Partial<Pick<Ending, "access" | "gated" | "before">>;
  readonly limits?: TimeLimits;
  readonly clock?: Clock;
};

export type Attempt = {
  readonly marker: string;
  readonly worktree: string;
  /** Looks until it is so; rejects when the attempt has ended before. */
  readonly until: (isSo: () => boolean) => Promise<void>;
  readonly sees: (kind: AgentEvent["kind"]) => Promise<void>;
  /** There is such a file in its worktree. */
  readonly wrote: (file: string) => Promise<void>;
  readonly stop: (how: { readonly kill: boolean }) => Promise<Ended>;
  readonly ended: Promise<Ended>;
};

export type Ended = {
  readonly worktree: string;
  readonly lines: readonly string[];
  readonly events: readonly AgentEvent[];
  readonly exit: Exit;
  readonly conclusion: Conclusion;
};

export async function attempt(options: AttemptOptions): Promise<Ended> {
  return (await startAttempt(options)).ended;
}

/** As the local engine makes it, less git. */
export async function startAttempt(options: AttemptOptions): Promise<Attempt> {
  const { home, limits = {}, clock = systemClock } = options;
  const worktree = options.worktree ?? (await tempFolder());
  const { invocation, access } = invoked(options, worktree);
  const lines: string[] = [];
  const events: AgentEvent[] = [];
  let reading = (options.adapter ?? claude).reader(worktree);
  const program = await startProgram(invocation, {
    home,
    cwd: worktree,
    limits,
    clock,
    onLine: ({ text }) => {
      lines.push(text);
      const read = reading.read(text);
      events.push(...read.events);
      reading = read.next;
    },
  });
  const ended = program.ended.then((exit): Ended => {
    const { code, signal, stderrTail: stderr } = exit;
    const told = { code, signal, stderr, at: clock.now(), zone: "UTC", endedBy: endedBy(exit) };
    const how = { ...told, before: null, access, gated: false };
    const conclusion = reading.conclude({ ...how, ...options.ending });
    return { worktree, lines, events, exit, conclusion };
  });
  return {
    marker: program.marker,
    worktree,
    until: (isSo) => lookUntil(isSo, ended),
    sees: (kind) => lookUntil(() => events.some((event) => event.kind === kind), ended),
    wrote: (file) => lookUntil(() => existsSync(join(worktree, file)), ended),
    stop: ({ kill }) => program.stop({ kill }).then(() => ended),
    ended,
  };
}

function invoked({ adapter = claude, prompt, input, work }: AttemptOptions, worktree: string) {
  const asked: Partial<InvokeInput> = {
    prompt,
    worktree,
    conversation: { kind: "new", id: randomUUID() },
    isRoot: process.getuid?.() === 0,
    allowRoot: true,
    ...input,
  };
  return { invocation: invocationOf(adapter, asked, work), access: asked.access ?? "write" };
}

function endedBy({ why }: Exit): Ending["endedBy"] {
  if (why === null) return null;
  if (why === "stop" || why === "kill") return { reason: "cancelled", because: "stop" };
  return { reason: "timeout", clock: why };
}

async function lookUntil(isSo: () => boolean, ended: Promise<Ended>): Promise<void> {
  let over: Ended | null = null;
  ended.then(
    (end) => {
      over = end;
    },
    () => undefined,
  );
  while (!isSo()) {
    if (over !== null) throw new Error(`it ended before: ${JSON.stringify((over as Ended).conclusion)}`);
    await setTimeout(20);
  }
}

type Running = {
  readonly marker: string;
  readonly stop: (how: { readonly kill: boolean }) => Promise<Exit>;
  readonly ended: Promise<Exit>;
};

type StartOptions = Pick<SuperviseOptions, "limits" | "clock" | "onLine"> & {
  readonly home: Home;
  readonly cwd: string;
};

async function startProgram(invocation: ProgramStart, options: StartOptions): Promise<Running> {
  const { home, cwd, ...rest } = options;
  const { argv, stdin } = invocation;
  const marker = `e2e-${randomUUID()}`;
  const supervised = await supervise(
    { argv, stdin, cwd, env: { ...home.env, ...invocation.env } },
    { marker, runMarker: marker, worktree: cwd, ...rest },
  );
  if (!supervised.ok) throw new Error(supervised.failure.message);
  const started = { marker, stop: supervised.stop, ended: supervised.ended };
  running.add(started);
  return started;
}

type ProgramStart = Pick<Invocation, "argv" | "env" | "stdin">;

/** An agent as it is started to ask it something. */
export async function runProgram(
  invocation: ProgramStart,
  home: Home,
  cwd?: string,
): Promise<{ readonly exit: Exit; readonly stdout: string }> {
  let stdout = "";
  const onLine = ({ text }: { readonly text: string }): void => {
    stdout += `${text}\n`;
  };
  const program = await startProgram(invocation, { home, cwd: cwd ?? (await tempFolder()), onLine });
  return { exit: await program.ended, stdout };
}
