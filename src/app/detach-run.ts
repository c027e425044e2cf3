// A run in the background: begun here, driven by a process of its own, which ends with the run.

import { join } from "node:path";
import type { RunId } from "../core/ids.ts";
import { startDetached } from "../process/detach.ts";
import { systemClock } from "../util/clock.ts";
import { askableDriver } from "./follow-run.ts";
import { type Host, type OrRefusal, refuse } from "./host.ts";
import { findRun } from "./runs.ts";

export type DetachedRun = { readonly pid: number; readonly log: string };

const LOOK_MS = 50;

/** `argv` resumes the run. Answers when the new driver can be asked, or has ended. */
export async function driveDetached(
  host: Host,
  { run, folder, argv }: { readonly run: RunId; readonly folder: string; readonly argv: readonly string[] },
): Promise<OrRefusal<DetachedRun>> {
  const log = join(folder, "driver.log");
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
    const isOver = known.state.ended !== null;
    if (isOver || (await askableDriver(known))) return { ok: true, pid: started.pid, log };
    if (code !== undefined) {
      const last = await findRun(host, run); // it may have come to its end between the look and its exit
      if (last.ok && last.known.state.ended !== null) return { ok: true, pid: started.pid, log };
      return refuse("environment", `the driver ended at once, with exit code ${code}`, `read why: ${log}`);
    }
    await new Promise<void>((resolve) => void systemClock.setTimer(LOOK_MS, resolve));
  }
}
