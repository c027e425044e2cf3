// What lies beside the facts of a run, for who looks at one attempt while the run goes on: its log as it grows, what it changed,
// what it was told.

import { open } from "node:fs/promises";
import type { AttemptId } from "../core/ids.ts";
import type { RunView } from "../core/run-view.ts";
import { runFolder } from "../engines/local/run-folder.ts";
import { ifMissing } from "../util/errno.ts";
import { terminalText } from "../util/terminal-text.ts";
import { type Host, type OrRefusal, refuse } from "./host.ts";
import { type LogItem, readLog } from "./read-log.ts";
import { runMask } from "./run-mask.ts";
import { type KnownRun, LIST_RUNS, readRun, repositoryOfRuns } from "./runs.ts";
import { type TaskDiff, taskDiff } from "./task-files.ts";

export type RunTexts = {
  /** From its beginning, and on until the attempt is over or nobody wants to know any more. */
  readonly log: (
    attempt: AttemptId,
    hear: { readonly show: (item: LogItem) => void; readonly signal: AbortSignal },
  ) => Promise<OrRefusal<unknown>>;
  /** Masked, as the log beside it is: a screen is looked at by others too, and is no patch (I13). */
  readonly diff: (attempt: AttemptId) => Promise<OrRefusal<TaskDiff>>;
  /** As a terminal may show it; null where it was given none, or none is kept. */
  readonly prompt: (attempt: AttemptId) => Promise<string | null>;
};

/** More than anybody reads at a terminal. */
const MOST_BYTES = 1024 * 1024;

export function runTexts(host: Host, { run, folder: path }: Pick<RunView, "run" | "folder">): RunTexts {
  const known = async (): Promise<OrRefusal<{ known: KnownRun }>> => {
    const read = await readRun(path, run);
    if (read !== null) return { ok: true, known: read };
    return refuse("environment", `the folder of ${run} is missing: ${path}`, LIST_RUNS);
  };
  return {
    log: async (attempt, { show, signal }) => {
      const found = await known();
      if (!found.ok) return found;
      await readLog(found.known, { attempt, follow: true, goOn: false, raw: null, show, signal });
      return { ok: true };
    },
    diff: async (attempt) => {
      const [found, place] = [await known(), await repositoryOfRuns(host)];
      if (!found.ok) return found;
      if (!place.ok) return place;
      const of = { known: found.known, repository: place.repository };
      const mask = await runMask(host, { repository: place.repository, folder: found.known.folder });
      return taskDiff(of, attempt, { maxBytes: MOST_BYTES, stat: false, mask });
    },
    prompt: async (attempt) => startOf(runFolder(path).prompt(attempt)),
  };
}

async function startOf(path: string): Promise<string | null> {
  const file = await open(path, "r").catch(ifMissing(null));
  if (file === null) return null;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, 0);
    return terminalText(buffer.toString("utf8", 0, bytesRead));
  } finally {
    await file.close();
  }
}
