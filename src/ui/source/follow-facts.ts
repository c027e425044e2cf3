// Following a run over a connection that may break: after each break it is asked for from the first fact that is not known, so
// that none is lost and none is told twice.

import { sentence } from "../../core/select/sentences.ts";
import type { RunEvent } from "../../report/page/wire.ts";
import { createEventParser, type StreamEvent } from "./event-stream.ts";
import type { Turns } from "./hearing-turns.ts";
import type { Connection, FollowListener } from "./source.ts";

export type Following = {
  /** Asks for the stream from a fact on. */
  readonly ask: (since: number, signal: AbortSignal) => Promise<Response>;
  readonly since: number;
  readonly listener: FollowListener;
  /** Ends it. */
  readonly signal: AbortSignal;
  readonly pace?: Partial<Pace>;
  /** When this window may hear at all. */
  readonly turns: Turns;
};

export type Pace = {
  /** Before the first try again; each further one waits twice as long. */
  readonly firstMs: number;
  readonly mostMs: number;
  /** The server says something more often than this: if it does not, it is not there. */
  readonly silenceMs: number;
  /** It answers sooner than this: a stopped process, and a tunnel whose other end is gone, take a question and say nothing. */
  readonly answerMs: number;
};

const PACE: Pace = { firstMs: 500, mostMs: 10_000, silenceMs: 40_000, answerMs: 15_000 };

export async function followFacts(following: Following): Promise<void> {
  const { ask, since, listener, signal, pace, turns } = following;
  const { firstMs, mostMs, silenceMs, answerMs } = { ...PACE, ...pace };
  let next = since;
  let lostSince: number | null = null;
  let waitMs = firstMs;
  const tell = (connection: Connection): void => {
    if (!signal.aborted) listener.connection(connection);
  };
  const hear = (event: RunEvent): void => {
    if (event.kind === "fact") {
      if (event.n !== next) return;
      next += 1;
    }
    if (!signal.aborted) listener.event(event);
  };
  tell({ kind: "connecting" });
  while (!signal.aborted) {
    const turn = await turns(signal);
    const asking = new AbortController();
    const either = AbortSignal.any([turn.signal, asking.signal]);
    const answer = await heard(inTime(ask(next, either), answerMs), async (response) => {
      [lostSince, waitMs] = [null, firstMs];
      tell({ kind: "open" });
      const onSilence = (since: number): void => {
        lostSince = since;
      };
      await readEvents(response, { silenceMs, hear, onSilence, isNext: (n) => n <= next });
    });
    turn.end();
    asking.abort();
    if (signal.aborted) return;
    if (turn.signal.aborted) continue; // given up, not lost
    if (answer !== null) {
      tell({ kind: "refused", message: answer });
      return;
    }
    lostSince ??= Date.now();
    tell({ kind: "lost", since: lostSince, retryAt: Date.now() + waitMs });
    await pause(waitMs, signal);
    waitMs = Math.min(mostMs, waitMs * 2);
  }
}

/** Null where the connection was not made or broke, however it did; else what the server said instead, in sentences. */
async function heard(
  asked: Promise<Response>,
  read: (response: Response) => Promise<void>,
): Promise<string | null> {
  try {
    const response = await asked;
    if (response.ok && !isStream(response)) return null; // another program has the port now
    if (response.ok) await read(response);
    if (response.ok || response.status >= 500) return null;
    const { message, hint } = (await response.json()) as { message: string; hint: string };
    return `${sentence(message)} ${sentence(hint)}`;
  } catch {
    return null; // no network, a server that is gone, a page that is left: all the same, try again
  }
}

const isStream = ({ headers }: Response): boolean =>
  headers.get("content-type")?.startsWith("text/event-stream") === true;

type Reader = {
  readonly silenceMs: number;
  readonly hear: (event: RunEvent) => void;
  /** Since when nothing was heard, although nothing broke: so long the page knows of nothing. */
  readonly onSilence: (since: number) => void;
  /** Whether a fact of that number leaves no gap. */
  readonly isNext: (n: number) => boolean;
};

/** Until the stream ends, is silent for too long, or leaves a fact out. */
async function readEvents({ body }: Response, reading: Reader): Promise<void> {
  const { silenceMs, hear, onSilence, isNext } = reading;
  const reader = body?.getReader();
  if (reader === undefined) return;
  const parse = createEventParser();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), silenceMs, onSilence);
      if (done) return;
      for (const told of parse(decoder.decode(value, { stream: true }))) {
        const event = eventOf(told);
        if (event.kind === "fact" && !isNext(event.n)) return;
        hear(event);
      }
    }
  } finally {
    reader.cancel().catch(() => undefined); // it may be broken already
  }
}

/** Written by the plait that the page is of. */
const eventOf = ({ event, data }: StreamEvent): RunEvent =>
  ({ ...(JSON.parse(data) as object), kind: event }) as RunEvent;

const LOOK_MS = 1_000;

/** By the time of day: timers stand still while a machine sleeps, and whoever opens it again is not shown a guess for so long. */
function inTime<T>(work: Promise<T>, ms: number, onSilence?: (since: number) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const since = Date.now();
    const look = (): void => {
      if (Date.now() - since < ms) return;
      onSilence?.(since);
      reject(new Error("nothing is heard"));
    };
    const timer = setInterval(look, Math.min(ms, LOOK_MS));
    work.then(resolve, reject).finally(() => clearInterval(timer));
  });
}

/** Shorter where the network comes back, or where somebody wants to try now: both are the event `online`. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      globalThis.removeEventListener?.("online", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
    globalThis.addEventListener?.("online", done);
  });
}
