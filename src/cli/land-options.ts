import type { LandStyle, Publish } from "../core/plan.ts";
import { findUnusedLandOption } from "../core/select/landing-text.ts";
import { pickGiven } from "./flag.ts";
import type { Options } from "./flags.ts";
import { RequestError } from "./request-error.ts";

/** Landing options from flags, for `plait run` and `plait land`. Contains only given flags. */
export function readLandStyle(options: Options): Partial<LandStyle> {
  const { sign, signoff, onto, draft, reviewer: reviewers, label: labels } = options;
  return pickGiven({ as: options.as ?? options.landAs, sign, signoff, onto, draft, reviewers, labels });
}

/** Null if no such flag was given. */
export function readPublish({ prPerTask, pr, push }: Options): Publish | null {
  const proposed = prPerTask ? "--pr-per-task" : pr ? "--pr" : null;
  const refused = push === false ? "--no-push" : pr === false ? "--no-pr" : null;
  if (proposed !== null && refused !== null)
    throw new RequestError(
      `${proposed} and ${refused} cannot be combined`,
      `remove one: ${proposed} or ${refused}`,
    );
  if (proposed !== null) return prPerTask ? "pull-request-per-task" : "pull-request";
  if (push) return "push";
  return refused === null ? null : "no";
}

/** Without a pull request its flags would be ignored silently. */
export function checkPullRequestFlags(options: Options, publish: Publish): void {
  const unused = findUnusedLandOption(readLandStyle(options), publish);
  if (unused !== null) throw new RequestError(`${unused} needs a pull request`, "add the flag: --pr");
}
