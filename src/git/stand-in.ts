// plait's own repository, which stands in where a folder is in none: one a user, bare, with one commit that holds no file. The
// runs of such folders have their refs here, so that a run is a run wherever it takes place. Nothing of the user's is ever in it.

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorText } from "../util/errno.ts";
import { identityEnvironment } from "./commit.ts";
import { exists } from "./files.ts";
import { OWN_IDENTITY, openRepository, type Repository } from "./repository.ts";
import { type Git, textOf } from "./run.ts";

export type StandIn = {
  /** Where it lies. */
  readonly dir: string;
  /** The folder that it stands in for. */
  readonly folder: string;
};

/** Null where nobody has made it yet. */
export async function findStandIn(git: Git, { dir, folder }: StandIn): Promise<Repository | null> {
  if (!(await exists(dir))) return null;
  const opened = await openRepository(allowBare(git), dir);
  return opened.ok ? { ...opened.repository, standsInFor: folder } : null;
}

export type MadeStandIn =
  | { readonly ok: true; readonly repository: Repository }
  | { readonly ok: false; readonly problem: string };

/** Finds it, or makes it. Made again, or by two at once, it comes out the same: so it may be cut off anywhere. */
export async function makeStandIn(git: Git, wanted: StandIn): Promise<MadeStandIn> {
  try {
    const found = await findStandIn(git, wanted);
    if (found === null) await fill(allowBare(git), wanted.dir);
    else await collect(found);
    const repository = found ?? (await findStandIn(git, wanted));
    return repository === null ? { ok: false, problem: "it is unreadable" } : { ok: true, repository };
  } catch (error) {
    return { ok: false, problem: errorText(error) };
  }
}

async function fill(git: Git, dir: string): Promise<void> {
  const top = dirname(dir);
  await mkdir(top, { recursive: true, mode: 0o700 });
  await git({ args: ["init", "-q", "--bare", "-b", "main", "--template=", dir], cwd: top });
  const tree = textOf(await git({ args: ["mktree"], cwd: dir, stdin: "" }));
  const args = ["commit-tree", "-m", "Refs of runs in folders without a repository", tree];
  const commit = textOf(await git({ args, cwd: dir, env: NOBODY, durable: true }));
  await git({ args: ["update-ref", "refs/heads/main", commit], cwd: dir, durable: true });
}

/** The same commit whoever makes it, and whenever. */
const NOBODY = identityEnvironment({ ...OWN_IDENTITY, date: "@0 +0000" });

/** Nobody else tidies up here: each attempt leaves a commit, and git drops those that no run refers to any more (I10). */
async function collect({ git, commonDir }: Repository): Promise<void> {
  const config = ["gc.auto=1000", "gc.autoDetach=false"];
  await git({ args: ["gc", "--auto", "--quiet"], cwd: commonDir, config }).catch(() => undefined); // the next run tries again
}

/** A user may have told git not to believe bare repositories that it comes across: this one is meant. */
function allowBare(git: Git): Git {
  return (call) => git({ ...call, config: ["safe.bareRepository=all", ...(call.config ?? [])] });
}

/** Fills an empty folder and commits it on the branch `main`. */
export async function makeRepository(
  git: Git,
  folder: string,
  files: { readonly [path: string]: string },
): Promise<void> {
  await git({ args: ["init", "-q", "-b", "main", "--template="], cwd: folder });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const config = ["user.name=plait demo", "user.email=demo@localhost"];
  await git({ args: ["add", "-A"], cwd: folder });
  await git({ args: ["commit", "-q", "-m", "Start of the demo"], cwd: folder, config });
}
