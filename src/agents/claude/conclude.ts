import type { EpochMs, Usage } from "../../core/facts.ts";
import type { AttemptFailure } from "../../core/failure.ts";
import { type Conclusion, type Ending, NO_USAGE, type PLAIN_REASONS } from "../adapter.ts";
import { isVersionSince } from "../cli-program.ts";
import { exitText, lastLine, oneLine, withReason } from "../text.ts";
import { usageSince } from "../usage.ts";
import { resetTime } from "./reset-time.ts";

export type ClaudeMemory = {
  /** Null before its first event. */
  readonly cwd: string | null;
  readonly conversation: string | null;
  /** The last thing that the agent itself said; the result has it too, when there is one. */
  readonly lastText: string;
  /** The `error` of the last assistant event, such as rate_limit: the API call before it failed; empty when it did not. */
  readonly error: string;
  readonly rejected: { readonly resetsAt: EpochMs | null } | null;
  /** How long the server asked it to wait since its last answer, with a 429. */
  readonly retryAfterMs: number | null;
  readonly result: ClaudeResult | null;
  /** The last result, if it was good and nobody did anything since: Claude may still wait for a command in the background. */
  readonly done: ClaudeResult | null;
  /** As its first event tells it. */
  readonly version: string | null;
};

/** The event that ends the stream, unless Claude died. */
export type ClaudeResult = {
  readonly subtype: string;
  readonly isError: boolean;
  readonly status: number | null;
  readonly terminalReason: string;
  readonly text: string;
  readonly errors: readonly string[];
  readonly usage: Usage;
  readonly denials: readonly string[];
  /** In the form that was asked for; left out where it has none, or one too large to keep. */
  readonly answer?: unknown;
};

export const NOTHING_READ: ClaudeMemory = {
  cwd: null,
  conversation: null,
  lastText: "",
  error: "",
  rejected: null,
  retryAfterMs: null,
  result: null,
  done: null,
  version: null,
};

export function concludeClaude(memory: ClaudeMemory, ending: Ending): Conclusion {
  const { result, done } = memory;
  // It only waited when a clock ran out: what it said then is its last word, and its exit code that of our signal.
  const wasDone = ending.endedBy?.reason === "timeout" && done !== null;
  // It names the conversation that it could not find: nothing should ask for that one again.
  const isLost = result?.errors.some((error) => error.startsWith("No conversation found")) ?? false;
  return {
    failure: wasDone ? null : findFailure(memory, ending),
    usage: readUsage(memory, ending),
    conversation: isLost ? null : memory.conversation,
    text: (wasDone ? done.text : result?.text) || memory.lastText,
    denials: result?.denials ?? [],
    ...(result?.answer === undefined ? {} : { answer: result.answer }),
  };
}

/** Up to 2.1.276 each process counts from zero, even when it continues a conversation. */
const FIRST_TO_COUNT_ON = [2, 1, 277];

/** An unknown version is taken for an old one: people notice what is counted twice, but not what is not counted. */
function readUsage({ result, version }: ClaudeMemory, { before }: Ending): Usage {
  const told = result?.usage ?? NO_USAGE;
  const countsOn = isVersionSince(version ?? "", FIRST_TO_COUNT_ON);
  return before !== null && countsOn ? usageSince(before, told) : told;
}

/** The subtype "success" says nothing by itself: API errors have it as well. */
export function isGood({ subtype, isError }: Pick<ClaudeResult, "subtype" | "isError">): boolean {
  return !isError && subtype === "success";
}

/**
 * Why Claude did not do it. The subtype "success" says nothing, `is_error` does; the status is null for some API errors;
 * and the exit code is 1 for all of them. Typed fields come first, texts last, and the first row that fits decides.
 */
function findFailure(memory: ClaudeMemory, ending: Ending): AttemptFailure | null {
  const signs = readSigns(memory, ending);
  const { isFine, said } = signs;
  if (isFine && ending.code === 0) return null;
  // What ended well and then died: nothing that was said before is the reason.
  const row = isFine ? undefined : ROWS.find(([fits]) => fits(signs));
  if (row === undefined) return crash(signs, exitText(ending));
  const [, reason, otherwise] = row;
  const detail = said || (typeof otherwise === "string" ? otherwise : otherwise(signs));
  if (reason === "rate-limit") return { reason, retryAfterMs: memory.retryAfterMs, detail };
  if (reason !== "usage-limit") return { reason, detail };
  return { reason, resetsAt: signs.resetsAt ?? resetTime(signs.apiText, ending.at), detail };
}

/** Bad options, agents and settings end like this too: exit 1, and the reason on stderr. */
function crash({ isFine, said }: Signs, end: string): AttemptFailure {
  if (isFine) return { reason: "crash", detail: `${end} after its result` };
  return { reason: "crash", detail: withReason(`${end} without a result`, said) };
}

const MAX_DETAIL = 300;

function readSigns({ result, error, rejected, lastText }: ClaudeMemory, { stderr }: Ending) {
  const errorText = error === "" ? "" : lastText;
  const said = result?.text || result?.errors.join("; ") || errorText;
  // API errors come with the subtype "success".
  const isApiError = result === null ? error !== "" : result.isError && result.subtype === "success";
  return {
    /** There is a result, and it says that all went well. */
    isFine: result !== null && isGood(result),
    subtype: result?.subtype ?? null,
    /** Of the HTTP answer that ended it; 0 where Claude does not say. */
    status: result?.status ?? 0,
    error,
    terminalReason: result?.terminalReason ?? "",
    /** What it says about an API error; empty when the text is the agent's own, which may speak of limits, too. */
    apiText: isApiError ? `${said}\n${errorText}` : "",
    said: oneLine(said, MAX_DETAIL) || lastLine(stderr, MAX_DETAIL),
    resetsAt: rejected?.resetsAt ?? null,
  };
}

type Signs = ReturnType<typeof readSigns>;
type Reason = (typeof PLAIN_REASONS)[number] | "rejected" | "rate-limit" | "usage-limit";
type Row = readonly [
  fits: (signs: Signs) => boolean,
  reason: Reason,
  otherwise: string | ((signs: Signs) => string),
];

const USAGE_LIMIT = /\bhit your .{0,40}limit/i;

const ROWS: readonly Row[] = [
  [({ subtype }) => subtype === "error_max_budget_usd", "budget", "the attempt's budget is spent"],
  [({ subtype }) => subtype === "error_max_turns", "max-turns", "too many turns"],
  // The event comes with a subscription only; an API key has rate limits, but no usage limit. A request that was rejected
  // without a reset time was throttled: the server limits requests for seconds, and the usage limit is not reached.
  [
    ({ resetsAt, apiText }) => resetsAt !== null || USAGE_LIMIT.test(apiText),
    "usage-limit",
    "usage limit reached",
  ],
  [({ error }) => error === "billing_error", "billing", "billing problem with the account"],
  [({ status, error }) => status === 429 || error === "rate_limit", "rate-limit", "too many requests"],
  // After three 529 it gives up with a status of null, and says so in its text only.
  [
    ({ status, apiText }) => status >= 500 || /\b529 Overloaded\b/i.test(apiText),
    "overloaded",
    "the model's server is overloaded",
  ],
  [
    ({ status, error }) => status === 401 || status === 403 || error === "authentication_failed",
    "auth",
    "not logged in",
  ],
  [
    ({ status, terminalReason }) => status === 413 || terminalReason === "prompt_too_long",
    "context",
    "the prompt is too long",
  ],
  // A bad request, an unknown model.
  [({ status }) => status >= 400, "rejected", ({ status }) => `the model's server returned ${status}`],
  // Status null: cut connections, and requests that were never answered.
  [
    ({ error, apiText }) => error === "server_error" || /ECONN|Unable to connect|timed out/i.test(apiText),
    "network",
    "the model's server cannot be reached",
  ],
  // Interrupted by somebody else (2.1.325 exits with 0 then), a conversation that cannot be found, and whatever comes.
  [
    ({ subtype }) => subtype !== null,
    "agent-error",
    ({ subtype }) => `claude ended with ${subtype || "an empty result"}`,
  ],
];
