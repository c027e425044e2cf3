import type { FactBody, Policy } from "./facts.ts";
import type { RefName } from "./ids.ts";
import { isProposed, type LandStyle, type Publish } from "./plan.ts";
import type { RunState } from "./run-state.ts";
import { otherCommand, plait } from "./text/command.ts";
import { shortOid } from "./text/figures.ts";
import { refuseCommand, type UserRefusal } from "./text/refusal.ts";
import { command, fix, sentence } from "./text/sentence.ts";

/** How a person wants the result to land, where it differs from how the run was started. */
export type LandRequest = Partial<
  Pick<LandStyle, "as" | "sign" | "signoff" | "draft" | "reviewers" | "labels">
> & {
  readonly publish?: Publish;
  /** Another branch than that of the start. */
  readonly target?: RefName;
};

/** `busy`: why the run is not at rest, null where it is. */
export function decideLanding(
  state: RunState,
  request: LandRequest,
  busy: UserRefusal | null,
): readonly FactBody[] | UserRefusal {
  const policy = changePolicy(state, request);
  const isPublished = policy.publish === "no" || state.published.kind === "published";
  if (state.landing.kind === "landed") {
    const already = `${state.run} has already landed as ${shortOid(state.landing.to.commit)}`;
    if (isPublished) return refuseCommand(already);
    if (request.as !== undefined || request.target !== undefined)
      return refuseCommand(
        already,
        fix("to change its style or branch, undo it first", plait("undo", state.run)),
      );
  }
  if (state.tip.commit === state.base.commit)
    return refuseCommand(`${state.run} has no merged tasks to land`);
  if (state.tip.commit === state.landedTip && isPublished)
    return refuseCommand(`all merged work of ${state.run} has already landed`);
  const isAgain = isProposed(policy.publish) && state.published.kind === "published";
  const open = isAgain ? refuseOpenPullRequest(state, request) : null;
  if (open !== null) return open;
  if (busy !== null)
    return { ...busy, hint: busy.hint ?? fix("stop the run first", plait("stop", state.run, { now: true })) };
  const { target } = request;
  const isOther = target !== undefined && target !== state.target;
  return [
    ...(policy === state.policy ? [] : [{ type: "policy.changed", policy, for: "landing" } as const]),
    { type: "landing.asked", ...(isOther && { target }), ...(isAgain && { again: true as const }) },
  ];
}

/** The request may mean the branch itself; an open pull request is updated only on request. */
function refuseOpenPullRequest(state: RunState, request: LandRequest): UserRefusal | null {
  const { published, run } = state;
  const [first, ...others] = published.kind === "published" ? published.pullRequests : [];
  if (first === undefined) return null;
  const { url, base } = first;
  const target = request.target?.replace(/^refs\/heads\//, "") ?? base;
  if (others.length === 0 && target !== base && request.publish !== undefined)
    return refuseCommand(
      `pull request ${url} is open into ${base}`,
      fix("change its base first", otherCommand("gh", "pr edit", [url, "--base", target])),
    );
  const { publish, reviewers = [], labels = [] } = request;
  if (publish !== undefined || reviewers.length + labels.length > 0) return null;
  const isOne = others.length === 0;
  const update = plait("land", run, isOne ? { pr: true } : { "pr-per-task": true });
  const land = plait("land", run, { "no-pr": true, onto: target === base ? undefined : target });
  return refuseCommand(
    isOne
      ? `pull request ${url} into ${base} is open`
      : `${others.length + 1} pull requests are open, the first is ${url} into ${base}`,
    sentence`update ${isOne ? "it" : "them"}: ${command(update)}, or land on ${target} instead: ${command(land)}`,
  );
}

function changePolicy({ policy }: RunState, { publish, target: _, ...style }: LandRequest): Policy {
  const asked = Object.entries(style).filter(([name]) => STYLE.has(name));
  if (publish === undefined && asked.length === 0) return policy;
  const landStyle: LandStyle = { ...policy.landStyle, ...Object.fromEntries(asked) };
  return { ...policy, landStyle, publish: publish ?? policy.publish };
}

/** The command that carries the request has fields of its own. */
const STYLE: ReadonlySet<string> = new Set(["as", "sign", "signoff", "draft", "reviewers", "labels"]);
