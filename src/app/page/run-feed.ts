// One run as all pages see it that look at it: its facts from the first on, then what happens, through the driver's control socket while
// one answers there and from the journal while none does. Who looks has a place in the list of facts and goes on from there at
// a speed of its own; so a slow one costs nothing but that place, and nobody is told of a fact twice.

import type { Activity } from "../../core/activity.ts";
import type { EpochMs, Fact } from "../../core/facts.ts";
import type { AttemptId } from "../../core/ids.ts";
import { parseFact } from "../../core/parse-fact.ts";
import { plainText } from "../../core/text/sentence.ts";
import type { ControlConnection } from "../../engines/local/control-connection.ts";
import type { RunFolder } from "../../engines/local/run-folder.ts";
import { isJournalError } from "../../journal/failure.ts";
import { followJournal } from "../../journal/follow.ts";
import { readUpToDamage } from "../../journal/read.ts";
import { systemClock } from "../../util/clock.ts";
import { deferred } from "../../util/deferred.ts";
import { visitDriver } from "../follow-run.ts";
import { clockOf, type Host } from "../host.ts";
import { type Mask, maskTexts, type RunPlace, runMask } from "../run-mask.ts";
import { findRunProcess, LIST_RUNS } from "../runs.ts";

export type RunFeed = {
  /** Masked. The same array grows with the run. */
  readonly facts: readonly Fact[];
  /** Whether all facts that were there at the beginning are in the list. */
  readonly isPastTold: () => boolean;
  readonly isRunning: () => boolean;
  /** By the clock of the driver. */
  readonly now: () => EpochMs;
  readonly activity: () => ReadonlyMap<AttemptId, Activity>;
  /** Why there are no more facts; the list ends before the one that cannot be read. */
  readonly unreadable: () => Unreadable | null;
  /** Calls when anything of this changes. Gives the function that ends it. */
  readonly subscribe: (changed: () => void) => () => void;
  readonly close: () => void;
};

export type Unreadable = { readonly problem: string; readonly hint: string };

const LOOK_MS = 300;
/** So many facts are masked at once, and then others have their turn. */
const PART = 500;

export function openRunFeed(host: Host, place: RunPlace): RunFeed {
  const feed = new Feed(host, place);
  void feed.follow();
  return feed;
}

class Feed implements RunFeed {
  readonly facts: Fact[] = [];
  private readonly host: Host;
  private readonly place: RunPlace;
  private readonly folder: RunFolder;
  private readonly closing = new AbortController();
  private readonly listeners = new Set<() => void>();
  private readonly doing = new Map<AttemptId, Activity>();
  private mask: Mask = (text) => text;
  private driven = false;
  private told = false;
  private problem: Unreadable | null = null;

  constructor(host: Host, place: RunPlace) {
    this.host = host;
    this.place = place;
    this.folder = place.folder;
  }

  readonly isPastTold = (): boolean => this.told;
  readonly isRunning = (): boolean => this.driven;
  readonly activity = (): ReadonlyMap<AttemptId, Activity> => this.doing;
  readonly unreadable = (): Unreadable | null => this.problem;
  readonly close = (): void => this.closing.abort();
  readonly now = (): EpochMs => {
    const last = this.facts.at(-1)?.at ?? 0;
    return this.driven ? Math.max(last, clockOf(this.host).now()) : last;
  };
  readonly subscribe = (changed: () => void): (() => void) => {
    this.listeners.add(changed);
    return () => void this.listeners.delete(changed);
  };

  /** Until it is closed, or until the journal cannot be read. Never rejects: whoever drives the run may be in this process. */
  async follow(): Promise<void> {
    try {
      this.mask = await runMask(this.host, this.place);
      while (!this.closing.signal.aborted) await this.round();
    } catch (error) {
      this.problem = maskTexts(problemOf(error), this.mask);
      this.driven = false;
      this.doing.clear();
      this.told = true;
      this.changed();
    }
  }

  /** All that is in the journal; then through the control socket as long as a driver answers there, else from the journal until one does. */
  private async round(): Promise<void> {
    const { facts, damage } = await readUpToDamage<Fact>(this.folder.journal, { parse: parseFact });
    await this.add(facts.slice(this.facts.length));
    if (damage !== null) throw damage;
    const driver = await findRunProcess(this.folder);
    const connection = await visitDriver({ folder: this.folder, driver });
    this.driven = driver !== null;
    if (connection === null) {
      this.isUpToDate();
      return this.watch();
    }
    await this.hearDriver(connection);
    this.doing.clear();
    await this.pause(); // the journal tells what the driver said last, once it is gone
  }

  private async hearDriver(connection: ControlConnection): Promise<void> {
    const ended = deferred<void>();
    const { signal } = this.closing;
    const end = (): void => ended.resolve();
    signal.addEventListener("abort", end);
    // One after another: a fact that is still being masked must not be overtaken.
    let last: Promise<void> = Promise.resolve();
    const next = (work: () => Promise<void> | void): void => {
      last = last.then(work).catch(end);
    };
    const followed = connection.follow(this.facts.length, {
      onFact: (fact) => next(() => this.add([fact])),
      onActivity: (activity) => next(() => this.hear(activity)),
      onEnd: end,
    });
    void followed.then(({ ok }) => next(ok ? () => this.isUpToDate() : end));
    if (signal.aborted) end();
    await ended.promise;
    signal.removeEventListener("abort", end);
    connection.close();
    await last;
  }

  /** Ends when a driver answers. */
  private async watch(): Promise<void> {
    const watching = new AbortController();
    const end = () => watching.abort();
    this.closing.signal.addEventListener("abort", end, { once: true });
    const looking = this.lookForDriver(watching.signal).finally(end);
    looking.catch(() => undefined); // told below, unless the journal went wrong first
    try {
      let n = 0;
      const options = { parse: parseFact, signal: watching.signal };
      // Counted and not asked for by number: after an upgrade one record may hold several facts.
      for await (const { fact } of followJournal<Fact>(this.folder.journal, options)) {
        n += 1;
        if (n > this.facts.length) await this.add([fact]);
      }
      await looking;
    } finally {
      end();
      this.closing.signal.removeEventListener("abort", end);
    }
  }

  private async lookForDriver(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.pause();
      const driver = await findRunProcess(this.folder);
      if ((driver !== null) !== this.driven) {
        this.driven = driver !== null;
        this.changed();
      }
      const connection = await visitDriver({ folder: this.folder, driver });
      connection?.close();
      if (connection !== null) return;
    }
  }

  private async add(facts: readonly Fact[]): Promise<void> {
    for (let from = 0; from < facts.length; from += PART) {
      if (from > 0) await new Promise<void>((resolve) => setImmediate(resolve));
      const part = facts.slice(from, from + PART);
      // Its values lie in the folder before the fact is written.
      if (part.some(({ type }) => type === "plan.revised")) this.mask = await runMask(this.host, this.place);
      for (const fact of maskTexts(part, this.mask)) {
        this.facts.push(fact);
        if (fact.type === "attempt.ended") this.doing.delete(fact.attempt);
      }
      this.changed();
    }
  }

  private hear(activity: Activity): void {
    this.doing.set(activity.attempt, maskTexts(activity, this.mask));
    this.changed();
  }

  private isUpToDate(): void {
    this.told = true;
    this.changed();
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }

  private pause(): Promise<void> {
    const { signal } = this.closing;
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const done = (): void => {
        timer.cancel();
        signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = systemClock.setTimer(LOOK_MS, done);
      signal.addEventListener("abort", done);
    });
  }
}

function problemOf(error: unknown): Unreadable {
  if (!isJournalError(error))
    return { problem: `cannot read the run: ${messageOf(error)}`, hint: "reload the web UI" };
  const { message: problem, hint, code } = error;
  return code === "missing"
    ? { problem: "this run was removed", hint: plainText(LIST_RUNS) }
    : { problem, hint };
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";

/** One following for all who look at the same run: begun by the first, ended with the last. */
export type Feeds = {
  /** By the folder of the run. Whoever looks says when it has seen enough. */
  readonly look: (run: string, open: () => RunFeed) => { readonly feed: RunFeed; readonly leave: () => void };
  readonly close: () => void;
};

export function createFeeds(): Feeds {
  const shared = new Map<string, { readonly feed: RunFeed; viewers: number }>();
  return {
    look: (run, open) => {
      let found = shared.get(run);
      // Who comes to one that could not go on gets another chance: the journal may have been mended.
      if (found === undefined || found.feed.unreadable() !== null) found = { feed: open(), viewers: 0 };
      const mine = found;
      shared.set(run, mine);
      mine.viewers += 1;
      let isHere = true;
      const leave = (): void => {
        if (!isHere) return;
        isHere = false;
        mine.viewers -= 1;
        if (mine.viewers > 0) return;
        mine.feed.close();
        if (shared.get(run) === mine) shared.delete(run);
      };
      return { feed: mine.feed, leave };
    },
    close: () => {
      for (const { feed } of shared.values()) feed.close();
      shared.clear();
    },
  };
}
