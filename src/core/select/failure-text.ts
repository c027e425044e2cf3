import type { AccountLimitReason, Finding } from "../facts.ts";
import type { AttemptFailure, FailureReason } from "../failure.ts";
import type { TimeLimits } from "../plan.ts";
import { elapsed } from "./run-words.ts";

/**
 * Why an attempt failed, as one clause: `gate test:tax red, 2 of 41 tests`. It names what happened and blames nobody;
 * what an agent or a tool said itself stands behind a colon.
 */
export function failureText(failure: AttemptFailure, limits: TimeLimits | null = null): string {
  switch (failure.reason) {
    case "gate":
      return gateText(failure);
    case "timeout":
      return timeoutText(failure.clock, limits);
    case "conflict":
      return conflictText(failure);
    case "ownership":
      return ownershipText(failure.findings, failure.detail);
    case "cancelled":
      return CANCELLED[failure.because];
    case "agent-error":
      // Also of commands, which are no agents.
      return isExitCode(failure.detail) ? failure.detail : said(PLAIN[failure.reason], failure.detail);
    default:
      return said(PLAIN[failure.reason], failure.detail);
  }
}

/** One word for the same, where a column says what kind of thing happened. */
export function failureWord({ reason }: AttemptFailure): string {
  switch (reason) {
    case "gate":
      return "red";
    case "timeout":
    case "cancelled":
      return "stopped";
    case "conflict":
      return "conflict";
    case "ownership":
    case "denied":
    case "rejected":
      return "refused";
    case "crash":
    case "agent-error":
    case "orphaned":
      return "crashed";
    default:
      return "retry";
  }
}

/** In a few words, for beside a mark in a picture: `gate test:tax`, `idle 5:00`, `conflict with payments`. */
export function shortFailure(failure: AttemptFailure, limits: TimeLimits | null = null): string {
  switch (failure.reason) {
    case "gate":
      return `gate ${failure.gate}`;
    case "timeout": {
      const ms = limits?.[`${failure.clock}Ms`];
      return ms === undefined ? SHORT_CLOCKS[failure.clock] : `${SHORT_CLOCKS[failure.clock]} ${elapsed(ms)}`;
    }
    case "conflict":
      return failure.with.length === 0 ? "conflict" : `conflict with ${someOf(failure.with)}`;
    case "ownership":
      return "outside its claims";
    case "cancelled":
      return CANCELLED[failure.because];
    case "agent-error":
      return isExitCode(failure.detail) ? failure.detail : PLAIN[failure.reason];
    default:
      return PLAIN[failure.reason];
  }
}

const isExitCode = (detail: string): boolean => /^exit code \d/.test(detail);

const SHORT_CLOCKS = { start: "no sign of life", idle: "idle", total: "not done after" } as const;

/** `gemini usage limit`; without an agent it is the account's. */
export function limitText(agent: string | null, why: AccountLimitReason): string {
  return `${agent ?? "account"} ${LIMITS[why]}`;
}

const LIMITS: { readonly [R in AccountLimitReason]: string } = {
  "rate-limit": "rate limit",
  "usage-limit": "usage limit",
  overloaded: "overloaded",
  auth: "not logged in",
  billing: "account cannot pay",
  network: "not reached",
};

type Told = "gate" | "timeout" | "conflict" | "ownership" | "cancelled";

const PLAIN: { readonly [R in Exclude<FailureReason, Told>]: string } = {
  "rate-limit": "rate limit",
  "usage-limit": "usage limit",
  overloaded: "server overloaded",
  auth: "not logged in",
  billing: "account cannot pay",
  network: "server not reached",
  budget: "budget of the attempt spent",
  "max-turns": "too many turns",
  context: "more than the model can hold",
  "agent-error": "agent error",
  "agent-said-no": "agent says it is not done",
  crash: "agent crashed",
  denied: "not allowed",
  "nothing-done": "ended without a change",
  environment: "environment",
  rejected: "rejected",
  orphaned: "found dead after plait was gone",
};

const CANCELLED = {
  stop: "stopped",
  cancel: "cancelled",
  superseded: "another attempt was first",
  "fail-fast": "stopped, another task failed",
} as const;

/** `gate.judged` gives `gate x is red: summary`; the name is known, so only the summary is news. */
function gateText({ gate, on, detail }: Extract<AttemptFailure, { reason: "gate" }>): string {
  const summary = detail.startsWith(`gate ${gate} is red: `)
    ? detail.slice(`gate ${gate} is red: `.length)
    : "";
  const where = on === "merge" ? " on the merged tree" : "";
  return `gate ${gate} red${where}${summary === "" ? "" : `, ${summary}`}`;
}

function timeoutText(clock: "start" | "idle" | "total", limits: TimeLimits | null): string {
  const texts = {
    start: ["no sign of life", " for ", limits?.startMs],
    idle: ["no output", " for ", limits?.idleMs],
    total: ["not done", " after ", limits?.totalMs],
  } as const;
  const [text, joint, ms] = texts[clock];
  return ms === undefined ? text : `${text}${joint}${elapsed(ms)}`;
}

function conflictText({ with: others, paths }: Extract<AttemptFailure, { reason: "conflict" }>): string {
  const opponents = others.length === 0 ? "" : ` with ${someOf(others)}`;
  return `conflict${opponents}${paths.length === 0 ? "" : ` in ${someOf(paths)}`}`;
}

function ownershipText(findings: readonly Finding[], detail: string): string {
  const paths = [...new Set(findings.map(({ path }) => path))];
  if (paths.length === 0) return said("outside its claims", detail);
  const areAll = (what: Finding["kind"]) => findings.every(({ kind }) => kind === what);
  const how = areAll("boundary")
    ? "behind its boundary"
    : areAll("guarded")
      ? "without the plan's consent"
      : "outside its claims";
  return `changed ${someOf(paths)}, ${how}`;
}

/** The first two, and how many more. */
function someOf(names: readonly string[]): string {
  const more = names.length - 2;
  return more > 0 ? `${names.slice(0, 2).join(", ")}, +${more}` : names.join(", ");
}

/** A detail that says the same again is left out. */
function said(headline: string, detail: string): string {
  const text = detail.trim();
  if (text === "" || text.toLowerCase().includes(headline)) return text === "" ? headline : text;
  return SELF_EXPLAINING.has(headline) ? headline : `${headline}: ${text}`;
}

const SELF_EXPLAINING: ReadonlySet<string> = new Set([PLAIN["nothing-done"], PLAIN.orphaned]);
