// Builds and runs test/process/programs/host.ts, since Node 20 does not run TypeScript.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { env } from "./support.ts";

export type Host = {
  readonly child: ChildProcess;
  readonly next: () => Promise<unknown>;
  readonly ended: Promise<unknown>;
};

export type StartHost = (...args: string[]) => Host;

/** For a test file: builds the program before its tests; the result starts it, if need be under a limit (a line for sh). */
export function useHost(): StartHost & { readonly withLimit: (limit: string) => StartHost } {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "plait-host-"));
    const entry = fileURLToPath(new URL("./programs/host.ts", import.meta.url));
    const rollupOptions = { output: { entryFileNames: "host.mjs" } };
    const options = { ssr: entry, outDir: folder, emptyOutDir: false, target: "node20", rollupOptions };
    await build({ configFile: false, logLevel: "error", build: options });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const start = (limit: string, args: string[]): Host => {
    const program = [process.execPath, join(folder, "host.mjs"), ...args];
    const child = spawn("sh", ["-c", `${limit}\nexec "$@"`, "sh", ...program], {
      env,
      stdio: ["pipe", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = once(child, "exit");
    if (!child.stdout) throw new Error("it has no output");
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return { child, ended, next: async () => JSON.parse((await lines.next()).value) };
  };
  return Object.assign((...args: string[]) => start("", args), {
    withLimit:
      (limit: string): StartHost =>
      (...args) =>
        start(limit, args),
  });
}
