// The shadow: a git dir of our own with the user's configuration as it was at the start, the objects of the repository, and
// nothing else of it. What needs only objects, index and files goes through it, so nothing that an agent plants in the
// shared config, in hooks or in the worktree's own metadata is read, let alone run.
//
// It lies under the common dir because the user's `includeIf gitdir:` must go on matching.

import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { findHooksFolder } from "./as-user.ts";
import { exists, readFileOrNull, replaceFile } from "./files.ts";
import type { Start } from "./fingerprint.ts";
import { freezeConfig, USER_CONFIG, type UserEnvironment } from "./frozen-config.ts";
import { type FrozenFiles, putFrozenBack, replaceFrozen } from "./frozen-files.ts";
import type { Repository } from "./repository.ts";
import type { Git, GitCall, GitOutput } from "./run.ts";

export type Shadow = {
  /** Its git sees the frozen configuration of the user, whatever is called. */
  readonly repository: Repository;
  readonly dir: string;
  readonly frozen: FrozenFiles;
  /** Where objects are read and written; left out: in the repository. */
  readonly objects?: string;
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
  "args" | "stdin" | "stdinFile" | "allow" | "durable" | "config" | "env" | "timeoutMs"
> & {
  readonly workTree?: string;
  readonly index?: string;
};

type ShadowSource = {
  /** Where the user's own git files are looked for; used where the shadow is made. */
  readonly env?: UserEnvironment;
  /** Of the start of the run: what it names is put back as it was, from the copies. */
  readonly start?: Start;
};

/** Made once a run: a second opening finds it as it was, whatever the config says by then. */
export async function openShadow(
  repository: Repository,
  runDir: string,
  { env = {}, start = { fingerprint: {}, keptIn: "" } }: ShadowSource = {},
): Promise<Shadow> {
  const dir = join(runDir, "shadow.git");
  const isMade = (await exists(join(dir, HEAD))) && (await exists(join(dir, LIST)));
  if (!isMade) await makeShadow(repository, dir, env);
  await restoreStart(dir, start);
  const frozen: FrozenFiles = { folder: dir, texts: await readFrozen(dir), repaired: new Set() };
  const hooks = frozen.texts.get(HOOKS_FOLDER)?.toString() ?? "";
  const own = { repository: { ...repository, git: frozenGit(repository, frozen) }, dir, frozen };
  return { ...own, hooks, excludesFile: null, hidden: [] };
}

const HOOKS_FOLDER = "hooks-folder";
/** Makes it a git dir, so it comes last, and at once. */
const HEAD = "HEAD";

async function makeShadow(repository: Repository, dir: string, env: UserEnvironment): Promise<void> {
  for (const folder of ["objects", "refs", "info"]) {
    await mkdir(join(dir, folder), { recursive: true, mode: 0o700 });
  }
  const texts = await freezeConfig(repository, { folder: dir, env });
  texts.set(HOOKS_FOLDER, Buffer.from(await findHooksFolder(repository)));
  for (const [name, text] of texts) await replaceFile(join(dir, name), text);
  await replaceFile(join(dir, LIST), [...texts.keys(), LIST, HEAD].join("\n"));
  await replaceFile(join(dir, HEAD), "ref: refs/heads/none\n");
}

/** Which files of it are frozen: a line each. */
const LIST = "frozen";

async function readFrozen(dir: string): Promise<Map<string, Buffer>> {
  const names = (await readFile(join(dir, LIST), "utf8")).split("\n");
  const texts = await Promise.all(
    names.map(async (name) => [name, await readFile(join(dir, name))] as const),
  );
  return new Map(texts);
}

/** Nobody kept watch while no driver lived: the journal says what each file was, and its copy is named by that. */
async function restoreStart(dir: string, { fingerprint, keptIn }: Start): Promise<void> {
  for (const [path, was] of Object.entries(fingerprint)) {
    if (!path.startsWith(`${dir}/`)) continue;
    const now = await readFileOrNull(path).catch(() => null);
    if (now !== null && hashFrozen(now) === was) continue;
    const copy = await readFileOrNull(join(keptIn, was));
    if (copy !== null && hashFrozen(copy) === was) replaceFrozen(path, copy);
  }
}

const hashFrozen = (text: Buffer): string => createHash("sha256").update(text).digest("hex");

/** Paths of the frozen files, for the fingerprint of the start. */
export const frozenPaths = ({ frozen: { folder, texts } }: Shadow): string[] =>
  [...texts.keys()].map((name) => join(folder, name));

function frozenGit({ git }: Repository, frozen: FrozenFiles): Git {
  const own = { GIT_CONFIG_GLOBAL: join(frozen.folder, USER_CONFIG), GIT_CONFIG_NOSYSTEM: "1" };
  return async (call) => {
    putFrozenBack(frozen);
    return git({ ...call, env: { ...own, ...call.env } });
  };
}

export function callShadow(shadow: Shadow, call: ShadowCall): Promise<GitOutput> {
  const { workTree, index, config = [], env, ...rest } = call;
  const { repository, dir, excludesFile } = shadow;
  const place = {
    GIT_DIR: dir,
    GIT_OBJECT_DIRECTORY: shadow.objects ?? join(repository.commonDir, "objects"),
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
