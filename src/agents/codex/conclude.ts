import type { Usage } from "../../core/facts.ts";
import type { AttemptFailure } from "../../core/failure.ts";
import { type Conclusion, type Ending, NO_USAGE } from "../adapter.ts";
import { objectAt, parseObject, textAt } from "../json.ts";
import { exitText, lastLine, oneLine, withReason } from "../text.ts";
import { usageSince } from "../usage.ts";
import { resetTime } from "./reset-time.ts";

/**
 * Why Codex did not do it. It says so in words alone, and some of them are the server's, which may speak of anything: so a
 * status counts first, then how a sentence of Codex begins, and the first row that fits decides.
 */
function failureOf(turn: CodexTurn | null, ending: Ending): AttemptFailure | null {
  if (turn?.ok && ending.code === 0) return null;
  if (turn === null || turn.ok) return crash(turn, ending);
  const { message } = turn;
  const signs = { message, status: statusIn(message) ?? 0 };
  const detail = oneLine(bodyText(message) ?? message, MAX_DETAIL) || "codex reported no reason";
  const row = ROWS.find(({ fits }) => fits(signs));
  return row === undefined ? { reason: "agent-error", detail } : row.failure(signs, detail, ending);
}

const MAX_DETAIL = 300;

type Signs = {
  readonly message: string;
  /** Of the HTTP answer that ended it; 0 where Codex does not say. */
  readonly status: number;
};

type Row = {
  readonly fits: (signs: Signs) => boolean;
  readonly failure: (signs: Signs, detail: string, ending: Ending) => AttemptFailure;
};

const plain = (
  reason: "billing" | "overloaded" | "auth" | "context" | "rejected" | "network",
  fits: Row["fits"],
): Row => ({ fits, failure: (_signs, detail) => ({ reason, detail }) });

const ROWS: readonly Row[] = [
  {
    fits: ({ message }) => isUsageLimit(message),
    failure: ({ message }, detail, { at, zone }) => ({
      reason: "usage-limit",
      resetsAt: resetTime(message, at, zone),
      detail,
    }),
  },
  plain("billing", ({ message, status }) => status === 402 || BILLING.test(message)),
  {
    fits: ({ message, status }) => status === 429 || /^rate limit exceeded/i.test(message),
    failure: ({ message }, detail) => ({ reason: "rate-limit", retryAfterMs: waitIn(message), detail }),
  },
  plain("overloaded", ({ message, status }) => status >= 500 || OVERLOADED.test(message)),
  plain("auth", ({ message, status }) => status === 401 || status === 403 || AUTH.test(message)),
  plain("context", ({ message, status }) => status === 413 || /\bcontext window\./i.test(message)),
  // A bad request comes as the body of its answer, an unknown model as a sentence of the server.
  plain(
    "rejected",
    ({ message, status }) => status >= 400 || parseObject(message) !== null || NO_MODEL.test(message),
  ),
  plain("network", ({ message }) => NETWORK.test(message)),
];

const BILLING = /^(?:Quota exceeded|To use Codex with your|Your workspace is out of credits)/i;
const OVERLOADED = /^(?:We.re currently experiencing high demand|Selected model is at capacity)/i;
/** A provider whose key is in no variable; a login that has run out. */
const AUTH = /^Missing environment variable|^Not logged in|\bsign in again\b/i;
const NO_MODEL = /^The (?:requested )?model \S+ (?:does not exist|is not supported)/i;
const NETWORK = /^(?:stream disconnected|connection failed|request timed out|timeout waiting)/i;

export function isUsageLimit(message: string): boolean {
  return /^You.ve (?:hit|reached) your .{0,60}limit/i.test(message);
}

/** `unexpected status 503 Service Unavailable: …`, `exceeded retry limit, last status: 429 Too Many Requests`. */
export function statusIn(message: string): number | null {
  const status = /^(?:unexpected status|exceeded retry limit, last status:) (\d{3})\b/.exec(message)?.[1];
  return status === undefined ? null : Number(status);
}

/** `Please try again in 2.5s`, `in 350ms`, `in 1m30s`: what the server asks for. */
function waitIn(message: string): number | null {
  const wait = /\btry again in ([\d.]+(?:ms|[hms])(?:[\d.]+(?:ms|[hms]))*)/i.exec(message)?.[1];
  if (wait === undefined) return null;
  const parts = [...wait.matchAll(/([\d.]+)(ms|[hms])/gi)];
  const ms = parts.reduce((sum, [, amount, unit = ""]) => sum + Number(amount) * (UNITS[unit] ?? 0), 0);
  return Number.isFinite(ms) ? Math.ceil(ms) : null;
}

const UNITS: { readonly [unit: string]: number } = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

function bodyText(message: string): string | null {
  const body = parseObject(message);
  return textAt(objectAt(body, "error"), "message") ?? textAt(body, "detail");
}

/** Bad options, settings and conversations that are not there end like this: exit 1 or 2, and the reason on stderr. */
function crash(turn: CodexTurn | null, ending: Ending): AttemptFailure {
  if (turn !== null) return { reason: "crash", detail: `${exitText(ending)} after its result` };
  // A trace of addresses may follow the error.
  const said = /^error: .*/im.exec(ending.stderr)?.[0] ?? lastLine(ending.stderr, MAX_DETAIL);
  const end = `${exitText(ending)} without a result`;
  return { reason: "crash", detail: withReason(end, oneLine(said, MAX_DETAIL)) };
}

export type CodexMemory = {
  readonly conversation: string | null;
  readonly lastText: string;
  /** Tools that have begun and not ended. */
  readonly open: readonly string[];
  /** How the turn ended; null while it goes on. */
  readonly turn: CodexTurn | null;
};

/** The usage is that of the whole conversation. A turn that failed tells none. */
type CodexTurn =
  | { readonly ok: true; readonly usage: Usage }
  | { readonly ok: false; readonly message: string };

export const NOTHING_READ: CodexMemory = { conversation: null, lastText: "", open: [], turn: null };

export function concludeCodex(memory: CodexMemory, ending: Ending): Conclusion {
  const { turn, conversation, lastText } = memory;
  // A conversation that goes on is counted as a whole.
  const told = turn?.ok ? turn.usage : NO_USAGE;
  const usage = ending.before === null ? told : usageSince(ending.before, told);
  // It only waited when a clock ran out: its exit code is that of our signal.
  const wasDone = ending.endedBy?.reason === "timeout" && turn?.ok === true;
  return {
    failure: wasDone ? null : failureOf(turn, ending),
    usage,
    conversation,
    text: lastText,
    denials: [],
  };
}
