import type { Fact } from "../../src/core/facts.ts";
import type { Random } from "./random.ts";
import type { Timeline } from "./timeline.ts";

/**
 * The journal as a disk keeps it. An append is durable when its sync is complete, and only then does its writer hear of
 * it. A crash keeps any prefix of what was not synced yet: the disk may have written it, or torn it, or never seen it.
 */
export type Disk = {
  readonly durable: readonly Fact[];
  readonly append: (fact: Fact, whenDurable: () => void) => void;
  readonly hasPending: () => boolean;
  readonly crash: () => void;
};

type Pending = { readonly fact: Fact; readonly whenDurable: () => void };

export type DiskOptions = {
  readonly timeline: Timeline;
  readonly random: Random;
  readonly syncMs: readonly [low: number, high: number];
  /** Told of each fact as it becomes durable, before its writer is. */
  readonly onDurable: (fact: Fact) => void;
};

export function makeDisk({ timeline, random, syncMs, onDurable }: DiskOptions): Disk {
  const durable: Fact[] = [];
  let pending: Pending[] = [];
  let syncing = false;
  let life = 0;
  const keep = (fact: Fact): void => {
    durable.push(fact);
    onDurable(fact);
  };
  const sync = (): void => {
    const batch = pending.length;
    const mine = life;
    syncing = true;
    timeline.after(random.int(...syncMs), () => {
      if (mine !== life) return;
      for (let i = 0; i < batch; i += 1) {
        const { fact, whenDurable } = pending.shift()!;
        keep(fact);
        whenDurable();
      }
      syncing = false;
      if (pending.length > 0) sync();
    });
  };
  return {
    durable,
    append: (fact, whenDurable) => {
      pending.push({ fact, whenDurable });
      if (!syncing) sync();
    },
    hasPending: () => pending.length > 0,
    crash: () => {
      life += 1;
      syncing = false;
      const survivors = pending.slice(0, random.int(0, pending.length));
      pending = [];
      for (const { fact } of survivors) keep(fact);
    },
  };
}
