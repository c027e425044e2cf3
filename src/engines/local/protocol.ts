// What goes through the control socket: one JSON value a line. All that can be said, both ways:
//
//   {"v":1,"id":7,"ask":{…command…}}       {"id":7,"decision":{…}}
//   {"v":1,"id":8,"ping":true}             {"id":8,"driver":{"run":…,"pid":…,"version":…,"facts":41}}
//   {"v":1,"id":9,"follow":{"since":40}}   {"id":9,"n":40,"facts":[…],"more":true}   the past, in several lines
//                                          {"id":9,"n":41,"facts":[],"more":false}   from here on as it happens:
//                                          {"n":41,"fact":{…}}
//                                          {"activity":{…}}
//                                          {"id":7,"problem":"…"}   could not be understood or done
//
// n is the place of a fact in the run, counted from 0, not its record number in the journal. `ask` holds {"command":…}.

import type { Activity, ActivityWait } from "../../core/activity.ts";
import type { Decision } from "../../core/decide.ts";
import type { Fact, Usage } from "../../core/facts.ts";
import type { AttemptId, RunId } from "../../core/ids.ts";
import { parseFact } from "../../core/parse-fact.ts";
import type { Sentence } from "../../core/text/sentence.ts";
import { parseJson } from "../../util/parse-json.ts";
import { type ControlCommand, isPlainObject, ownField, parseCommand } from "./protocol-command.ts";

const PROTOCOL_VERSION = 1;

/** The longest request. Commands are far smaller; whoever sends more does not speak this language. */
export const MAX_REQUEST_BYTES = 1024 * 1024;

/** The longest line that a client takes: the largest record of a journal, with room for what is around it. */
export const MAX_MESSAGE_BYTES = 65 * 1024 * 1024;

export type RequestBody =
  | { readonly ask: { readonly command: ControlCommand } }
  | { readonly follow: { readonly since: number } }
  | { readonly ping: true };

export type Request = { readonly id: number } & RequestBody;

export type ParsedRequest =
  | { readonly ok: true; readonly request: Request }
  /** Without an id nobody waits for the answer: that line was not written by plait. */
  | { readonly ok: false; readonly id: number | null; readonly problem: string };

/** Who drives a run, and how many facts it has. */
export type DriverHere = {
  readonly run: RunId;
  readonly pid: number;
  readonly version: string;
  readonly facts: number;
};

export type Message =
  | { readonly id: number; readonly decision: Decision }
  | { readonly id: number; readonly driver: DriverHere }
  | { readonly id: number; readonly n: number; readonly facts: readonly Fact[]; readonly more: boolean }
  | { readonly n: number; readonly fact: Fact }
  | { readonly activity: Activity }
  | { readonly id: number | null; readonly problem: string };

export function encodeRequest(id: number, body: RequestBody): string {
  return `${JSON.stringify({ v: PROTOCOL_VERSION, id, ...body })}\n`;
}

export function encodeMessage(message: Message): string {
  return `${JSON.stringify(message)}\n`;
}

/** One line of the past: facts that were encoded one by one, because their sizes decide where to cut. */
export function encodePast(id: number, n: number, facts: readonly string[]): string {
  return `{"id":${id},"n":${n},"facts":[${facts.join(",")}],"more":true}\n`;
}

export function parseRequest(text: string): ParsedRequest {
  const value = parseJson(text);
  if (!isPlainObject(value)) return { ok: false, id: null, problem: "a request must be a JSON object" };
  const id = ownField(value, "id");
  if (!isCount(id)) return { ok: false, id: null, problem: "a request must have a number as its id" };
  const wrong = (problem: string) => ({ ok: false, id, problem }) as const;
  if (ownField(value, "v") !== PROTOCOL_VERSION) {
    return wrong(`the run understands version ${PROTOCOL_VERSION} only: use the plait that started it`);
  }
  const [what, ...rest] = Object.keys(value).filter((name) => name !== "v" && name !== "id");
  if (what === undefined || rest.length > 0) return wrong("a request has one of: ask, follow, ping");
  const body = value[what];
  switch (what) {
    case "ping":
      return body === true ? { ok: true, request: { id, ping: true } } : wrong("ping must be true");
    case "follow": {
      const since = onlyField(body, "since");
      if (!isCount(since)) return wrong("follow must have a number of facts as its since");
      return { ok: true, request: { id, follow: { since } } };
    }
    case "ask": {
      const parsed = parseCommand(onlyField(body, "command"));
      return parsed.ok
        ? { ok: true, request: { id, ask: { command: parsed.command } } }
        : wrong(parsed.problem);
    }
    default:
      return wrong("a request has one of: ask, follow, ping");
  }
}

/** What a driver said; null when it is nothing that a driver of this version says. */
export function parseMessage(text: string): Message | null {
  const value = parseJson(text);
  if (!isPlainObject(value)) return null;
  const { n, fact, activity } = value;
  try {
    if (fact !== undefined) return isCount(n) ? { n, fact: parseFact(fact) } : null;
    if (activity !== undefined) return parseActivity(activity);
    return parseAnswer(value);
  } catch (error) {
    if (error instanceof TypeError) return null; // parseFact: a fact of another version
    throw error;
  }
}

type Fields = { readonly [name: string]: unknown };

function parseAnswer(value: Fields): Message | null {
  const { id, problem, decision, driver, n, facts, more } = value;
  if (typeof problem === "string") return id === null || isCount(id) ? { id, problem } : null;
  if (!isCount(id)) return null;
  if (isPlainObject(decision)) return parseDecision(id, decision);
  if (isPlainObject(driver)) return parseDriver(id, driver);
  if (!isCount(n) || !Array.isArray(facts) || typeof more !== "boolean") return null;
  return { id, n, facts: facts.map(parseFact), more };
}

function parseDecision(id: number, { ok, facts, refusal, isEnding }: Fields): Message | null {
  if (ok === true && Array.isArray(facts)) return { id, decision: { ok, facts: facts.map(parseFact) } };
  if (ok !== false || !isPlainObject(refusal)) return null;
  const { message, hint } = refusal;
  if (typeof message !== "string") return null;
  const reason = { message, hint: isSentence(hint) ? hint : null };
  return { id, decision: { ok, refusal: reason, ...(isEnding === true && { isEnding }) } };
}

/** Its parts are printed, nothing else. */
const isSentence = (value: unknown): value is Sentence => typeof value === "string" || Array.isArray(value);

function parseDriver(id: number, { run, pid, version, facts }: Fields): Message | null {
  if (typeof run !== "string" || typeof version !== "string" || !isCount(pid) || !isCount(facts)) return null;
  return { id, driver: { run: run as RunId, pid, version, facts } };
}

function parseActivity(value: unknown): Message | null {
  if (!isPlainObject(value)) return null;
  const { attempt, at, action, usage, wait } = value;
  if (!isPlainObject(usage)) return null;
  if (typeof attempt !== "string" || typeof at !== "number") return null;
  if (action !== null && !isSentence(action)) return null;
  const { costUsd, inputTokens, outputTokens } = usage;
  if (![costUsd, inputTokens, outputTokens].every((one) => one === null || typeof one === "number"))
    return null;
  const spent = { costUsd, inputTokens, outputTokens } as Usage;
  const activity = { attempt: attempt as AttemptId, at, action, usage: spent };
  const waiting = parseWait(wait);
  return { activity: waiting === null ? activity : { ...activity, wait: waiting } };
}

function parseWait(value: unknown): ActivityWait | null {
  if (!isPlainObject(value)) return null;
  const { kind, reason, until } = value;
  if ((kind !== "cache" && kind !== "agent") || typeof reason !== "string") return null;
  return until === null || typeof until === "number" ? { kind, reason, until } : null;
}

/** The value of a field that must be the only one. */
function onlyField(value: unknown, name: string): unknown {
  return isPlainObject(value) && Object.keys(value).length === 1 ? ownField(value, name) : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
