import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { git, makePlace, type Place, plaitIn } from "../cli/place.ts";
import type { Run } from "../cli/plait.ts";

/** Runs of `plait parallel-orchestra` with a shell script in the place of Claude. */
export type PoPlace = Place & { readonly stub: string };

/** The script is asked for each task, by its name in $PLAIT_TASK, in the worktree of its attempt. */
export function poPlace(
  script: string,
  files: Readonly<Record<string, string>> = { "a.txt": "a\n" },
): PoPlace {
  const place = makePlace(files);
  return { ...place, stub: writeStub(place, script) };
}

export function writeStub({ repo }: Place, script: string): string {
  const stub = join(dirname(repo), "stub");
  writeFileSync(stub, `#!/bin/sh\ncat > /dev/null\ncase "$PLAIT_TASK" in\n${script}\nesac\n`, {
    mode: 0o755,
  });
  return stub;
}

/** A manifest of these tasks; what is not said is as simple as it can be. */
export function manifest(tasks: readonly (string | object)[], more: object = {}): string {
  const all = tasks.map((task) => ({
    ...{ agent: "dev", read_only: false, max_retries: 0 },
    ...(typeof task === "string" ? { id: task } : task),
  }));
  return `---\n${JSON.stringify({ po_plan_version: "0.1", name: "plan", cwd: ".", ...more, tasks: all })}\n---\n`;
}

export function write({ repo }: Place, path: string, text: string): void {
  mkdirSync(dirname(join(repo, path)), { recursive: true });
  writeFileSync(join(repo, path), text);
}

export const read = ({ repo }: Place, path: string): string => readFileSync(join(repo, path), "utf8");
export const has = ({ repo }: Place, path: string): boolean => existsSync(join(repo, path));
export const tracked = (place: Place): string[] => git(place, "ls-files").split("\n");

/** `parallel-orchestra run m.md …`, with the script. */
export function po(place: PoPlace, ...words: string[]): Promise<Run> {
  return plaitIn(place, "parallel-orchestra", "run", "m.md", "--claude-exe", "../stub", ...words);
}
