// Reflogs: where a ref has been. Read from the files that git keeps them in, which costs nothing; asked of git where refs
// are stored another way.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Oid, oid } from "../core/ids.ts";
import { ifMissing } from "../util/errno.ts";
import { isGitFailure } from "./failure.ts";
import { splitOnce } from "./raw-path.ts";
import type { Repository } from "./repository.ts";
import { linesOf } from "./run.ts";

/** One move of a ref. */
export type LogEntry = { readonly from: Oid; readonly to: Oid; readonly message: string };

/** Every value that a shared ref has had, oldest first. */
export async function readLog(repository: Repository, ref: string): Promise<Oid[]> {
  return (await readLogEntries(repository, repository.commonDir, ref)).map(({ to }) => to);
}

/** `gitDir` is the common dir for shared refs, the metadata folder for a worktree's HEAD. */
export async function readLogEntries(
  repository: Repository,
  gitDir: string,
  ref: string,
): Promise<LogEntry[]> {
  if (repository.refStorage !== "files") return askGit(repository, gitDir, ref);
  const text = await readFile(join(gitDir, "logs", ref), "utf8").catch(ifMissing(""));
  return parseLog(text);
}

/** The text of a log, oldest first. */
export function parseLog(text: string): LogEntry[] {
  return text.split("\n").flatMap(parseLine);
}

function parseLine(line: string): LogEntry[] {
  const [, from, to, message = ""] =
    /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\t]*(?:\t(.*))?$/.exec(line) ?? [];
  return from === undefined || to === undefined ? [] : [{ from: oid(from), to: oid(to), message }]; // a torn line is none
}

async function askGit({ git, commonDir }: Repository, gitDir: string, ref: string): Promise<LogEntry[]> {
  const args = ["reflog", "show", "--format=%H %gs", ref, "--"];
  try {
    const lines = linesOf(await git({ args, cwd: commonDir, env: { GIT_DIR: gitDir } })).toReversed();
    const moves = lines.map((line) => splitOnce(line, " "));
    return moves.map(([to, message], i) => ({ from: oid(moves[i - 1]?.[0] ?? to), to: oid(to), message }));
  } catch (error) {
    if (!isGitFailure(error, "not-found")) throw error;
    return []; // there is no such ref
  }
}
