import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { onTestFinished } from "vitest";
import type { Conclusion, Ending, InvokeInput, Reading } from "../../src/agents/adapter.ts";
import { demoAdapter } from "../../src/agents/demo/adapter.ts";
import type { AgentEvent } from "../../src/agents/event.ts";
import { invocationOf } from "./input.ts";

// The demo agent as a process, and what its adapter makes of it.

/** Bundles the program, since Node 20 does not run TypeScript; gives its path. */
export async function buildDemoAgent(outDir: string): Promise<string> {
  const entry = fileURLToPath(new URL("../../src/programs/demo-agent.ts", import.meta.url));
  const output = { entryFileNames: "demo-agent.mjs" };
  await build({
    configFile: false,
    logLevel: "error",
    build: { ssr: entry, outDir, emptyOutDir: false, target: "node20", rollupOptions: { output } },
  });
  return join(outDir, "demo-agent.mjs");
}

/** A folder that is gone after the test. */
export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "plait-demo-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export type Attempt = {
  readonly events: readonly AgentEvent[];
  readonly conclusion: Conclusion;
  readonly stdout: string;
  readonly ending: Pick<Ending, "code" | "signal" | "stderr">;
};

export type Started = { readonly child: ChildProcess; readonly done: Promise<Attempt> };

export function startDemo(program: string, cwd: string, input: Partial<InvokeInput>): Started {
  const adapter = demoAdapter([process.execPath, program]);
  const { argv, env, stdin } = invocationOf(adapter, input);
  const [file = "", ...args] = argv;
  const child = spawn(file, args, { cwd, env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.on("error", () => undefined); // EPIPE: it ended before it read all
  child.stdin.end(stdin);
  const printed = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    printed.stderr += text;
  });
  const done = once(child, "close").then(([code, signal]): Attempt => {
    const ending = { code, signal, stderr: printed.stderr };
    return { ...followed(adapter.reader(), printed.stdout, ending), stdout: printed.stdout, ending };
  });
  return { child, done };
}

function followed(
  start: Reading,
  stdout: string,
  ending: Attempt["ending"],
): Pick<Attempt, "events" | "conclusion"> {
  const events: AgentEvent[] = [];
  let reading = start;
  for (const line of stdout.split("\n")) {
    const read = reading.read(line);
    events.push(...read.events);
    reading = read.next;
  }
  const quiet = { at: 0, zone: "UTC", endedBy: null, before: null, access: "write", gated: false } as const;
  const conclusion = reading.conclude({ ...ending, ...quiet });
  return { events, conclusion };
}
