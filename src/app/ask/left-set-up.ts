// What a set-up began outside of its folder (a database, a container) is cleared up also when plait was killed before: it is on the disk
// before the set-up begins, and done by whoever removes the folder.

import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command, Env } from "../../core/plan.ts";
import { TEARDOWN_TIMEOUT_MS } from "../../engines/local/make-ready.ts";
import { inheritable } from "../../engines/local/run-context.ts";
import { agentGitEnvironment } from "../../git/index.ts";
import { uniqueMarker } from "../../process/markers.ts";
import { startReaper } from "../../process/reaper.ts";
import { runCommand } from "../../process/run-command.ts";
import type { Host } from "../host.ts";

type SetUp = {
  readonly teardown: readonly Command[];
  /** What the set-up had beside the user's own environment. */
  readonly env: Env;
};

const noteIn = (folder: string): string => join(folder, "set-up.json");

/** `folder` is that of the place, around the tree. Gives the function that says that it is cleared up. */
export async function noteSetUp(folder: string, setUp: SetUp): Promise<() => Promise<void>> {
  if (setUp.teardown.length === 0) return async () => undefined;
  await writeFile(noteIn(folder), JSON.stringify(setUp), { mode: 0o600, flush: true });
  return () => rm(noteIn(folder), { force: true });
}

/** For a place that its maker left: what is said there is done; a command that fails has its own effects, as ever. */
export async function clearUpLeft(host: Host, folder: string, runMarker: string): Promise<void> {
  const setUp = await readNote(folder);
  if (setUp === null) return;
  const started = await startReaper({ runMarker, worktrees: folder, env: host.env });
  if (!started.ok) return; // without it they could outlive plait (I5)
  const env = { ...inheritable(host.env), ...agentGitEnvironment(null), ...setUp.env };
  const tree = join(folder, "tree");
  for (const command of setUp.teardown) {
    const marker = uniqueMarker(runMarker, "teardown");
    const options = { runMarker, marker, worktree: tree, lifeline: started.reaper };
    await runCommand({ command, cwd: tree, env }, { ...options, timeoutMs: TEARDOWN_TIMEOUT_MS });
  }
  await started.reaper.close();
}

/** Null also of one that was being written: then no set-up had begun. */
async function readNote(folder: string): Promise<SetUp | null> {
  try {
    return JSON.parse(await readFile(noteIn(folder), "utf8")) as SetUp; // written above
  } catch {
    return null;
  }
}
