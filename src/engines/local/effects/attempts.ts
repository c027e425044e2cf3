// One attempt from its first fact to `attempt.ended`. The first fact is durable before anything exists; the last one before
// anything is saved. Until its program runs, a failure is plait's own and is retried (start-attempt.ts). From there on it
// is an end with a reason: an attempt is made once.

import { type AttemptId, splitAttemptId } from "../../../core/ids.ts";
import type { StopCause } from "../../../core/run-state.ts";
import { uniqueMarker } from "../../../process/markers.ts";
import { reapMarked } from "../../../process/reap.ts";
import { deferred } from "../../../util/deferred.ts";
import type { EffectContext, Effects } from "../driver.ts";
import { liveAttempt, type RunContext } from "../run-context.ts";
import { releaseSettled } from "./saving.ts";
import {
  type Conduct,
  type Control,
  cancelled,
  type EndedBody,
  endedWith,
  formatLeft,
  retryUntilSpawned,
} from "./start-attempt.ts";
import { runWork } from "./work.ts";
import { openWorktree } from "./worktree.ts";

export function attemptEffects(site: RunContext): Pick<Effects, "start" | "attend" | "stop"> {
  const underWay = new Map<AttemptId, UnderWay>();

  /** Known from before its first fact, because a stop may be wanted as soon as that is folded. */
  async function track(
    attempt: AttemptId,
    signal: AbortSignal,
    conduct: (control: Control) => Promise<void>,
  ): Promise<void> {
    const way = beginWay();
    underWay.set(attempt, way);
    // The driver gives up: nobody would take note of what the agent does from now on.
    signal.addEventListener("abort", () => way.ask("stop", true), { once: true });
    try {
      await conduct(way.control);
    } finally {
      underWay.delete(attempt);
      way.finished();
    }
  }

  return {
    start: (want, hands) =>
      track(want.attempt, hands.signal, async (control) => {
        const marker = uniqueMarker(site.run, want.attempt.replace("/", "."));
        // A conversation is found from the folder that it was held in: what a dead attempt left there is on its way out.
        if (want.fix !== null) await releaseSettled(site, hands.state());
        const worktree = site.pool.reserve(want.attempt, want.fix?.attempt ?? null);
        await hands.record({
          type: "attempt.started",
          attempt: want.attempt,
          base: want.base,
          worktree,
          marker,
          author: "agent",
          continues: want.fix?.attempt ?? null,
          worker: null,
        });
        const starting = { want, marker, hands, control };
        const perform = () => retryUntilSpawned(site, starting, (one) => conduct(site, one));
        await hands.record(await site.targetWatch.during(hands, site.sandbox.keepsRefs, perform));
      }),
    attend: ({ attempt }, hands) =>
      track(attempt, hands.signal, async () => {
        await hands.record(await findDead(attempt, hands));
      }),
    stop: async ({ attempt, because, kill }) => {
      const way = underWay.get(attempt);
      way?.ask(because, kill);
      await way?.done;
    },
  };
}

type UnderWay = {
  readonly control: Control;
  readonly ask: (because: StopCause, kill: boolean) => void;
  readonly done: Promise<void>;
  readonly finished: () => void;
};

function beginWay(): UnderWay {
  const abort = new AbortController();
  let asked: StopCause | null = null;
  let kill = false;
  let stop: ((how: { readonly kill: boolean }) => void) | null = null;
  const done = deferred<void>();
  return {
    control: {
      asked: () => asked,
      signal: abort.signal,
      onAsk: (listener) => {
        stop = listener;
        if (asked !== null) listener({ kill });
      },
    },
    ask: (because, isKill) => {
      asked ??= because;
      kill ||= isKill;
      abort.abort();
      stop?.({ kill });
    },
    done: done.promise,
    finished: done.resolve,
  };
}

async function conduct(site: RunContext, conducted: Conduct): Promise<EndedBody> {
  const { want, control, marker, hands } = conducted;
  // Merged work is in the base: only the conversation continues.
  const after = want.fix?.because ? want.fix.attempt : null;
  const asked = { attempt: want.attempt, base: want.base, after, marker, signal: control.signal };
  const { lease, prepared } = await openWorktree(site, hands.state(), asked);
  const ask = control.asked();
  if (ask !== null) return endedWith(want.attempt, cancelled(ask));
  if (!prepared.ok) {
    const reason = prepared.isFinal ? "rejected" : "environment";
    return endedWith(want.attempt, { reason, detail: site.masker.text(prepared.detail) });
  }
  return runWork(site, conducted, lease);
}

/** Begun by a driver that is no more: its processes are ended, and what they left is saved like any other work. */
async function findDead(attempt: AttemptId, hands: EffectContext): Promise<EndedBody> {
  const { marker, stage, worktree } = liveAttempt(hands.state(), attempt);
  const process = stage.kind === "run" ? stage.process : null;
  const left = await reapMarked({ marker, worktree, process });
  const { task } = splitAttemptId(attempt);
  const detail = `plait ended before this attempt of ${task}${formatLeft(left)}`;
  return endedWith(attempt, { reason: "orphaned", detail });
}
