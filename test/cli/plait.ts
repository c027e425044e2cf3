import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

/** Runs the built command line as a user would, with nothing of the surroundings but PATH. */

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const main = join(root, "dist/cli/main.js");

if (!existsSync(main))
  throw new Error("dist is not built: run `npm run build`, or `npm test`, which does it");

export type Run = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

export type Surroundings = { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> };

export function plait(args: readonly string[], { cwd = root, env = {} }: Surroundings = {}): Run {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [main, ...args], {
    cwd,
    env: { ...path(), ...env },
    encoding: "utf8",
    timeout: 15_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error !== undefined) throw error;
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
