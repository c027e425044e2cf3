// What goes with a worktree as long as it is leased, because worktrees that run beside each other must not share it: a number, a
// range of ports, names for a database and for containers. Set-up, agent, gates and teardown of a lease see the same, also
// after a crash: names follow from the run and the slot, the ports are written down before anybody is told of them.

import { createHash } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import type { RunId } from "../../core/ids.ts";
import type { Env } from "../../core/plan.ts";
import { type PortRange, rangeText } from "../../core/ports.ts";
import type { Lease } from "../../git/index.ts";
import { onErrno } from "../../util/errno.ts";
import type { Ports } from "./ports.ts";

export type SlotLeases = Awaited<ReturnType<typeof openSlotLeases>>;

type Options = { readonly run: RunId; readonly ports: Ports; readonly file: string };

/** `left` are the leases of an earlier driver. */
export async function openSlotLeases({ run, ports, file }: Options, left: readonly Lease[]) {
  /** By slot. */
  const noted = new Map<string, PortRange>();
  const before = await readNotes(file);
  for (const { slot } of left) {
    const range = before.get(slot.id);
    if (range === undefined) continue;
    await ports.keep(range);
    noted.set(slot.id, range);
  }
  let last: Promise<void> = Promise.resolve();

  /** The programs of a worktree start one after another, so nobody else asks for this slot meanwhile. */
  async function take(id: string): Promise<PortRange> {
    const { range, handOver } = await ports.lease();
    noted.set(id, range);
    const written = last.then(() => writeNotes(file, noted));
    last = written.catch(() => releaseWorktree(id));
    await written.finally(handOver);
    return range;
  }

  function releaseWorktree(id: string): void {
    const range = noted.get(id);
    if (range !== undefined) ports.releaseWorktree(range);
    noted.delete(id);
  }

  return {
    /** A program is about to start there: what it is told. From now on the ports are its own to listen on. */
    handOver: async ({ slot }: Lease): Promise<Env> => {
      const range = noted.get(slot.id) ?? (await take(slot.id));
      return slotEnv(run, Number(slot.id.split("-").at(-1)), range);
    },
    releaseWorktree: ({ slot }: Lease): void => releaseWorktree(slot.id),
    /** Keeps note of the ports of worktrees that stay leased, for the next driver. */
    close: async (stay: readonly Lease[]): Promise<void> => {
      await last;
      const ids = new Set(stay.map(({ slot }) => slot.id));
      if (![...noted.keys()].some((id) => ids.has(id))) await rm(file, { force: true });
      await rm(freshNotes(file), { force: true });
      await ports.close();
    },
  };
}

/** One name for what is on its way, as one driver writes one after another: what the killed left is found by it. */
const freshNotes = (file: string): string => `${file}.new`;

/** Whole or not at all, and on the disk. */
async function writeNotes(file: string, noted: ReadonlyMap<string, PortRange>): Promise<void> {
  await writeFile(freshNotes(file), `${JSON.stringify([...noted])}\n`, { mode: 0o600, flush: true });
  await rename(freshNotes(file), file);
}

async function readNotes(file: string): Promise<Map<string, PortRange>> {
  return new Map(JSON.parse(await readFile(file, "utf8").catch(onErrno({ ENOENT: "[]" })))); // written above, whole or not at all
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
