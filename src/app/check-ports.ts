// Ports that somebody asked for are looked at before a run is made: that they are too few, or in use by another program, is
// better known now than when the third agent starts. Those that plait chooses itself are so many that it finds some.

import type { Policy } from "../core/facts.ts";
import type { RunId } from "../core/ids.ts";
import type { Plan } from "../core/plan.ts";
import {
  findPortsShortage,
  formatPortsFix,
  formatPortsProblem,
  rangesNeeded,
  rangeText,
} from "../core/ports.ts";
import { NoFreePorts, openPorts, PORTS_HINT } from "../engines/local/ports.ts";
import { type Host, portLocks, type Refusal } from "./host.ts";

type Asked = { readonly plan: Plan; readonly policy: Policy };

/** Null when as many worktrees as may be in use at once can have theirs. Nothing is left of the look. */
export async function portsRefusal(
  host: Host,
  run: RunId,
  { plan: { ports: settings }, policy }: Asked,
): Promise<Refusal | null> {
  if (settings === null) return null;
  const shortage = findPortsShortage(settings, policy.slots);
  if (shortage !== null)
    return { kind: "request", message: formatPortsProblem(shortage), hint: formatPortsFix(shortage) };
  const needed = rangesNeeded(policy.slots);
  let free = 0;
  const ports = openPorts({ settings, folder: portLocks(host), run });
  try {
    for (; free < needed; free += 1) await (await ports.lease()).handOver();
    return null;
  } catch (error) {
    if (!(error instanceof NoFreePorts)) throw error;
    const message = `the ports ${rangeText(settings)} are free for ${free} worktrees of ${settings.count} ports, and up to ${needed} are in use at once: ${error.inTheWay}`;
    return { kind: "environment", message, hint: PORTS_HINT };
  } finally {
    await ports.close();
  }
}
