// Acts that are killed on the way, as programs of their own.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll } from "vitest";
import type { Act } from "./programs/act-and-die.ts";
import { type Rig, worktreesOf } from "./support.ts";

export type Death = Act["die"];

let folder = "";
let program = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "plait-git-program-"));
  const entry = fileURLToPath(new URL("./programs/act-and-die.ts", import.meta.url));
  const output = { entryFileNames: "program.mjs" };
  const options = {
    ssr: entry,
    outDir: folder,
    emptyOutDir: false,
    target: "node20",
    rollupOptions: { output },
  };
  await build({ configFile: false, logLevel: "error", build: options });
  program = join(folder, "program.mjs");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the program; the number of calls that it made, or null when it died. */
export function runAct(
  { place, runDir, isolation }: Rig,
  act: Pick<Act, "verb" | "die"> & { input: object },
): number | null {
  const path = join(runDir, "act.json");
  writeFileSync(
    path,
    JSON.stringify({ repo: place.repo, env: place.env, worktrees: worktreesOf(place), isolation, ...act }),
  );
  const end = spawnSync(process.execPath, [program, path], { encoding: "utf8", env: place.env });
  rmSync(path);
  if (end.signal === "SIGKILL") return null;
  if (end.status !== 0) throw new Error(end.stderr);
  return Number(end.stdout);
}
