// Port ranges of this machine, given to the worktrees of a run. Before a range is given away it is ours in two ways: by locks,
// which other runs of the user respect and which die with this process; and by listening on each of its ports, which shows
// that nobody else does. The listening ends when the range is handed over to the program that is started, the locks when
// the run ends, so a range that comes back is used again without taking any.
//
// Runs may count their ports differently, so what is locked are blocks of ten, and a range takes all blocks that it touches.

import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { type PortRange, type PortSettings, rangesIn, rangeText } from "../../core/ports.ts";
import { probe } from "../../journal/holder.ts";
import { acquireLock, type HeldLock } from "../../journal/lock.ts";
import { readHolder } from "../../journal/lock-file.ts";
import { errnoOf } from "../../util/errno.ts";
import { createMutex } from "../../util/mutex.ts";

export type PortsOptions = {
  readonly settings: PortSettings;
  /** Where the locks of all runs of the user lie. */
  readonly folder: string;
  /** Runs begin to look at different places: a range that another run has costs more to find out than a free one to take. */
  readonly run: string;
};

/** Nobody listens there but we. */
export type HeldRange = { readonly range: PortRange; readonly handOver: () => Promise<void> };

export type Ports = ReturnType<typeof openPorts>;

/** Another range cannot be had; `inTheWay` is what was found first where one could be. */
export class NoFreePorts extends Error {
  readonly inTheWay: string;

  constructor(settings: PortSettings, inTheWay: string) {
    const what = `no ${settings.count} free ports in a row left in ${rangeText(settings)}`;
    super(`${what}: ${inTheWay}; ${PORTS_HINT}`);
    this.inTheWay = inTheWay;
  }
}

export const PORTS_HINT =
  "free ports (to see which are in use: ss -ltnp), or set others in the plan: ports: { from, to }";

export function openPorts({ settings, folder, run }: PortsOptions) {
  const locks = blockLocks(folder);
  const taken = new Map<number, PortRange>();
  const returned: PortRange[] = [];
  let next = createHash("sha256").update(run).digest().readUInt32BE();
  /** One at a time: whoever asks sees what the one before took. */
  const inTurn = createMutex();

  async function lease(): Promise<HeldRange> {
    let inTheWay = "";
    for (const range of candidates()) {
      if ([...taken.values()].some((one) => one.from <= range.to && range.from <= one.to)) continue;
      const holder = await locks.take(range);
      const held = holder === null ? await hold(range) : null;
      if (held !== null && "servers" in held) {
        taken.set(range.from, range);
        return { range, handOver: () => closeAll(held.servers) };
      }
      inTheWay ||=
        held === null ? `${rangeText(range)} are used by ${holder}` : `port ${held.busy} is in use`;
    }
    throw new NoFreePorts(settings, inTheWay === "" ? "this run uses them all" : inTheWay);
  }

  /** First those that came back, then all, beginning behind the one that was taken last. */
  function* candidates(): Generator<PortRange> {
    for (let range = returned.pop(); range !== undefined; range = returned.pop()) yield range;
    const all = rangesIn(settings);
    for (let tries = 0; tries < all; tries += 1) {
      const from = settings.from + (next % all) * settings.count;
      next += 1;
      yield { from, to: from + settings.count - 1 };
    }
  }

  return {
    /** Throws `NoFreePorts` when a whole round has found none. */
    lease: () => inTurn(lease),
    /** Known from an earlier driver of the run: nobody else gets it as long as that can be helped. */
    keep: (range: PortRange): Promise<void> =>
      inTurn(async () => {
        taken.set(range.from, range);
        await locks.take(range);
      }),
    releaseWorktree: (range: PortRange): void => {
      if (taken.delete(range.from)) returned.push(range);
    },
    /** Whoever wants ports now may have all of these. */
    close: () => inTurn(locks.release),
  };
}

const BLOCK = 10;

function blockLocks(folder: string) {
  const locks = new Map<number, HeldLock>();
  return {
    /** Null when all are ours, else who has one. */
    take: async (range: PortRange): Promise<string | null> => {
      for (const block of blocksOf(range)) {
        if (locks.has(block)) continue;
        const taken = await acquireLock(join(folder, `${block * BLOCK}.lock`), COMMAND);
        if (taken.ok) locks.set(block, taken.lock);
        else return taken.refusal.reason === "held" ? `process ${taken.refusal.holder.pid}` : "another run";
      }
      return null;
    },
    release: async (): Promise<void> => {
      for (const lock of locks.values()) await lock.release();
      locks.clear();
      await removeDeadLocks(folder);
    },
  };
}

const COMMAND = { command: "plait: ports" };

function* blocksOf({ from, to }: PortRange): Generator<number> {
  for (let block = Math.floor(from / BLOCK); block * BLOCK <= to; block += 1) yield block;
}

/** A run that was killed leaves its locks; they hold nobody up, and are swept up by the next that ends well. */
async function removeDeadLocks(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!/^\d+\.lock$/.test(name)) continue;
    const path = join(folder, name);
    const found = await readHolder(path);
    if (found.kind !== "holder" || (await probe(found.holder)).kind !== "dead") continue;
    const taken = await acquireLock(path, COMMAND);
    if (taken.ok) await taken.lock.release();
  }
}

/** Any address of the machine; on macOS a service on one address does not keep others from all. */
const ADDRESSES = process.platform === "darwin" ? ["0.0.0.0", "::", "127.0.0.1", "::1"] : ["0.0.0.0", "::"];

type Held = { readonly servers: readonly Server[] } | { readonly busy: number };

async function hold({ from, to }: PortRange): Promise<Held> {
  const servers: Server[] = [];
  for (let port = from; port <= to; port += 1) {
    for (const host of ADDRESSES) {
      const server = await listen(port, host);
      if (server === "busy") {
        await closeAll(servers);
        return { busy: port };
      }
      if (server !== null) servers.push(server);
    }
  }
  return { servers };
}

/** Null where there is no such address, or nobody may listen: then nobody does. */
function listen(port: number, host: string): Promise<Server | "busy" | null> {
  return new Promise((resolve) => {
    const server = createServer((stranger) => stranger.destroy());
    server.once("error", (error) => {
      resolve(errnoOf(error) === "EADDRINUSE" ? "busy" : null);
    });
    server.listen({ port, host, exclusive: true, ipv6Only: true }, () => resolve(server.unref()));
  });
}

async function closeAll(servers: readonly Server[]): Promise<void> {
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
}
