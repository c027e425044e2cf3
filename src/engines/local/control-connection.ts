// A client's connection to a driver. It believes nothing: what is no message of this version, or a fact out of order, ends it.
// So a follower that is told of a fact has been told of all facts before it, once each, in order.

import type { Socket } from "node:net";
import type { Activity } from "../../core/activity.ts";
import type { Decision } from "../../core/decide.ts";
import type { Fact } from "../../core/facts.ts";
import { createLineSplitter } from "../../process/lines.ts";
import { type Deferred, deferred } from "../../util/deferred.ts";
import {
  type DriverHere,
  encodeRequest,
  MAX_MESSAGE_BYTES,
  type Message,
  parseMessage,
  type RequestBody,
} from "./protocol.ts";
import type { ControlCommand } from "./protocol-command.ts";

export type Answered<T> =
  | { readonly ok: true; readonly value: T }
  /**
   * `lost`: the connection ended first. Whether a command was carried out is not known then: the journal says.
   * `refused`: the driver could not understand or do it. `strange`: the answer is none.
   */
  | { readonly ok: false; readonly reason: "lost" | "refused" | "strange"; readonly problem: string };

export type Follower = {
  /** Every fact from `since` on, in order. `n` is its place in the run. */
  readonly onFact: (fact: Fact, n: number) => void;
  readonly onActivity?: (activity: Activity) => void;
  /** Called once when the connection ends without our asking: the driver ended or died, or we were too slow. */
  readonly onEnd?: (problem: string) => void;
};

type Answer = Exclude<Message, { fact: Fact } | { activity: Activity }>;

export class ControlConnection {
  private readonly socket: Socket;
  private readonly pending = new Map<number, Deferred<Answered<Answer>>>();
  private nextId = 1;
  private following: { readonly follower: Follower; next: number } | null = null;
  private ended: { readonly reason: "lost" | "strange"; readonly problem: string } | null = null;

  constructor(socket: Socket) {
    this.socket = socket;
    const splitter = createLineSplitter(MAX_MESSAGE_BYTES);
    socket.on("data", (chunk: Buffer) => {
      for (const { text, cutBytes } of splitter.push(chunk)) {
        if (this.ended === null) this.take(cutBytes > 0 ? null : parseMessage(text));
      }
    });
    socket.on("error", () => undefined); // "close" follows
    socket.on("close", () => this.end("lost", "the run closed the connection"));
  }

  /** Takes as long as the driver does; `close` gives up. */
  ask(command: ControlCommand): Promise<Answered<Decision>> {
    return this.request({ ask: { command } }, (answer) => ("decision" in answer ? answer.decision : null));
  }

  /** Answers, with the number of facts, when the past was told; what happens from then on comes by itself. Once a connection. */
  async follow(since: number, follower: Follower): Promise<Answered<number>> {
    if (this.following !== null) {
      return { ok: false, reason: "refused", problem: "this connection already follows the run" };
    }
    this.following = { follower, next: since };
    return this.request({ follow: { since } }, (answer) => ("facts" in answer ? answer.n : null));
  }

  ping(): Promise<Answered<DriverHere>> {
    return this.request({ ping: true }, (answer) => ("driver" in answer ? answer.driver : null));
  }

  close(): void {
    this.following = null; // who closes does not want to be told
    this.end("lost", "the connection was closed");
  }

  private async request<T>(body: RequestBody, wanted: (answer: Answer) => T | null): Promise<Answered<T>> {
    if (this.ended !== null) return { ok: false, ...this.ended };
    const id = this.nextId;
    this.nextId += 1;
    const answered = deferred<Answered<Answer>>();
    this.pending.set(id, answered);
    this.socket.write(encodeRequest(id, body));
    const answer = await answered.promise;
    if (!answer.ok) return answer;
    if ("problem" in answer.value) return { ok: false, reason: "refused", problem: answer.value.problem };
    const value = wanted(answer.value);
    if (value !== null) return { ok: true, value };
    this.end("strange", STRANGE);
    return { ok: false, reason: "strange", problem: STRANGE };
  }

  private take(message: Message | null): void {
    if (message === null) this.end("strange", STRANGE);
    else if ("fact" in message) this.hear([message.fact], message.n);
    else if ("activity" in message) this.following?.follower.onActivity?.(message.activity);
    else if ("facts" in message) {
      this.hear(message.facts, message.n);
      if (!message.more) this.settle(message.id, message);
    } else this.settle(message.id, message);
  }

  private hear(facts: readonly Fact[], n: number): void {
    for (const [i, fact] of facts.entries()) {
      const { following } = this;
      if (following === null) return; // closed, perhaps by the one who was just told
      if (following.next !== n + i) {
        this.end("strange", `fact ${n + i} came where fact ${following.next} was expected`);
        return;
      }
      following.next += 1;
      following.follower.onFact(fact, n + i);
    }
  }

  private settle(id: number | null, answer: Answer): void {
    // Without an id it is about all that we said: the driver is about to end the connection.
    if (id === null) this.end("strange", "problem" in answer ? answer.problem : STRANGE);
    else {
      this.pending.get(id)?.resolve({ ok: true, value: answer });
      this.pending.delete(id);
    }
  }

  private end(reason: "lost" | "strange", problem: string): void {
    if (this.ended !== null) return;
    this.ended = { reason, problem };
    this.socket.destroy();
    for (const waiting of this.pending.values()) waiting.resolve({ ok: false, reason, problem });
    this.pending.clear();
    const { following } = this;
    this.following = null;
    following?.follower.onEnd?.(problem);
  }
}

const STRANGE = "the socket is not served by this version of plait";
