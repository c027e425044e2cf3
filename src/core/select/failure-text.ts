import type { AccountLimitReason, EpochMs, Finding } from "../facts.ts";
import { type AttemptFailure, type FailureReason, PROBED } from "../failure.ts";
import type { TimeLimits } from "../plan.ts";
import { elapsed, formatGateName } from "../text/figures.ts";
import {
  duration,
  gateName,
  name,
  paragraph,
  path,
  plainText,
  type Sentence,
  type SentencePart,
  sentence,
  task,
  time,
} from "../text/sentence.ts";

/**
 * Why an attempt failed, as one clause: `gate test:tax red, 2 of 41 tests`. Text of an agent or a tool itself stands behind a
 * colon.
 */
export function formatFailure(failure: AttemptFailure, limits: TimeLimits | null = null): Sentence {
  switch (failure.reason) {
    case "gate":
      return formatRedGate(failure);
    case "timeout":
      return formatTimeout(failure.clock, limits);
    case "conflict":
      return formatConflict(failure);
    case "ownership":
      return formatOwnership(failure.findings, failure.detail);
    case "incomplete":
      return sentence`did not create ${some(failure.paths.map(path))}`;
    case "cancelled":
      return CANCELLED[failure.because];
    default:
      return failure.isClause ? failure.detail : withDetail(PLAIN[failure.reason], failure.detail);
  }
}

/** The same behind `formatFailureWord`, which says the first word of it already. */
export function formatFailureRest(failure: AttemptFailure, limits: TimeLimits | null = null): Sentence {
  switch (failure.reason) {
    case "gate":
      return sentence`gate ${gateName(failure.gate)}${failure.summary === "" ? "" : `, ${failure.summary}`}`;
    case "conflict":
      return formatConflict(failure, "");
    case "crash":
      return failure.detail;
    default:
      return formatFailure(failure, limits);
  }
}

/** One word for the same, where a column says what kind of thing happened. */
export const formatFailureWord = ({ reason }: AttemptFailure): string => WORDS[reason] ?? "retry";

const WORDS: { readonly [R in FailureReason]?: string } = {
  gate: "red",
  timeout: "stopped",
  cancelled: "stopped",
  conflict: "conflict",
  incomplete: "missing",
  ownership: "refused",
  denied: "refused",
  rejected: "refused",
  crash: "crashed",
  "agent-error": "crashed",
  orphaned: "crashed",
};

/** In a few words, beside a mark in a picture: `gate test:tax`, `idle 5:00`, `conflict with payments`. */
export function formatFailureShort(failure: AttemptFailure, limits: TimeLimits | null = null): string {
  switch (failure.reason) {
    case "gate":
      return `gate ${formatGateName(failure.gate)}`;
    case "timeout": {
      const ms = limits?.[`${failure.clock}Ms`];
      return ms === undefined ? SHORT_CLOCKS[failure.clock] : `${SHORT_CLOCKS[failure.clock]} ${elapsed(ms)}`;
    }
    case "conflict": {
      const sides = failure.target === undefined ? failure.with : [failure.target];
      return sides.length === 0 ? "conflict" : `conflict with ${someOf(sides)}`;
    }
    case "ownership":
      return describeOwnership(failure.findings);
    case "incomplete":
      return `missing ${someOf(failure.paths)}`;
    case "cancelled":
      return CANCELLED[failure.because];
    default:
      return failure.isClause ? failure.detail : PLAIN[failure.reason];
  }
}

const SHORT_CLOCKS = { start: "no output", idle: "idle", total: "over time" } as const;

/** `gemini usage limit`; without an agent it is the account's. */
export function formatLimit(agent: string | null, why: AccountLimitReason): Sentence {
  return sentence`${name(agent ?? "account")} ${LIMITS[why]}`;
}

/** Whether a wait ends only when a check finds that a person or the network has ended its cause. */
export const endsByCheck = (why: string): boolean => (PROBED as ReadonlySet<string>).has(why);

/** Behind `paused` or a reason: ` until 14:55`; where the time is only that of the next check, ` (next check at 14:55)`. */
export function formatPauseEnd(until: EpochMs, isCheck: boolean): Sentence {
  return isCheck ? sentence` (next check ${time(until, "at")})` : sentence` ${time(until, "until")}`;
}

const LIMITS: { readonly [R in AccountLimitReason]: string } = {
  "rate-limit": "rate limit",
  "usage-limit": "usage limit",
  overloaded: "is overloaded",
  auth: "is not logged in",
  billing: "has a billing problem",
  network: "is unreachable",
};

type Typed = "gate" | "timeout" | "conflict" | "ownership" | "incomplete" | "cancelled";

const PLAIN: { readonly [R in Exclude<FailureReason, Typed>]: string } = {
  "rate-limit": "rate limit",
  "usage-limit": "usage limit",
  overloaded: "server overloaded",
  auth: "not logged in",
  billing: "billing problem",
  network: "server unreachable",
  budget: "attempt over budget",
  "max-turns": "turn limit reached",
  context: "context window exceeded",
  "agent-error": "agent error",
  "agent-said-no": "agent reported it is blocked",
  crash: "agent crashed",
  denied: "not allowed",
  "nothing-done": "made no changes",
  environment: "environment problem",
  rejected: "rejected",
  "not-started": "not started",
  orphaned: "interrupted together with plait",
};

const CANCELLED = {
  stop: "stopped",
  cancel: "dropped",
  superseded: "no longer needed",
  "fail-fast": "stopped because another task failed",
  "red-base": "interrupted because the base commit is red",
} as const;

function formatRedGate({ gate, on, summary }: Extract<AttemptFailure, { reason: "gate" }>): Sentence {
  const where = on === "merge" ? " on the merged tree" : "";
  return sentence`gate ${gateName(gate)} red${where}${summary === "" ? "" : `, ${summary}`}`;
}

function formatTimeout(clock: "start" | "idle" | "total", limits: TimeLimits | null): Sentence {
  const [text, joint] = CLOCKS[clock];
  const ms = limits?.[`${clock}Ms`];
  return ms === undefined ? text : sentence`${text} ${joint} ${duration(ms)}`;
}

const CLOCKS = {
  start: ["no first output", "for"],
  idle: ["no output", "for"],
  total: ["timed out", "after"],
} as const;

function formatConflict(failure: Conflict, word = "conflict "): Sentence {
  const { paths, with: others, target } = failure;
  const sides = target === undefined ? others.map(task) : [name(target)];
  const whom = sides.length === 0 ? [] : [sentence`with ${some(sides)}`];
  const where = paths.length === 0 ? [] : [sentence`in ${some(paths.map(path))}`];
  if (whom.length + where.length === 0) return "conflict";
  return sentence`${word}${paragraph([...whom, ...where])}`;
}

type Conflict = Extract<AttemptFailure, { reason: "conflict" }>;

function formatOwnership(findings: readonly Finding[], detail: string): Sentence {
  const paths = [...new Set(findings.map((one) => one.path))];
  const how = describeOwnership(findings);
  return paths.length === 0 ? withDetail(how, detail) : sentence`${how}: ${some(paths.map(path))}`;
}

/** What is wrong with the change of these paths, where it is the same for all. */
function describeOwnership([first, ...others]: readonly Finding[]): string {
  const kind = others.every((one) => one.kind === first?.kind) ? first?.kind : undefined;
  return OWNERSHIP[kind ?? "outside-claims"] ?? OUTSIDE;
}

const OUTSIDE = "changed paths it does not own";

const OWNERSHIP: { readonly [K in Finding["kind"]]?: string } = {
  "outside-claims": OUTSIDE,
  boundary: "changed paths in its boundary",
  guarded: "changed protected files without consent",
  submodule: "left changes uncommitted in a submodule",
};

/** The first two, and how many more. */
function some(parts: readonly SentencePart[]): Sentence {
  const more = parts.length - 2;
  const shown = parts.slice(0, 2).flatMap((part, n) => (n === 0 ? [part] : [", ", part]));
  return more > 0 ? [...shown, `, +${more}`] : shown;
}

/** The same of names that are text already. */
export const someOf = (names: readonly string[]): string => plainText(some(names));

/** A detail of an agent that repeats the headline is left out. */
function withDetail(headline: string, detail: string): string {
  const text = detail.trim();
  if (text === "") return headline;
  if (text.toLowerCase().includes(headline)) return text;
  return SELF_EXPLAINING.has(headline) ? headline : `${headline}: ${text}`;
}

const SELF_EXPLAINING: ReadonlySet<string> = new Set([PLAIN.orphaned]);
