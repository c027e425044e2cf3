// Following a run over a connection that may break: after each break it is requested from the first unknown fact on, so that
// none is lost and none comes twice.

import { capital } from "../../core/text/figures.ts";
import { paragraph, plainText, withPeriod } from "../../core/text/sentence.ts";
import type { RunEvent } from "../../report/page/wire.ts";
import { createEventParser, type StreamEvent } from "./event-stream.ts";
import type { Connection, FollowListener } from "./source.ts";
import type { Turns } from "./stream-turns.ts";

export type Following = {
  /** Requests the stream from a fact on. */
  readonly ask: (since: number, signal: AbortSignal) => Promise<Response>;
  readonly since: number;
  readonly listener: FollowListener;
  /** Ends it. */
  readonly signal: AbortSignal;
  readonly pace?: Partial<Pace>;
  /** When this window may open a stream. */
  readonly turns: Turns;
};

export type Pace = {
  /** Before the first retry; each further one waits twice as long. */
  readonly firstMs: number;
  readonly mostMs: number;
  /** The server sends something more often than this; if it does not, the connection is lost. */
  readonly silenceMs: number;
  /** It answers sooner than this; a stopped process or a dead tunnel accepts a request and never answers. */
  readonly answerMs: number;
};

const PACE: Pace = { firstMs: 500, mostMs: 10_000, silenceMs: 40_000, answerMs: 15_000 };

export async function followFacts(following: Following): Promise<void> {
  const { ask, since, listener, signal, pace, turns } = following;
  const { firstMs, mostMs, silenceMs, answerMs } = { ...PACE, ...pace };
  let next = since;
  let lostSince: number | null = null;
  let waitMs = firstMs;
  const report = (connection: Connection): void => {
    if (!signal.aborted) listener.connection(connection);
  };
  const receive = (event: RunEvent): void => {
    if (event.kind === "fact") {
      if (event.n !== next) return;
      next += 1;
    }
    if (!signal.aborted) listener.event(event);
  };
  report({ kind: "connecting" });
  while (!signal.aborted) {
    const turn = await turns(signal);
    const asking = new AbortController();
    const either = AbortSignal.any([turn.signal, asking.signal]);
    const answer = await readAnswer(inTime(ask(next, either), answerMs), async (response) => {
      [lostSince, waitMs] = [null, firstMs];
      report({ kind: "open" });
      const onSilence = (since: number): void => {
        lostSince = since;
      };
      await readEvents(response, { silenceMs, receive, onSilence, isNext: (n) => n <= next });
    });
    turn.end();
    asking.abort();
    if (signal.aborted) return;
    if (turn.signal.aborted) continue; // closed, not lost
    if (answer !== null) {
      report({ kind: "refused", message: answer });
      return;
    }
    lostSince ??= Date.now();
    report({ kind: "lost", since: lostSince, retryAt: Date.now() + waitMs });
    await pause(waitMs, signal);
    waitMs = Math.min(mostMs, waitMs * 2);
  }
}

/** Null where the connection failed or broke; else the error that the server answered with. */
async function readAnswer(
  asked: Promise<Response>,
  read: (response: Response) => Promise<void>,
): Promise<string | null> {
  try {
    const response = await asked;
    if (response.ok && !isStream(response)) return null; // another program has the port now
    if (response.ok) await read(response);
    if (response.ok || response.status >= 500) return null;
    const { message, hint } = (await response.json()) as { message: string; hint: string };
    return plainText(paragraph([message, hint].map((text) => withPeriod(capital(text)))));
  } catch {
    return null; // no network, no server, a page that is closed: retry
  }
}

const isStream = ({ headers }: Response): boolean =>
  headers.get("content-type")?.startsWith("text/event-stream") === true;

type Reader = {
  readonly silenceMs: number;
  readonly receive: (event: RunEvent) => void;
  /** Since when nothing was received, although nothing broke. */
  readonly onSilence: (since: number) => void;
  /** Whether that fact leaves no gap. */
  readonly isNext: (n: number) => boolean;
};

/** Until the stream ends, is silent for too long, or leaves a fact out. */
async function readEvents({ body }: Response, reading: Reader): Promise<void> {
  const { silenceMs, receive, onSilence, isNext } = reading;
  const reader = body?.getReader();
  if (reader === undefined) return;
  const parse = createEventParser();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), silenceMs, onSilence);
      if (done) return;
      for (const message of parse(decoder.decode(value, { stream: true }))) {
        const event = parseEvent(message);
        if (event.kind === "fact" && !isNext(event.n)) return;
        receive(event);
      }
    }
  } finally {
    reader.cancel().catch(() => undefined); // it may be broken already
  }
}

/** Written by the same version of plait. */
const parseEvent = ({ event, data }: StreamEvent): RunEvent =>
  ({ ...(JSON.parse(data) as object), kind: event }) as RunEvent;

const LOOK_MS = 1_000;

/** By the time of day: timers stop while a machine sleeps. */
function inTime<T>(work: Promise<T>, ms: number, onSilence?: (since: number) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const since = Date.now();
    const look = (): void => {
      if (Date.now() - since < ms) return;
      onSilence?.(since);
      reject(new Error("no answer in time"));
    };
    const timer = setInterval(look, Math.min(ms, LOOK_MS));
    work.then(resolve, reject).finally(() => clearInterval(timer));
  });
}

/** Shorter when the network comes back, or when a person retries now: both are the event `online`. */
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
