import type { RefName } from "../ids.ts";
import type { PushByHand } from "../landing-types.ts";
import type { RunState } from "../run-state.ts";
import { type Command, type NextStep, otherCommand, plait } from "../text/command.ts";
import { shortRef } from "../text/figures.ts";

/** What to type after a push was refused. */

type Place = Pick<PushByHand, "remote" | "branch">;

/** git asks how to merge where the configuration does not say it, and a rebase would replace the commits that landed. */
export const pullByHand = ({ remote, branch }: Place): Command =>
  otherCommand("git", "pull", ["--no-rebase", remote, branch]);

export function pushByHand(target: RefName, { remote, branch }: Place): Command {
  const own = shortRef(target);
  return otherCommand("git", "push", [remote, own === branch ? own : `${own}:${branch}`]);
}

/** The next landing finds the push on the server and pushes nothing. */
export function pushSteps({ run, target, published }: RunState): [NextStep, ...NextStep[]] {
  const byHand = published.kind === "refused" ? published.byHand : undefined;
  if (byHand === undefined || target === null)
    return [{ command: plait("land", run), purpose: "push again" }];
  const { why, remote } = byHand;
  const push = { command: pushByHand(target, byHand), purpose: `push ${shortRef(target)}` };
  if (why === "rewritten") return [push];
  const record = { command: plait("land", run), purpose: "record that the work is pushed" };
  if (why !== "behind") return [push, record];
  return [{ command: pullByHand(byHand), purpose: `merge the new commits of ${remote}` }, push, record];
}
