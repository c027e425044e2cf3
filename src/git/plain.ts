// git without any configuration: for looking at objects when the run is over and its shadow is gone. The repository's config
// may be an agent's work by then, and even a log can be told there to run a program (log.showSignature, gpg.program).

import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "./files.ts";
import type { Repository } from "./repository.ts";
import type { GitCall, GitOutput } from "./run.ts";

/** A call of git on the objects of the repository. */
export type PlainGit = (call: Pick<GitCall, "args" | "stdin" | "config" | "allow">) => Promise<GitOutput>;

/** A larger file "differs", as a binary one does. */
export const LARGE_FILE = "core.bigFileThreshold=16m";

/** Does something with a git dir that has the objects of the repository and nothing else, and removes it. */
export async function withPlainGit<T>(
  repository: Repository,
  work: (git: PlainGit) => Promise<T>,
): Promise<T> {
  const { git, commonDir, objectFormat, isShallow } = repository;
  const dir = await mkdtemp(join(tmpdir(), "plait-git-"));
  try {
    for (const folder of ["objects", "refs"]) await mkdir(join(dir, folder));
    const format = objectFormat === "sha256" ? "[extensions]\n\tobjectformat = sha256\n" : "";
    await writeFile(join(dir, "config"), `[core]\n\trepositoryformatversion = 1\n\tbare = true\n${format}`);
    await writeFile(join(dir, "HEAD"), "ref: refs/heads/none\n");
    const env = {
      GIT_DIR: dir,
      GIT_OBJECT_DIRECTORY: join(commonDir, "objects"),
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      ...(isShallow ? { GIT_SHALLOW_FILE: join(commonDir, "shallow") } : {}),
    };
    return await work((call) => git({ ...call, cwd: dir, env }));
  } finally {
    await removeFolder(dir);
  }
}
