// Writing to one of plait's own indexes.

import { chmod, lstat, rm } from "node:fs/promises";
import { isGitFailure } from "./failure.ts";
import { below, type RawPath, rawInput } from "./raw-path.ts";
import { callShadow, type Shadow } from "./shadow.ts";

export type IndexOf = { readonly path: string; readonly index: string };

/** Large files are streamed, not read into memory: 400 MB took 395 MB of memory without this, 5 with it. */
const STREAM_LARGE = "core.bigFileThreshold=50m";

export async function updateIndex(
  shadow: Shadow,
  { path, index }: IndexOf,
  args: readonly string[],
  stdin: Buffer,
): Promise<{ readonly stderr: string }> {
  await rm(`${index}.lock`, { force: true }); // ours: left by a call of ours that died
  const call = { workTree: path, index, stdin, durable: "batch", config: [STREAM_LARGE] } as const;
  return callShadow(shadow, { args: ["update-index", ...args], ...call });
}

/**
 * Takes the files as they are now, also that they are gone. A batch that fails changes nothing, so it is halved until the
 * paths that cannot be read are alone. `sawRefused`: git skipped names that it never takes, such as `.GIT/x`.
 */
export async function addPaths(
  shadow: Shadow,
  work: IndexOf,
  paths: readonly RawPath[],
): Promise<{ readonly unreadable: readonly RawPath[]; readonly sawRefused: boolean }> {
  if (paths.length === 0) return { unreadable: [], sawRefused: false };
  try {
    const args = ["--add", "--remove", "--replace", "-z", "--stdin"];
    const { stderr } = await updateIndex(shadow, work, args, rawInput(paths));
    return { unreadable: [], sawRefused: stderr.includes("Ignoring path ") };
  } catch (error) {
    if (!isGitFailure(error, "other", "read-only", "not-found", "corrupt")) throw error;
    if (error.failure.stderr.includes("insufficient permission for adding an object")) throw error; // not the file's fault
    const [first] = paths;
    if (paths.length === 1 && first !== undefined) return addOne(shadow, work, first);
    const middle = paths.length >> 1;
    const left = await addPaths(shadow, work, paths.slice(0, middle));
    const right = await addPaths(shadow, work, paths.slice(middle));
    return {
      unreadable: [...left.unreadable, ...right.unreadable],
      sawRefused: left.sawRefused || right.sawRefused,
    };
  }
}

/** One more try: the file may have vanished meanwhile, or only be closed to its owner. */
async function addOne(shadow: Shadow, work: IndexOf, path: RawPath) {
  const file = below(work.path, path);
  const found = await lstat(file).catch(() => null); // vanished
  if (found?.isFile() && (found.mode & 0o400) === 0) await chmod(file, found.mode | 0o400);
  try {
    await updateIndex(shadow, work, ["--add", "--remove", "--replace", "-z", "--stdin"], rawInput([path]));
    return { unreadable: [], sawRefused: false };
  } catch (error) {
    if (!isGitFailure(error, "other", "read-only", "not-found", "corrupt")) throw error;
    return { unreadable: [path], sawRefused: false };
  }
}
