// A repository of our own, for the demo: made, filled and committed, without a look at the user's templates and hooks.

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Git } from "./run.ts";

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
