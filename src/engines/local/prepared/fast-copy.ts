// Whole folders by the system's own programs, on another core: the driver has other work meanwhile.

import { dirname, join } from "node:path";
import type { RunId } from "../../../core/ids.ts";
import type { Env } from "../../../core/plan.ts";
import { type Repository, repositoryFolder } from "../../../git/index.ts";
import { uniqueMarker } from "../../../process/markers.ts";
import { createMasker } from "../../../process/mask/masker.ts";
import { runCommand } from "../../../process/run-command.ts";
import type { Lifeline } from "../../../process/supervise.ts";
import type { Clock } from "../../../util/clock.ts";
import { LISTING_FORMAT } from "./listing.ts";

/** Where copies of folders are that no worktree has: beside the worktrees, so that a rename brings one there. */
export function preparedFolder(worktrees: string, { commonDir }: Repository): string {
  return join(dirname(worktrees), "prepared", repositoryFolder(commonDir));
}

type Running = {
  readonly run: RunId;
  readonly env: Env;
  /** Nothing is started before it is there. */
  readonly lifeline: Promise<Lifeline>;
  readonly clock: Clock;
};

/** Bytes are shared where the file system can. */
const COPY = process.platform === "darwin" ? ["cp", "-cRp"] : ["cp", "-a", "--reflink=auto"];

const TIMEOUT_MS = 30 * 60_000;

/** Of a listing; a larger folder is walked. */
const MOST_LISTED_BYTES = 64 * 1024 ** 2;

export type FastPrograms = ReturnType<typeof fastPrograms>;

type Starting = { readonly stdoutBytes?: number; readonly signal?: AbortSignal };

export function fastPrograms({ run, env, lifeline, clock }: Running) {
  const masker = createMasker([]);
  let mayList = process.platform === "linux";
  const start = async (argv: readonly string[], cwd: string, options: Starting) =>
    runCommand(
      { command: { kind: "argv", argv: [...argv] }, cwd, env },
      {
        ...{ masker, lifeline: await lifeline, clock, runMarker: run, worktree: cwd, timeoutMs: TIMEOUT_MS },
        ...{ marker: uniqueMarker(run, "copy"), ...options },
      },
    );
  return {
    /** False where there is no such program, it does not know a flag, or it was ended; whoever asked copies file by file then. */
    copyFast: async (from: string, to: string, signal?: AbortSignal): Promise<boolean> => {
      const end = await start([...COPY, from, to], dirname(to), { ...(signal && { signal }) });
      return end.kind === "ended" && end.exit.code === 0;
    },
    /** Null in the same cases; see listing.ts. */
    listFast: async (folder: string): Promise<string | null> => {
      if (!mayList) return null;
      const argv = ["find", folder, "-mindepth", "1", "-printf", LISTING_FORMAT];
      const end = await start(argv, dirname(folder), { stdoutBytes: MOST_LISTED_BYTES });
      mayList = end.kind === "ended";
      return end.kind === "ended" && end.exit.code === 0 ? end.stdout : null;
    },
  };
}
