import { createHash } from "node:crypto";
import type { RunId } from "../../core/ids.ts";
import type { Env } from "../../core/plan.ts";
import { type PortRange, rangeText } from "../../core/ports.ts";

/** A number that no other worktree in use of the run has. */
export function slotNumber({ id }: { readonly id: string }): number {
  return Number(id.split("-").at(-1));
}

/** What a worktree has for itself as long as it is leased, in the words that programs know. */
export function slotEnv(run: RunId, slot: number, ports: PortRange): Env {
  const name = plainName(run);
  return {
    PLAIT_SLOT: String(slot),
    PLAIT_PORT: String(ports.from),
    PLAIT_PORTS: rangeText(ports),
    PLAIT_DB: `plait_${name.replaceAll("-", "_")}_${slot}`,
    COMPOSE_PROJECT_NAME: `plait-${name}-${slot}`,
  };
}

/** Postgres cuts names after 63 bytes; this leaves room for what stands around it. */
const LONGEST = 48;

/**
 * Small letters, digits and dashes are right everywhere. A run id that has others, or is long, gets a digest, so that two
 * of them never come out as one.
 */
function plainName(run: RunId): string {
  if (run.length <= LONGEST && /^[a-z0-9-]+$/.test(run)) return run;
  const digest = createHash("sha256").update(run).digest("hex").slice(0, 12);
  const plain = run.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return `${plain.slice(0, LONGEST - 1 - digest.length)}-${digest}`;
}
