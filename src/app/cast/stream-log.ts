// The log of a stream where CAST keeps it: what its agent said and did, readable, secrets masked. The attempts themselves are
// logged in the run folder; this is a copy that is brought up to date while the agent works.

import { constants } from "node:fs";
import { type FileHandle, lstat, open, rm } from "node:fs/promises";
import type { AttemptId } from "../../core/ids.ts";
import { runFolder } from "../../engines/local/run-folder.ts";
import { lastLines } from "../../process/tail.ts";
import type { TranscriptEntry } from "../../report/page/wire.ts";
import { systemClock, type Timer } from "../../util/clock.ts";
import { errnoOrThrow } from "../../util/errno.ts";
import { stampOf, tailTranscript } from "../transcript.ts";

export type StreamLog = {
  readonly path: string;
  /** Why there is none; null where there is. */
  readonly problem: string | null;
  /** Goes on with this attempt from now on. */
  readonly follow: (attempt: AttemptId) => void;
  /** It has ended; with how, where that is not said. */
  readonly finish: (attempt: AttemptId, note: string | null) => Promise<void>;
  readonly lastLines: (count: number) => readonly string[];
  readonly close: () => Promise<void>;
};

const LOOK_MS = 2_000;

/** `run` is the folder of the run. A log that cannot be written costs nothing but the log. */
export async function openStreamLog(path: string, run: string): Promise<StreamLog> {
  const { file, problem } = await freshFile(path);
  const folder = runFolder(run);
  let [before, now, seen] = ["", "", ""];
  let timer: Timer | null = null;
  let busy: Promise<void> = Promise.resolve();
  const look = async (attempt: AttemptId, note: string | null): Promise<void> => {
    const stamp = await stampOf(folder.transcript(attempt));
    if (stamp === seen && note === null) return;
    seen = stamp;
    const entries = await tailTranscript({ folder }, attempt)();
    const text = `${logText(entries)}${note === null ? "" : `${note}\n`}`;
    await bringUp(file, { from: before + now, to: before + text });
    now = text;
  };
  const inTurn = (step: () => Promise<void> | void): Promise<void> => {
    busy = busy.then(step).catch(() => undefined); // a full disk, a folder that went away
    return busy;
  };
  const again = (attempt: AttemptId): void => {
    const own = systemClock.setTimer(
      LOOK_MS,
      // Another attempt may be followed by then.
      () => void inTurn(() => look(attempt, null)).then(() => timer === own && again(attempt)),
    );
    timer = own;
  };
  /** What is still to be written of the attempt before comes first. */
  const turnPage = (): void => {
    [before, now, seen] = [before + now, "", ""];
  };
  const rest = (): void => {
    timer?.cancel();
    timer = null;
  };
  return {
    path,
    problem,
    follow: (attempt) => {
      rest();
      void inTurn(turnPage);
      again(attempt);
    },
    finish: (attempt, note) => {
      rest();
      return inTurn(() => look(attempt, note));
    },
    lastLines: (count) => lastLines(before + now, count),
    close: async () => {
      rest();
      await busy;
      await file?.close();
    },
  };
}

/** A new file for us alone. In a folder that all may write to, a link could lead anywhere: it is not followed. */
async function freshFile(path: string): Promise<{ file: FileHandle | null; problem: string | null }> {
  try {
    const found = await lstat(path).catch(() => null); // not there: as it should be
    if (found !== null && !found.isFile()) return { file: null, problem: "it is not a file" };
    await rm(path, { force: true });
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL;
    return { file: await open(path, flags, 0o600), problem: null };
  } catch (error) {
    const errno = errnoOrThrow(error);
    return { file: null, problem: `cannot write it (${errno})` };
  }
}

/** Adds what is new; where the middle of a long transcript went meanwhile, all is written again. */
async function bringUp(file: FileHandle | null, { from, to }: { from: string; to: string }): Promise<void> {
  if (file === null || from === to) return;
  const isMore = to.startsWith(from);
  if (!isMore) await file.truncate(0);
  await file.write(isMore ? to.slice(from.length) : to, isMore ? Buffer.byteLength(from) : 0);
}

/** As `claude -p` prints, and which tools were used. */
function logText(entries: readonly TranscriptEntry[]): string {
  return entries
    .flatMap(linesOf)
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

function linesOf(entry: TranscriptEntry): string[] {
  switch (entry.kind) {
    case "text":
    case "note":
    case "noise":
      return [entry.text];
    case "tool":
      return [`> ${entry.name}${entry.target === null ? "" : ` ${entry.target}`}`];
    case "denied":
      return [`> ${entry.tool} was refused`];
    case "cut":
      return [`… ${entry.bytes} bytes are left out here`];
    default:
      return [];
  }
}

/** One file a plan and stream; what a name of a file cannot hold is replaced. */
export function streamLogName(planId: string, planFile: string, stream: "a" | "b"): string {
  const bare = planFile.replace(/^.*[/\\]/, "").replace(/(?<=.)\.[^.]*$/, "");
  const safe = (planId.trim() === "" ? bare : planId)
    .replaceAll(/[/\\\p{Cc}]+/gu, "-")
    .slice(0, LONGEST_NAME);
  return `cast-parallel-${safe}-stream-${stream}.log`;
}

const LONGEST_NAME = 100;
