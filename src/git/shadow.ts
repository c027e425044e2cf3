// The shadow: a git dir of our own with the user's configuration as it was at the start, the objects of the repository, and
// nothing else of it. What needs only objects, index and files goes through it, so nothing that an agent plants in the
// shared config, in hooks or in the worktree's own metadata is read, let alone run.
//
// It lies under the common dir because the user's `includeIf gitdir:` must go on matching.

import { copyFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { findHooksFolder } from "./as-user.ts";
import { type ConfigEntry, configValue, formatConfig } from "./config.ts";
import { exists } from "./files.ts";
import type { Repository } from "./repository.ts";
import type { GitCall, GitOutput } from "./run.ts";

export type Shadow = {
  readonly repository: Repository;
  readonly dir: string;
  /** Where the repository's hooks were at the start. */
  readonly hooks: string;
  /** Further rules for ignored files, used in place of the user's own list; null uses that. */
  readonly excludesFile: string | null;
  /** The last of these rules, for calls of ours: on a command line they win over any .gitignore. */
  readonly hidden: readonly string[];
};

/** A call on the shadow: `workTree` and `index` where the command needs one. */
export type ShadowCall = Pick<
  GitCall,
  "args" | "stdin" | "allow" | "durable" | "config" | "env" | "timeoutMs"
> & {
  readonly workTree?: string;
  readonly index?: string;
};

/** Made once a run: a second opening finds it as it was, whatever the config says by then. */
export async function openShadow(repository: Repository, runDir: string): Promise<Shadow> {
  const dir = join(runDir, "shadow.git");
  const hooksFile = join(dir, "hooks-folder");
  if (await exists(join(dir, "HEAD")))
    return { repository, dir, hooks: await readFile(hooksFile, "utf8"), excludesFile: null, hidden: [] };
  const hooks = await findHooksFolder(repository);
  for (const folder of ["objects", "refs", "info"]) {
    await mkdir(join(dir, folder), { recursive: true, mode: 0o700 });
  }
  for (const name of ["exclude", "attributes"]) {
    const source = join(repository.commonDir, "info", name);
    if (await exists(source)) await copyFile(source, join(dir, "info", name));
  }
  await writeFile(join(dir, "config"), frozenConfig(repository), { mode: 0o600 });
  await writeFile(hooksFile, hooks, { mode: 0o600 });
  // HEAD makes it a git dir, so it comes last, and at once.
  await writeFile(join(dir, "HEAD.new"), "ref: refs/heads/none\n", { mode: 0o600 });
  await rename(join(dir, "HEAD.new"), join(dir, "HEAD"));
  return { repository, dir, hooks, excludesFile: null, hidden: [] };
}

export function callShadow(shadow: Shadow, call: ShadowCall): Promise<GitOutput> {
  const { workTree, index, config = [], env, ...rest } = call;
  const { repository, dir, excludesFile } = shadow;
  const place = {
    GIT_DIR: dir,
    GIT_OBJECT_DIRECTORY: join(repository.commonDir, "objects"),
    GIT_WORK_TREE: workTree ?? dir,
    ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
    ...(repository.isShallow ? { GIT_SHALLOW_FILE: join(repository.commonDir, "shallow") } : {}),
    ...env,
  };
  // Own slots are whole: a fresh index in a sparse repository would record every absent file as deleted.
  const settings = [
    "core.sparseCheckout=false",
    ...(excludesFile === null ? [] : [`core.excludesFile=${excludesFile}`]),
  ];
  return repository.git({ ...rest, cwd: workTree ?? dir, env: place, config: [...settings, ...config] });
}

/** What is ours to decide, or would bring code or other places in. Included files are in the list already. */
const LEFT_OUT =
  /^(?:hook\.|include\.|includeif\.|core\.(?:bare|worktree|hookspath|fsmonitor|sparsecheckout|sparsecheckoutcone|repositoryformatversion)$|lfs\.storage$|extensions\.(?:refstorage|worktreeconfig|objectformat)$)/;

function frozenConfig({ config, objectFormat, commonDir }: Repository): string {
  const users = config.filter(
    ({ scope, key }) => (scope === "local" || scope === "worktree") && !LEFT_OUT.test(key),
  );
  const ours: Pick<ConfigEntry, "key" | "value">[] = [
    { key: "core.repositoryformatversion", value: "1" },
    { key: "core.bare", value: "false" },
    // Git LFS keeps its files below the git dir that it sees: those of the user's repository are meant.
    { key: "lfs.storage", value: resolve(commonDir, configValue(config, "lfs.storage") ?? "lfs") },
    ...(objectFormat === "sha256" ? [{ key: "extensions.objectformat", value: "sha256" }] : []),
  ];
  return formatConfig([...ours, ...users]);
}
