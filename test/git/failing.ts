// Calls of git that fail, in tests: the rest of the run is real.

import type { GitSpawn } from "../../src/git/run.ts";
import { gitOf, type Rig } from "./support.ts";

export const failed = (stderr: string) => ({
  code: 128,
  signal: null,
  stdout: Buffer.alloc(0),
  stderr: Buffer.from(stderr),
});

/** The same run, with another git. */
export function through<R extends Rig>(it: R, spawn: GitSpawn): R {
  const repository = { ...it.repository, git: gitOf(it.place, spawn) };
  return { ...it, repository, shadow: { ...it.shadow, repository } };
}
