// A run in the background: begun here, driven by a process of its own, which ends with the run.

import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { RunId } from "../core/ids.ts";
import { startDetached } from "../process/detach.ts";
import { systemClock } from "../util/clock.ts";
import { driverWords } from "./driver-words.ts";
import { askableDriver } from "./follow-run.ts";
import { type Host, type OrRefusal, refuse } from "./host.ts";
import { findRun, type KnownRun } from "./runs.ts";

export type DetachedRun = { readonly pid: number; readonly log: string };

const LOOK_MS = 50;

export type DetachedDriver = {
  readonly run: RunId;
  readonly folder: string;
  /** Drives the run. */
  readonly argv: readonly string[];
  /** How many facts the run has: an end that is among them is not the new driver's. */
  readonly since: number;
};

/** Answers when the new driver can be asked, or has ended. */
export async function driveDetached(
  host: Host,
  { run, folder, argv, since }: DetachedDriver,
): Promise<OrRefusal<DetachedRun>> {
  const log = join(folder, "driver.log");
  const said = (await stat(log).catch(() => null))?.size ?? 0; // by drivers before it
  const started = await startDetached({ argv, cwd: host.cwd, env: host.env, log });
  if (!started.ok) return refuse("environment", started.message, `go on with it here: plait resume ${run}`);
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
      const last = await findRun(host, run); // it may have come to its end between the look and its exit
      if (last.ok && hasEnded(last.known, since)) return { ok: true, pid: started.pid, log };
      const { why, hint } = await driverWords({ log, from: said, code });
      return refuse("environment", `the driver ended at once${why}`, hint);
    }
    await new Promise<void>((resolve) => void systemClock.setTimer(LOOK_MS, resolve));
  }
}

const hasEnded = ({ state, facts }: KnownRun, since: number): boolean =>
  state.ended !== null && facts.length > since;
