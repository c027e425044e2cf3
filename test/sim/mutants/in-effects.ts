import { refName, splitAttemptId } from "../../../src/core/ids.ts";
import { ENDED_BLANKS, SAVED_BLANKS } from "../blanks.ts";
import type { Effect, EffectContext } from "../driver.ts";
import { taskOf } from "../effects.ts";
import { INTEGRATION, savedRef, TARGET } from "../world.ts";
import { inEffects, type Mutant } from "./mutant.ts";

/** Bugs of the loop around the core: the simulator sees them too, since the facts then say what is not so. */
export const EFFECT_MUTANTS: readonly Mutant[] = [
  inEffects("a commit that failed is taken for no change", ({ save }) => ({
    save: function* (hands, want): Effect {
      const live = hands.live(want.attempt);
      if (live === undefined || !hands.world.random.chance(0.3)) return yield* save(hands, want);
      const ref = refName(savedRef(want.attempt));
      const nothing = { result: live.base, changed: false, ...SAVED_BLANKS };
      yield { append: { type: "attempt.saved", attempt: want.attempt, ref, ...nothing } };
    },
  })),

  inEffects("what a failed attempt left is thrown away", ({ save }) => ({
    save: function* (hands, want): Effect {
      const live = hands.live(want.attempt);
      if (live?.stage.kind !== "save" || live.stage.ended.failure === null) return yield* save(hands, want);
      const ref = refName(savedRef(want.attempt));
      const nothing = { result: live.base, changed: false, ...SAVED_BLANKS };
      yield { append: { type: "attempt.saved", attempt: want.attempt, ref, ...nothing } };
    },
  })),

  inEffects("a new driver runs again what it finds started", () => ({
    attend: function* (hands, { attempt }): Effect {
      const { world } = hands;
      const live = hands.live(attempt)!;
      const process = world.spawn(attempt, taskOf(hands, splitAttemptId(attempt).task), live.worktree);
      yield { exit: process, limitMs: 3_600_000 };
      const usage = { costUsd: process.costUsd, inputTokens: null, outputTokens: null };
      yield {
        append: {
          type: "attempt.ended",
          attempt,
          failure: process.failure,
          usage,
          conversation: null,
          ...ENDED_BLANKS,
        },
      };
    },
  })),

  inEffects("it lands on the branch that is checked out now", () => ({
    land: function* ({ world }: EffectContext, { result, tip }): Effect {
      yield { sleep: world.pace.land };
      const from = world.git.ref(world.head)!;
      world.git.swap(world.head, from, result.commit);
      yield { append: { type: "run.landed", tip, target: refName(world.head), from, to: result, notes: [] } };
    },
  })),

  inEffects("a target that moved is joined and landed without a gate", ({ land }) => ({
    land: function* (hands, want): Effect {
      const { git } = hands.world;
      const at = git.ref(TARGET)!;
      const merged = git.merge(at, want.result.commit);
      if (git.isAncestor(at, want.result.commit) || !merged.ok) return yield* land(hands, want);
      const joined = git.commit({ parents: [at, want.result.commit], tree: merged.tree, trailers: [] });
      yield { sleep: hands.world.pace.land };
      hands.world.moveTarget(at, joined.commit);
      yield {
        append: {
          type: "run.landed",
          tip: want.tip,
          target: refName(TARGET),
          from: at,
          to: joined,
          notes: [],
        },
      };
    },
  })),

  inEffects("tasks are merged onto the base and the branch is moved there", () => ({
    merge: function* ({ world }, { from, tasks }): Effect {
      const { git, base } = world;
      yield { sleep: world.pace.merge };
      const work = git.revision(git.ref(savedRef(tasks[0]!.attempt))!);
      const merged = git.merge(base.commit, work.commit);
      const tree = merged.ok ? merged.tree : work.tree;
      const one = tasks.slice(0, 1);
      const result = git.commit({ parents: [base.commit, work.commit], tree, trailers: one });
      const merges = one.map((entry) => ({ ...entry, commit: result.commit }));
      yield { append: { type: "candidate.built", from, result, tasks: merges } };
    },
  })),

  inEffects("the branch is moved whatever it is at", () => ({
    advance: function* ({ world }, { from, to, tasks }): Effect {
      yield { sleep: world.pace.advance };
      world.moveIntegration({ from: world.git.ref(INTEGRATION)!, to, tasks });
      yield { append: { type: "integration.advanced", from, to, tasks } };
    },
  })),
];
