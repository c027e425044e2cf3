// The last commit with its history in a repository of its own, for who only looks: the objects are the user's, borrowed and never
// written; files, index, refs and config are its own. So nothing that is done there is seen in the user's repository (I3).

import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Repository } from "./repository.ts";

/** Fills an empty folder; throws a GitError where the files cannot be had, as in a partial clone. It has no remote. */
export async function cloneHead(repository: Repository, folder: string): Promise<void> {
  const { git, commonDir, objectFormat, isShallow, head } = repository;
  const branch = head.kind === "branch" ? head.ref.replace(/^refs\/heads\//, "") : "main";
  const init = ["init", "-q", "--template=", `--object-format=${objectFormat}`, "-b", branch];
  await git({ args: init, cwd: folder });
  const own = join(folder, ".git");
  await mkdir(join(own, "objects", "info"), { recursive: true });
  await writeFile(join(own, "objects", "info", "alternates"), `${join(commonDir, "objects")}\n`);
  if (isShallow) await copyFile(join(commonDir, "shallow"), join(own, "shallow"));
  await git({ args: ["update-ref", "HEAD", head.at.commit], cwd: folder });
  // Files in Git LFS stay pointers: their server is not asked for what is only looked at.
  await git({ args: ["reset", "-q", "--hard"], cwd: folder, env: { GIT_LFS_SKIP_SMUDGE: "1" } });
}
