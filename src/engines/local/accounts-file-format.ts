// What the accounts file holds, and how two views of it become one. Pure: the time is given.

import type { AccountLimitReason, EpochMs } from "../../core/facts.ts";
import type { AccountKey } from "../../core/ids.ts";
import { parseJson } from "../../util/parse-json.ts";

/** Until when an account is not to be used. The same as a fact account.limited says. */
export type AccountLimit = {
  readonly until: EpochMs;
  readonly durationMs: number;
  readonly why: AccountLimitReason;
};

export type Limits = ReadonlyMap<AccountKey, AccountLimit>;

export const MAX_FILE_BYTES = 1024 * 1024;
const VERSION = 1;
const MAX_LIMITS = 128;
const MAX_KEY_LENGTH = 1024;
const MAX_DURATION_MS = 366 * 24 * 3600 * 1000;

/** The limits in a text, whether or not they still hold. What is no limit is left out: the file only spares tries, nothing depends on it. */
export function parseLimits(text: string): Limits {
  const value = parseJson(text);
  if (!isObject(value)) return new Map();
  const { version, limits: list } = value;
  if (version !== VERSION || !Array.isArray(list)) return new Map();
  let limits: Limits = new Map();
  for (const entry of list.slice(0, MAX_LIMITS)) {
    if (!isObject(entry)) continue;
    const { account, until, durationMs, why } = entry;
    if (typeof account === "string" && isKey(account) && isLimit({ until, durationMs, why })) {
      limits = withLimit(limits, account, { until, durationMs, why } as AccountLimit);
    }
  }
  return limits;
}

export function encodeLimits(limits: Limits): string {
  const list = [...limits].map(([account, limit]) => ({ account, ...limit }));
  return `${JSON.stringify({ version: VERSION, limits: list }, null, 2)}\n`;
}

/** The later end wins, with its reason: as in core/evolve/accounts.ts. */
function withLimit(limits: Limits, account: AccountKey, limit: AccountLimit): Limits {
  const known = limits.get(account);
  return known !== undefined && known.until >= limit.until ? limits : new Map(limits).set(account, limit);
}

/** What is to be written: a limit, or null where one is to be removed. */
export type LimitChanges = ReadonlyMap<AccountKey, AccountLimit | null>;

export function withChange(
  changes: LimitChanges,
  account: AccountKey,
  change: AccountLimit | null,
): LimitChanges {
  const known = changes.get(account);
  const isShorter = change !== null && known !== undefined && known !== null && known.until >= change.until;
  return isShorter ? changes : new Map(changes).set(account, change);
}

export function withChanges(limits: Limits, changes: LimitChanges): Limits {
  let next = limits;
  for (const [account, limit] of changes) {
    if (limit === null) next = new Map([...next].filter(([one]) => one !== account));
    else next = withLimit(next, account, limit);
  }
  return next;
}

/**
 * What holds now. A wait that ends later than its own length from now was written before somebody set the clock back: it is
 * cut, as run.resumed does. When there are too many, those that end first go.
 */
export function still(limits: Limits, now: EpochMs): Limits {
  const kept = [...limits]
    .filter(([, { until }]) => until > now)
    .map(([account, limit]): [AccountKey, AccountLimit] => [
      account,
      { ...limit, until: Math.min(limit.until, now + limit.durationMs) },
    ])
    .sort(([, a], [, b]) => b.until - a.until)
    .slice(0, MAX_LIMITS);
  return new Map(kept);
}

export function isKey(text: string): text is AccountKey {
  return text !== "" && text.length <= MAX_KEY_LENGTH;
}

export function isLimit(limit: { readonly [F in keyof AccountLimit]: unknown }): boolean {
  const { until, durationMs, why } = limit;
  if (!isTime(until) || !isTime(durationMs) || durationMs > MAX_DURATION_MS) return false;
  return typeof why === "string" && Object.hasOwn(REASONS, why);
}

/** A record and not a list, so that the compiler misses no reason. */
const REASONS: { readonly [R in AccountLimitReason]: true } = {
  "rate-limit": true,
  "usage-limit": true,
  overloaded: true,
  auth: true,
  billing: true,
  network: true,
};

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null;
}
