// History to read: how the strands of a run came together.

import type { Oid } from "../core/ids.ts";
import { cut } from "./diff-text.ts";
import type { CutText } from "./fair-cut.ts";
import { withPlainGit } from "./plain.ts";
import type { Repository } from "./repository.ts";
import { linesOf, textOf } from "./run.ts";

/** The commits of `to` that `from` has not. */
export type Range = { readonly from: Oid; readonly to: Oid };

export function countCommits(repository: Repository, { from, to }: Range): Promise<number> {
  return withPlainGit(repository, async (git) =>
    Number(textOf(await git({ args: ["rev-list", "--count", `${from}..${to}`] }))),
  );
}

/** The newest commits, one line each: `8d1c3f0 Add search`. */
export function listCommits(repository: Repository, { from, to }: Range, most: number): Promise<string[]> {
  return withPlainGit(repository, async (git) =>
    linesOf(await git({ args: ["log", "--format=%h %s", "-n", String(most), `${from}..${to}`] })),
  );
}

/** One line a commit, newest first, with the lines that join them. */
export function logGraph(
  repository: Repository,
  { from, to }: Range,
  { maxBytes = 64 * 1024, color = false } = {},
): Promise<CutText> {
  const shape = ["--graph", "--oneline", `--color=${color ? "always" : "never"}`];
  return withPlainGit(repository, async (git) =>
    cut((await git({ args: ["log", ...shape, "-n", "10000", `${from}..${to}`] })).stdout, maxBytes),
  );
}
