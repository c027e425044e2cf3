// A run as a stream of events to one page. The page has a place in the list of facts that all pages of the run share; it is
// written to as fast as it reads and never faster, so one that does not read costs a few kilobytes until its time is up (I10).

import type { ServerResponse } from "node:http";
import type { RunFeed } from "../app/index.ts";
import type { Activity } from "../core/activity.ts";
import type { AttemptId } from "../core/ids.ts";
import type { RunEvent } from "../report/page/wire.ts";
import { safeHeaders } from "./answers.ts";

/** So much is put together before it is written. */
const PIECE = 64 * 1024;

export type StreamOptions = {
  /** The first fact that the page does not know. */
  readonly since: number;
  /** How often something is said where nothing happens: by that both sides know that the other is there. */
  readonly commentMs: number;
};

/** Until the page leaves, or the server ends. */
export function streamFacts(
  feed: RunFeed,
  response: ServerResponse,
  { since, commentMs }: StreamOptions,
): void {
  response.writeHead(200, { ...safeHeaders, "Content-Type": "text/event-stream; charset=utf-8" });
  response.flushHeaders();
  const next = eventsOf(feed, since);
  const pump = (): void => {
    while (!response.writableNeedDrain && !response.destroyed) {
      const text = pieceOf(next);
      if (text === "") return;
      response.write(text);
    }
  };
  const unsubscribe = feed.subscribe(pump);
  response.on("drain", pump);
  const comments = setInterval(() => {
    if (!response.writableNeedDrain) response.write(": here\n\n");
  }, commentMs);
  response.on("close", () => {
    clearInterval(comments);
    unsubscribe();
  });
  pump();
}

function pieceOf(next: () => RunEvent | null): string {
  let text = "";
  while (text.length < PIECE) {
    const event = next();
    if (event === null) return text;
    text += encoded(event);
  }
  return text;
}

/** Gives what the page does not know yet, one thing at a time; null where it knows everything. */
function eventsOf(feed: RunFeed, since: number): () => RunEvent | null {
  const doing = new Map<AttemptId, Activity>();
  let n = since;
  let isRunning: boolean | null = null;
  let isLive = false;
  let isEnded = false;

  function doingNow(): RunEvent | null {
    const now = feed.activity();
    for (const attempt of doing.keys()) if (!now.has(attempt)) doing.delete(attempt);
    for (const [attempt, activity] of now) {
      if (doing.get(attempt) === activity) continue;
      doing.set(attempt, activity);
      return { kind: "activity", activity };
    }
    return null;
  }

  return () => {
    const fact = feed.facts[n];
    if (fact !== undefined) {
      n += 1;
      return { kind: "fact", n: n - 1, fact };
    }
    if (isEnded || !feed.isPastTold()) return null;
    const problem = n > feed.facts.length ? SHORTER : feed.unreadable();
    const change = clockOf(feed, isRunning);
    if (change !== null) {
      ({ isRunning } = change);
      return change;
    }
    if (problem !== null) {
      isEnded = true;
      return { kind: "unreadable", n: feed.facts.length, ...problem };
    }
    const activity = doingNow();
    if (activity !== null || isLive) return activity;
    isLive = true;
    return { kind: "live" };
  };
}

const SHORTER = { problem: "the journal is shorter than before", hint: "reload the web UI" };

function clockOf(feed: RunFeed, before: boolean | null): Extract<RunEvent, { kind: "clock" }> | null {
  const isRunning = feed.isRunning();
  return isRunning === before ? null : { kind: "clock", isRunning, now: feed.now() };
}

/** JSON has no line break of its own, so an event is never taken for two. */
function encoded({ kind, ...told }: RunEvent): string {
  const id = kind === "fact" && "n" in told ? `id: ${told.n}\n` : "";
  return `${id}event: ${kind}\ndata: ${JSON.stringify(told)}\n\n`;
}
