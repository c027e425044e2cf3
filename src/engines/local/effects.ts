import type { Adapter } from "../../agents/adapter.ts";
import { findAgent } from "../../agents/registry.ts";
import type { AccountKey } from "../../core/ids.ts";
import type { Env } from "../../core/plan.ts";
import { accountOf } from "../../core/queries.ts";
import type { RunState } from "../../core/run-state.ts";
import type { Want } from "../../core/want.ts";
import { pushTarget } from "../../git/index.ts";
import { uniqueMarker } from "../../process/markers.ts";
import type { Effects } from "./driver.ts";
import { attemptEffects } from "./effects/attempts.ts";
import { finishEffect } from "./effects/finishing.ts";
import { gateEffect } from "./effects/judging.ts";
import { buildLandingInput, isBuiltFirst, landEffect, undoEffect } from "./effects/landing.ts";
import { mergeEffects } from "./effects/merging.ts";
import { type Problem, proposeResult } from "./effects/proposing.ts";
import { saveEffect } from "./effects/saving.ts";
import { refuseUnexplained } from "./effects/unexplained.ts";
import { openWorktree } from "./effects/worktree.ts";
import { findChangedAccounts } from "./find-accounts.ts";
import { loginProblem, probeAgent } from "./probe-agent.ts";
import { canReach } from "./reach.ts";
import type { RunContext } from "./run-context.ts";

/** How each want is performed on this machine: with git, processes and files. */
export function localEffects(site: RunContext): Effects {
  return {
    ...attemptEffects(site),
    save: saveEffect(site),
    gate: gateEffect(site),
    ...mergeEffects(site),
    probe: probeEffect(site),
    land: landEffect(site),
    open: openEffect(site),
    publish: publishEffect(site),
    undo: undoEffect(site),
    finish: finishEffect(site),
  };
}

/**
 * A task for a person: its worktree prepared like any other, with what the last attempt left in it. Where merged work of
 * others is in the way, both sides are in the files.
 */
function openEffect(site: RunContext): Effects["open"] {
  return async ({ key, open: { attempt, base, after } }, { state, record, signal }) => {
    const marker = uniqueMarker(site.run, "open");
    const asked = { attempt, base, after: after?.attempt ?? null, marker, signal, forPerson: true };
    const { lease, conflicts, prepared } = await openWorktree(site, state(), asked);
    if (signal.aborted) return;
    // A person can do without the set-up, or mend it there: what went wrong is told, and the worktree is theirs.
    if (!prepared.ok) await record({ type: "effect.failed", key, detail: prepared.detail });
    await record({ type: "worktree.opened", attempt, worktree: lease.slot.path, conflicts });
  };
}

/**
 * The target that has landed is pushed, or the result goes to a branch of its own and is proposed for the target by
 * `gh`.
 */
function publishEffect(site: RunContext): Effects["publish"] {
  return async (want, hands) => {
    const { target, policy } = hands.state();
    const { tip, result } = want;
    const refuse = (detail: string, { said, byHand, pushed = [] }: Omit<Problem, "problem"> = {}) =>
      hands.record({
        ...{ type: "publishing.refused", tip, detail: site.masker.text(inOneLine(detail)) },
        ...(said !== undefined && { said: site.masker.text(said) }),
        ...(byHand !== undefined && { byHand }),
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
    if (await refuseUnexplained(site, want, hands)) return;
    if (await isBuiltFirst(site, want, hands)) return;
    const proposed = await proposeResult(site, hands, { target, commit: result.commit });
    if ("problem" in proposed) return refuse(proposed.problem, proposed);
    await hands.record({ type: "run.published", tip, commit: result.commit, ...proposed });
  };
}

/** Servers say it in several lines. */
const inOneLine = (text: string): string => text.trim().replaceAll(/\s*\n\s*/g, "; ");

/**
 * Whether an account that was limited works again. Nothing is spent to find out: servers are connected to, or the
 * program is asked for its login or version; else time decides. The first attempt that starts tells the rest, and if it
 * fails for the same reason the account waits twice as long.
 */
function probeEffect(site: RunContext): Effects["probe"] {
  return async ({ account, why }, hands) => {
    const use = useOf(hands.state(), account);
    const found = use === null ? null : findAgent(site.agents, use.agent);
    const env = { ...site.env, ...site.values.open(use?.env ?? {}) };
    const ok = found?.ok ? await works(site, { adapter: found.adapter, env, why }) : true;
    const accounts = ok ? await findChangedAccounts(hands.state(), site) : null;
    if (accounts !== null) await hands.record({ type: "accounts.changed", accounts });
    await hands.record({ type: "account.probed", account, ok });
  };
}

type Question = {
  readonly adapter: Adapter;
  readonly env: Env;
  readonly why: Extract<Want, { kind: "probe" }>["why"];
};

async function works(site: RunContext, { adapter, env, why }: Question): Promise<boolean> {
  const asking = { env, cwd: site.folder.path, run: site.run };
  if (why === "network") return (await canReach(adapter.servers(env), env, site.clock)) ?? true;
  if (why === "auth" && adapter.login !== null) return (await loginProblem(adapter.login, asking)) === null;
  return (await probeAgent(adapter, asking)).ok;
}

/** How a task that shares the account uses its agent. */
function useOf(state: RunState, account: AccountKey): { agent: string; env: Env } | null {
  const i = state.index.plan.tasks.findIndex((_, task) => accountOf(state, task) === account);
  const task = state.index.plan.tasks[i];
  return task?.work.kind === "agent" ? { agent: task.work.agent.use, env: task.env } : null;
}
