import type { FactBody } from "../../core/facts.ts";
import type { EffectFailureCause } from "../../core/failure.ts";
import { GitError, MovedBranch } from "../../git/index.ts";
import { errnoOf, errorText } from "../../util/errno.ts";

type EffectFailedBody = Extract<FactBody, { type: "effect.failed" }>;

/** The fact about a step of plait's own that threw; the core decides by its cause when and how often it is retried. */
export function buildEffectFailure(
  key: string,
  error: unknown,
  mask: (text: string) => string,
): EffectFailedBody {
  const detail = mask(errorText(error));
  const cause = findCause(error);
  return { type: "effect.failed", key, detail, ...(cause === null ? {} : { cause }) };
}

/** Null: nothing is known to pass quickly or slowly. */
function findCause(error: unknown): EffectFailureCause | null {
  if (error instanceof MovedBranch) return "moved";
  if (error instanceof GitError) {
    if (error.code === "no-space") return "no-space";
    return error.code === "lock-contention" || error.code === "busy" ? "busy" : "git";
  }
  return CAUSES[errnoOf(error) ?? ""] ?? null;
}

const CAUSES: { readonly [errno: string]: EffectFailureCause } = {
  ENOSPC: "no-space",
  EDQUOT: "no-space",
  EAGAIN: "busy",
  EBUSY: "busy",
  EMFILE: "busy",
  ENFILE: "busy",
  ENOMEM: "busy",
};
