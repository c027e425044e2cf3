import type { AttemptFailure } from "../../core/failure.ts";
import type { Ending } from "../adapter.ts";
import { exitText } from "../exit-text.ts";
import { lastLine, oneLine } from "../text.ts";
import type { ClaudeMemory } from "./memory.ts";
import { resetTime } from "./reset-time.ts";
import { isGood } from "./result.ts";

/**
 * Why Claude did not do it. The subtype "success" says nothing, `is_error` does; the status is null for some API errors;
 * and the exit code is 1 for all of them. Typed fields come first, texts last, and the first row that fits decides.
 */
export function failureOf(memory: ClaudeMemory, ending: Ending): AttemptFailure | null {
  const signs = signsOf(memory, ending);
  if (signs.isFine && ending.code === 0) return null;
  // What ended well and then died: nothing that was said before is the reason.
  const row = signs.isFine ? undefined : ROWS.find(({ fits }) => fits(signs));
  return row === undefined ? crash(signs, ending) : row.failure(signs);
}

type Signs = {
  /** There is a result, and it says that all went well. */
  readonly isFine: boolean;
  /** Null without a result. */
  readonly subtype: string | null;
  readonly isError: boolean;
  /** Of the HTTP answer that ended it; 0 where Claude does not say. */
  readonly status: number;
  readonly error: string;
  readonly terminalReason: string;
  /** What it says about an API error; empty when the text is the agent's own, which may speak of limits, too. */
  readonly apiText: string;
  readonly said: string;
  readonly rejected: ClaudeMemory["rejected"];
  readonly retryAfterMs: number | null;
  readonly at: number;
};

function signsOf(memory: ClaudeMemory, { stderr, at }: Ending): Signs {
  const { result, error, rejected, retryAfterMs } = memory;
  const errorText = error === "" ? "" : memory.lastText;
  const said = result?.text || result?.errors.join("; ") || errorText;
  // API errors come with the subtype "success".
  const isApiError = result === null ? error !== "" : result.isError && result.subtype === "success";
  return {
    isFine: result !== null && isGood(result),
    subtype: result?.subtype ?? null,
    isError: result?.isError ?? false,
    status: result?.status ?? 0,
    error,
    terminalReason: result?.terminalReason ?? "",
    apiText: isApiError ? `${said}\n${errorText}` : "",
    said: oneLine(said, MAX_DETAIL) || lastLine(stderr, MAX_DETAIL),
    rejected,
    retryAfterMs,
    at,
  };
}

const MAX_DETAIL = 300;

const USAGE_LIMIT = /\bhit your .{0,40}limit/i;

type Row = {
  readonly fits: (signs: Signs) => boolean;
  readonly failure: (signs: Signs) => AttemptFailure;
};

const ROWS: readonly Row[] = [
  {
    fits: ({ subtype }) => subtype === "error_max_budget_usd",
    failure: ({ said }) => ({ reason: "budget", detail: said || "the budget of the attempt is spent" }),
  },
  {
    fits: ({ subtype }) => subtype === "error_max_turns",
    failure: ({ said }) => ({ reason: "max-turns", detail: said || "too many turns" }),
  },
  {
    // The event comes with a subscription only; an API key has rate limits, but no usage limit. A request that was rejected
    // without a reset time was throttled: the server limits requests for seconds, and the usage limit is not reached.
    fits: ({ rejected, apiText }) =>
      (rejected !== null && rejected.resetsAt !== null) || USAGE_LIMIT.test(apiText),
    failure: ({ said, rejected, apiText, at }) => ({
      reason: "usage-limit",
      resetsAt: rejected?.resetsAt ?? resetTime(apiText, at),
      detail: said || "usage limit reached",
    }),
  },
  {
    fits: ({ error }) => error === "billing_error",
    failure: ({ said }) => ({ reason: "billing", detail: said || "billing problem with the account" }),
  },
  {
    fits: ({ status, error }) => status === 429 || error === "rate_limit",
    failure: ({ said, retryAfterMs }) => ({
      reason: "rate-limit",
      retryAfterMs,
      detail: said || "too many requests",
    }),
  },
  {
    // After three 529 it gives up with a status of null, and says so in its text only.
    fits: ({ status, apiText }) => status >= 500 || /\b529 Overloaded\b/i.test(apiText),
    failure: ({ said }) => ({ reason: "overloaded", detail: said || "the model's server is overloaded" }),
  },
  {
    fits: ({ status, error }) => status === 401 || status === 403 || error === "authentication_failed",
    failure: ({ said }) => ({ reason: "auth", detail: said || "not logged in" }),
  },
  {
    fits: ({ status, terminalReason }) => status === 413 || terminalReason === "prompt_too_long",
    failure: ({ said }) => ({ reason: "context", detail: said || "the prompt is too long" }),
  },
  {
    // A bad request, an unknown model.
    fits: ({ status }) => status >= 400,
    failure: ({ said, status }) => ({
      reason: "rejected",
      detail: said || `the model's server returned ${status}`,
    }),
  },
  {
    // Status null: cut connections, and requests that were never answered.
    fits: ({ error, apiText }) =>
      error === "server_error" || /ECONN|Unable to connect|timed out/i.test(apiText),
    failure: ({ said }) => ({ reason: "network", detail: said || "the model's server cannot be reached" }),
  },
  {
    // Interrupted by somebody else (2.1.325 exits with 0 then), a conversation that cannot be found, and whatever comes.
    fits: ({ subtype }) => subtype !== null,
    failure: ({ said, subtype }) => ({
      reason: "agent-error",
      detail: said || `claude ended with ${subtype || "an empty result"}`,
    }),
  },
];

/** Bad options, agents and settings end like this too: exit 1, and the reason on stderr. */
function crash({ isFine, said }: Signs, ending: Ending): AttemptFailure {
  const end = isFine ? `${exitText(ending)} after its result` : `${exitText(ending)} without a result`;
  return { reason: "crash", detail: said === "" || isFine ? end : `${end}: ${said}` };
}
