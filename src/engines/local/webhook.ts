// A message to an address that a plan or a configuration names. Both may come from a stranger, so it cannot be used to reach
// what only this machine reaches: the address is checked when it is connected to, not when it is written, and no redirect
// is followed.

import { lookup as systemLookup } from "node:dns";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { Clock } from "../../util/clock.ts";
import { isInsideAddress } from "../../util/inside-address.ts";
import { isLoopback } from "../../util/loopback.ts";

const LIMIT_MS = 10_000;
/** Where a message may go: to other machines by https; also to this one; or wherever whoever started plait says. */
type Reach = "outside" | "outside-or-own" | "anywhere";

const PAUSES_MS = [1_000, 3_000];

export type PostOptions = Pick<SendOptions, "clock" | "lookup"> & {
  /** Other machines, by https: not even this one. */
  readonly only?: "outside";
};

export type SendOptions = {
  readonly clock: Clock;
  /** The system's, but in tests. */
  readonly lookup?: LookupFunction;
  readonly headers?: { readonly [name: string]: string };
  readonly limitMs?: number;
  readonly reach: Reach;
};

/** What became of a message, in words without its address: that may be a secret. */
export type Delivery = { readonly ok: boolean; readonly text: string };

/** Tries three times where that may help. */
export async function postMessage(address: string, body: object, options: PostOptions): Promise<Delivery> {
  const url = new URL(address);
  const text = JSON.stringify(body);
  const { only, ...rest } = options;
  for (let n = 0; ; n += 1) {
    const { ok, says, mayHelp } = await postOnce(url, text, { ...rest, reach: only ?? "outside-or-own" });
    const pauseMs = PAUSES_MS[n];
    if (!mayHelp || pauseMs === undefined) return { ok, text: `${says} (${url.hostname})` };
    await new Promise<void>((resolve) => void options.clock.setTimer(pauseMs, resolve));
  }
}

export const failedDelivery = ({ message }: Error): Delivery => ({ ok: false, text: message });

/** `mayHelp`: another try may go better. */
export type Posted = { readonly ok: boolean; readonly says: string; readonly mayHelp: boolean };

/** One try. The text is JSON. */
export function postOnce(url: URL, text: string, options: SendOptions): Promise<Posted> {
  const { clock, lookup = systemLookup, reach, limitMs = LIMIT_MS } = options;
  const mayBeOwn = reach === "anywhere" || (reach === "outside-or-own" && isLoopback(url.hostname));
  const problem = hostProblem(url, mayBeOwn);
  if (problem !== null) return Promise.resolve({ ok: false, says: problem, mayHelp: false });
  return new Promise((resolve) => {
    const headers = {
      ...options.headers,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
      "user-agent": "plait",
    };
    const send = url.protocol === "https:" ? httpsRequest : httpRequest;
    const found = mayBeOwn ? lookup : guarded(lookup);
    const request = send(url, { method: "POST", headers, agent: false, lookup: found }, (response) => {
      response.destroy(); // what it says besides is not read
      resolve(answered(response.statusCode ?? 0));
    });
    const limit = clock.setTimer(limitMs, () =>
      request.destroy(new Error(`no response within ${limitMs / 1_000} seconds`)),
    );
    request.on("error", (error) =>
      resolve({ ok: false, says: saidBy(error), mayHelp: !(error instanceof ForbiddenAddress) }),
    );
    request.on("close", () => limit.cancel());
    request.end(text);
  });
}

/** Of a name with several addresses, such as localhost, none of which answers, the error itself says nothing. */
function saidBy(error: Error): string {
  const [first] = error instanceof AggregateError ? (error.errors as Error[]) : [];
  return first?.message ?? error.message;
}

function answered(status: number): Posted {
  if (status >= 200 && status < 300) return { ok: true, says: `answered ${status}`, mayHelp: false };
  if (status >= 300 && status < 400)
    return { ok: false, says: `answered ${status}; redirects are not followed`, mayHelp: false };
  return {
    ok: false,
    says: `answered ${status}`,
    mayHelp: status === 408 || status === 429 || status >= 500,
  };
}

class ForbiddenAddress extends Error {}

/** Numbers in an address are not looked up. */
function hostProblem({ hostname, protocol }: URL, mayBeOwn: boolean): string | null {
  if (protocol !== "https:" && !(protocol === "http:" && mayBeOwn))
    return "https is required for other machines";
  if (mayBeOwn) return null;
  if (isLoopback(hostname)) return FORBIDDEN;
  const host = hostname.replace(/^\[|\]$/g, "");
  return isIP(host) === 0 ? null : addressProblem(host);
}

/** Every address that a name stands for, checked by whoever connects. */
function guarded(lookup: LookupFunction): LookupFunction {
  return (host, options, done) =>
    lookup(host, options, (error, found, family) => {
      const list = typeof found === "string" ? [found] : (found ?? []).map(({ address }) => address);
      const problem = error === null ? list.map(addressProblem).find((one) => one !== null) : undefined;
      if (problem === undefined) done(error, found, family);
      else done(new ForbiddenAddress(problem), [], 0);
    });
}

function addressProblem(address: string): string | null {
  return isInsideAddress(address) ? FORBIDDEN : null;
}

const FORBIDDEN = "URLs of this machine or its network are not allowed";
