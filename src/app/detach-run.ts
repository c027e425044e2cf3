// A run in the background: created here, run by a process of its own, which ends with the run.

import { join } from "node:path";
import type { RunId } from "../core/ids.ts";
import { forRun, plait } from "../core/text/command.ts";
import { fix } from "../core/text/sentence.ts";
import { startDetached } from "../process/detach.ts";
import { systemClock } from "../util/clock.ts";
import { FAILURE_VARIABLE, readDriverFailure, removeDriverFailure } from "./driver-failure.ts";
import { askableDriver } from "./follow-run.ts";
import { type Host, type OrRefusal, type Refused, refuse } from "./host.ts";
import { findRun, type KnownRun } from "./runs.ts";

export type DetachedRun = { readonly pid: number; readonly log: string };

const LOOK_MS = 50;

export type DetachedDriver = {
  readonly run: RunId;
  readonly folder: string;
  readonly argv: readonly string[];
  /** How many facts the run has: an end among them is not the new process's. */
  readonly since: number;
};

/** Resolves when the new process accepts commands, or has ended. */
export async function driveDetached(
  host: Host,
  { run, folder, argv, since }: DetachedDriver,
): Promise<OrRefusal<DetachedRun>> {
  const log = join(folder, "driver.log");
  const failure = join(folder, "driver-failure.json");
  await removeDriverFailure(failure); // of a process before this one
  const env = { ...host.env, [FAILURE_VARIABLE]: failure };
  const started = await startDetached({ argv, cwd: host.cwd, env, log });
  if (!started.ok)
    return refuse(
      "environment",
      started.message,
      fix(
        "resume it in this terminal",
        forRun({ allowRoot: host.hasRootFlag === true }, plait("resume", run)),
      ),
    );
  let code: number | null | undefined;
  void started.exited.then((ended) => {
    code = ended;
  });
  for (;;) {
    const found = await findRun(host, run);
    if (!found.ok) return found;
    const { known } = found;
    if (hasEnded(known, since) || (await askableDriver(known))) return { ok: true, pid: started.pid, log };
    if (code !== undefined) {
      const last = await findRun(host, run); // the run may have ended just before its process did
      if (last.ok && hasEnded(last.known, since)) return { ok: true, pid: started.pid, log };
      return refuseEndedDriver(run, { failure, log, code });
    }
    await new Promise<void>((resolve) => void systemClock.setTimer(LOOK_MS, resolve));
  }
}

type EndedDriver = {
  readonly failure: string;
  readonly log: string;
  /** Null when a signal ended it. */
  readonly code: number | null;
};

async function refuseEndedDriver(run: RunId, { failure, log, code }: EndedDriver): Promise<Refused> {
  const read = `read the log: ${log}`;
  const found = await readDriverFailure(failure);
  if (found !== null)
    return refuse("environment", `cannot start ${run}: ${found.message}`, found.hint ?? read);
  const how = code === null ? "it was killed by a signal" : `it exited with code ${code}`;
  return refuse("environment", `cannot start ${run}: ${how}`, read);
}

const hasEnded = ({ state, facts }: KnownRun, since: number): boolean =>
  state.ended !== null && facts.length > since;
