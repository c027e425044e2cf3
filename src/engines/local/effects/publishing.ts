// What the run made, on the server: the target that has landed is pushed, or the result goes to a branch of its own and is proposed
// for the target by `gh`. Both as the user would do it, with the user's own credentials.

import { pushTarget } from "../../../git/index.ts";
import type { Effects } from "../driver.ts";
import type { RunContext } from "../run-context.ts";
import { buildLandingInput, isBuiltFirst } from "./landing.ts";
import { type Problem, proposeResult } from "./proposing.ts";

export function publishEffect(site: RunContext): Effects["publish"] {
  return async (want, hands) => {
    const { target, policy } = hands.state();
    const { tip, result } = want;
    const refuse = (detail: string, { said, pushed = [] }: Omit<Problem, "problem"> = {}) =>
      hands.record({
        ...{ type: "publishing.refused", tip, detail: site.masker.text(inOneLine(detail)) },
        ...(said !== undefined && { said: site.masker.text(said) }),
        ...(pushed.length > 0 && { pushed }),
      });
    if (target === null) return refuse("the run has no target branch: HEAD was detached when it started");
    const place = { ...buildLandingInput(site), target, remote: null };
    if (policy.publish === "push") {
      const pushed = await pushTarget(site.shadow, { ...place, commit: result.commit });
      if (pushed.kind === "refused") return refuse(`not pushed: ${pushed.detail}`, pushed);
      const { remote, branch } = pushed;
      return hands.record({ type: "run.published", tip, commit: result.commit, remote, branch, url: null });
    }
    if (await isBuiltFirst(site, want, hands)) return;
    const proposed = await proposeResult(site, hands, { target, commit: result.commit });
    if ("problem" in proposed) return refuse(proposed.problem, proposed);
    await hands.record({ type: "run.published", tip, commit: result.commit, ...proposed });
  };
}

/** Servers say it in several lines. */
const inOneLine = (text: string): string => text.trim().replaceAll(/\s*\n\s*/g, "; ");
