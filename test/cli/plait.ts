import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { notePrinted } from "../commands/printed.ts";

/** Runs the built command line as a user would, with nothing of the surroundings but PATH. */

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const main = join(root, "dist/cli/main.js");

if (!existsSync(main))
  throw new Error("dist is not built: run `npm run build`, or `npm test`, which does it");

type User = { readonly uid?: number; readonly gid?: number };

/**
 * The program as another user can start it. Where that user may not enter this clone or the folder of Node, a copy below
 * `folder`, which they must be able to enter.
 */
export function programFor(user: User, folder: string): { readonly node: string; readonly main: string } {
  const starts = (node: string, script: readonly string[]): boolean =>
    spawnSync(node, [...script, "--version"], { cwd: "/", ...user }).status === 0;
  const copy = (from: string, to: string): string => {
    cpSync(from, join(folder, to), { recursive: true });
    return join(folder, to);
  };
  const node = starts(process.execPath, []) ? process.execPath : copy(process.execPath, "node");
  if (starts(node, [main])) return { node, main };
  copy(join(root, "package.json"), "plait/package.json");
  execFileSync("chmod", ["-R", "a+rX", join(folder, "plait"), copy(join(root, "dist"), "plait/dist")]);
  return { node, main: join(folder, "plait/dist/cli/main.js") };
}

export type Run = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

export type Surroundings = { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> };

export function plait(args: readonly string[], { cwd = root, env = {} }: Surroundings = {}): Run {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [main, ...args], {
    cwd,
    env: { ...path(), ...env },
    encoding: "utf8",
    timeout: 60_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error !== undefined) throw error;
  notePrinted(`${stdout}\n${stderr}`);
  return { code: status, stdout, stderr };
}

/** As in `plait … | head`, with a reader that has gone before the first byte. */
export async function plaitIntoClosedPipe(
  args: readonly string[],
  closed: "stdout" | "stderr",
): Promise<Run> {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: root,
    env: path(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const seen = { stdout: "", stderr: "" };
  child[closed].destroy();
  for (const name of ["stdout", "stderr"] as const) {
    if (name !== closed) child[name].setEncoding("utf8").on("data", (text: string) => (seen[name] += text));
  }
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, ...seen };
}

/** A folder with these files, removed after the tests of the file. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), "plait-cli-"));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function path(): Record<string, string> {
  const { PATH = "" } = process.env;
  return { PATH };
}
