// One client of the control socket, as the driver sees it. Whatever it does (nothing, garbage, 100 MB, never reading), the driver
// neither waits for it nor keeps more than a bounded amount for it (I10):
//
//   in    one request at a time; while it is worked on, nothing more is read, so requests pile up on the client's side
//   out   the socket's own buffer is the queue. Answers and the past wait for it to be empty. What happens now cannot wait:
//         activity is left out when the client lags a little, and one that lags behind the facts is sent away. It can come
//         back with `since` and misses none

import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Activity } from "../../core/activity.ts";
import type { Decision, RunCommand } from "../../core/decide.ts";
import type { Fact } from "../../core/facts.ts";
import { createLineSplitter, type Line } from "../../process/lines.ts";
import { errorText } from "../../util/errno.ts";
import {
  type DriverHere,
  encodeMessage,
  encodePast,
  MAX_REQUEST_BYTES,
  type Message,
  parseRequest,
  type Request,
} from "./protocol.ts";

/** What the driver does for its clients. */
export type ControlHandlers = {
  readonly ask: (command: RunCommand) => Promise<Decision>;
  /** Facts from the n-th on (counted from 0), all or the first few of them; none only when there are none. */
  readonly factsSince: (n: number) => Promise<readonly Fact[]>;
  /** What happens from now on, each fact with its place in the run. Gives the function that ends it. */
  readonly subscribe: (listener: ControlListener) => () => void;
  readonly describe: () => DriverHere;
  /** What attempts are doing now, for who was not there when they said it. */
  readonly doing?: () => Iterable<Activity>;
};

export type ControlListener = {
  readonly fact: (n: number, fact: Fact) => void;
  readonly activity: (activity: Activity) => void;
};

/** How much may wait for a client before activity is left out, and before it is sent away. */
export type QueueLimits = { readonly activityBytes: number; readonly factBytes: number };

// Of the past, so much is sent before the client has taken it and the driver has had its turn.
const PAST_BYTES = 256 * 1024;
const NEWLINE = 10;
const tooLong: Line = { text: "", cutBytes: 1 };

export class ControlClient {
  private readonly socket: Socket;
  private readonly handlers: ControlHandlers;
  private readonly limits: QueueLimits;
  private readonly splitter = createLineSplitter(MAX_REQUEST_BYTES);
  private readonly waiting: Line[] = [];
  /** Bytes of a line that has no end yet. */
  private begun = 0;
  private working: Promise<void> | null = null;
  private follows: { next: number; live: boolean } | null = null;
  private past: Promise<void> = Promise.resolve();
  /** Nothing more is taken from it: it has had its last answer, or the socket is being closed. */
  private leaving = false;

  constructor(socket: Socket, handlers: ControlHandlers, limits: QueueLimits) {
    this.socket = socket;
    this.handlers = handlers;
    this.limits = limits;
    // It went away in the middle of something: "close" follows, and nobody else has to know.
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => this.receive(chunk));
  }

  get isLive(): boolean {
    return this.follows?.live === true && !this.leaving;
  }

  /** A fact that has just happened, as the line that everybody gets. */
  giveFact(n: number, line: string): void {
    if (this.follows === null || !this.isLive || n < this.follows.next) return; // it was part of the past it got
    // A place that was left out cannot be explained to the client: it had better begin again.
    if (n > this.follows.next || this.socket.writableLength > this.limits.factBytes) {
      this.socket.destroy();
      return;
    }
    this.follows.next = n + 1;
    this.send(line);
  }

  giveActivity(line: string): void {
    if (this.isLive && this.socket.writableLength <= this.limits.activityBytes) this.send(line);
  }

  /** Lets it have what it was promised, then ends it. Whoever calls this bounds it with `cutOff`. */
  async finish(): Promise<void> {
    this.waiting.length = 0;
    const promised = [this.working, this.past];
    this.socket.pause();
    await Promise.all(promised);
    if (this.leaving || this.socket.destroyed) return;
    this.leaving = true;
    await new Promise<void>((done) => {
      this.socket.once("close", () => done());
      this.socket.end(() => this.socket.destroy());
    });
  }

  cutOff(): void {
    this.socket.destroy();
  }

  private receive(chunk: Buffer): void {
    if (this.leaving) return;
    for (const line of this.splitter.push(chunk)) this.waiting.push(line);
    const end = chunk.lastIndexOf(NEWLINE);
    this.begun = end === -1 ? this.begun + chunk.length : chunk.length - end - 1;
    // The splitter would wait for the end of such a line for ever, throwing it away as it comes.
    if (this.begun > MAX_REQUEST_BYTES) this.waiting.push(tooLong);
    if (this.waiting.length > 0) this.working ??= this.work();
  }

  private async work(): Promise<void> {
    this.socket.pause();
    for (let line = this.waiting.shift(); line !== undefined; line = this.waiting.shift()) {
      await this.answer(line);
      await this.drained();
      if (this.leaving || this.socket.destroyed) this.waiting.length = 0;
    }
    this.working = null;
    if (!this.leaving) this.socket.resume();
  }

  private async answer({ text, cutBytes }: Line): Promise<void> {
    if (cutBytes > 0) {
      this.leave(`a request has at most ${MAX_REQUEST_BYTES} bytes`);
      return;
    }
    const parsed = parseRequest(text);
    if (parsed.ok) await this.perform(parsed.request);
    else if (parsed.id === null) this.leave(parsed.problem);
    else this.say({ id: parsed.id, problem: parsed.problem });
  }

  private async perform(request: Request): Promise<void> {
    const { id } = request;
    if ("ping" in request) this.say({ id, driver: this.handlers.describe() });
    else if ("follow" in request) this.follow(id, request.follow.since);
    else {
      try {
        this.say({ id, decision: await this.handlers.ask(request.ask.command) });
      } catch (error) {
        // The journal cannot be written any more: the driver ends for that by itself, and says so there.
        this.say({ id, problem: errorText(error) });
      }
    }
  }

  private follow(id: number, since: number): void {
    if (this.follows !== null) {
      this.say({ id, problem: "this connection already follows the run" });
      return;
    }
    this.follows = { next: since, live: false };
    this.past = this.tellPast(id, this.follows).catch((error: unknown) => this.leave(errorText(error), id));
  }

  /** Everything from `next` on, until there is no more; from that very moment it gets what happens. */
  private async tellPast(id: number, place: { next: number; live: boolean }): Promise<void> {
    for (;;) {
      const known = this.handlers.describe().facts;
      const facts = await this.handlers.factsSince(place.next);
      for (const { count, line } of inParts(id, place.next, facts)) {
        if (this.leaving || this.socket.destroyed) return;
        this.send(line);
        place.next += count;
        await this.drained();
        await nextTurn();
      }
      if (facts.length > 0) continue;
      if (place.next < known) throw new Error(`the journal has ${place.next} of ${known} facts`);
      if (place.next >= this.handlers.describe().facts) break;
    }
    place.live = true;
    for (const activity of this.handlers.doing?.() ?? []) this.say({ activity });
    this.say({ id, n: place.next, facts: [], more: false });
  }

  private say(message: Message): void {
    this.send(encodeMessage(message));
  }

  private send(line: string): void {
    if (!this.leaving && !this.socket.destroyed) this.socket.write(line);
  }

  /** One last answer. What it goes on sending is not read. */
  private leave(problem: string, id: number | null = null): void {
    if (this.leaving) return;
    this.leaving = true;
    this.socket.pause();
    if (this.socket.writableLength > this.limits.factBytes) this.socket.destroy();
    else this.socket.end(encodeMessage({ id, problem }), () => this.socket.destroy());
  }

  /** When the client has taken what waited for it, or is gone. */
  private drained(): Promise<void> {
    const { socket } = this;
    if (socket.destroyed || !socket.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        socket.off("drain", done).off("close", done);
        resolve();
      };
      socket.on("drain", done).on("close", done);
    });
  }
}

/** Lines of some facts each, none much longer than it may be; a large fact has one of its own. */
function* inParts(
  id: number,
  since: number,
  facts: readonly Fact[],
): Generator<{ readonly count: number; readonly line: string }> {
  let part: string[] = [];
  let length = 0;
  let n = since;
  for (const fact of facts) {
    const text = JSON.stringify(fact);
    if (part.length > 0 && length + text.length > PAST_BYTES) {
      yield { count: part.length, line: encodePast(id, n, part) };
      n += part.length;
      part = [];
      length = 0;
    }
    part.push(text);
    length += text.length;
  }
  if (part.length > 0) yield { count: part.length, line: encodePast(id, n, part) };
}
