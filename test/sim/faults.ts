import type { AccountLimitReason, StopMode } from "../../src/core/facts.ts";
import type { EffectFailureCause } from "../../src/core/failure.ts";
import type { Kind } from "./plans.ts";
import type { Random } from "./random.ts";

/** What befalls a run: each between two events, wherever `step` falls, or after the end when the run is shorter. */
export type Fault = { readonly step: number } & FaultBody;

export type FaultBody =
  /** The driver dies; agents live on unless a reaper ends them; the next wall clock may say anything. */
  | { readonly kind: "crash"; readonly downMs: number; readonly wallMs: number; readonly reaps: boolean }
  /** A fact comes again: the last one, or any older one of a kind that workers repeat. */
  | { readonly kind: "echo"; readonly pick: number; readonly isLast: boolean }
  /** A worker that was given up speaks after all. */
  | { readonly kind: "late"; readonly pick: number; readonly what: "spawned" | "ended" | "saved" }
  /** The machine is suspended: the wall clock moves, and nothing else does. */
  | { readonly kind: "sleep"; readonly ms: number }
  | { readonly kind: "stop"; readonly mode: StopMode }
  | { readonly kind: "pause" }
  | { readonly kind: "unpause" }
  | { readonly kind: "resize"; readonly slots: number }
  | { readonly kind: "land" }
  | { readonly kind: "undo" }
  | { readonly kind: "cancel" | "approve" | "open" | "accept"; readonly pick: number }
  | { readonly kind: "retry"; readonly pick: number; readonly now: boolean }
  | { readonly kind: "add" | "remove" | "restore" | "change" | "redo"; readonly pick: number }
  /** Another run learned of a limit. */
  | {
      readonly kind: "limit";
      readonly pick: number;
      readonly durationMs: number;
      readonly why: AccountLimitReason;
    }
  /** A person wants every wait to end: one attempt of each limited account is let through. */
  | { readonly kind: "hurry" }
  /** What was shared about an account is removed. */
  | { readonly kind: "forget"; readonly pick: number }
  /** The driver is gone, and a person logs in with another account before the run is resumed. */
  | { readonly kind: "login"; readonly pick: number }
  /** The user commits to the target; a poison makes it red together with the work. */
  | { readonly kind: "commit"; readonly path: string; readonly isPoison: boolean }
  | { readonly kind: "switch" }
  /** Somebody else moves the integration branch. */
  | { readonly kind: "push" }
  | { readonly kind: "dirty" }
  /** Every call of git fails for so long. */
  | { readonly kind: "break"; readonly forMs: number; readonly cause: EffectFailureCause }
  /** Something in the work needs a person's eye. */
  | { readonly kind: "hold"; readonly pick: number }
  | { readonly kind: "resume" };

export function randomFaults(random: Random, kind: Kind, tasks: number): Fault[] {
  const count = random.weighted([
    [15, 0],
    [40, random.int(1, 3)],
    [45, random.int(4, 9)],
  ]);
  const faults = Array.from({ length: count }, (): Fault => {
    return { step: random.int(1, 25 * tasks + 20), ...randomFault(random, kind) };
  });
  return faults.sort((a, b) => a.step - b.step);
}

function randomFault(random: Random, kind: Kind): FaultBody {
  const gentle = [
    [30, randomCrash],
    [10, randomEcho],
    [6, randomLate],
    [8, (): FaultBody => ({ kind: "stop", mode: random.pick(["drain", "stop", "kill"]) })],
    [4, (): FaultBody => ({ kind: "pause" })],
    [4, (): FaultBody => ({ kind: "unpause" })],
    [
      6,
      (): FaultBody => ({
        kind: "resize",
        slots: random.weighted([
          [2, 1],
          [1, random.int(1, 16)],
        ]),
      }),
    ],
    [8, randomLimit],
    [4, (): FaultBody => ({ kind: "hurry" })],
    [3, (): FaultBody => ({ kind: "forget", pick: random.int(0, 2) })],
    [3, (): FaultBody => ({ kind: "login", pick: random.int(0, 9) })],
    [4, (): FaultBody => ({ kind: "sleep", ms: random.int(1, 600) * 60_000 })],
    [3, (): FaultBody => ({ kind: "resume" })],
    [12, randomBreak],
  ] as const;
  const harsh = [
    [30, randomTaskCommand],
    [10, randomRevision],
    [12, randomCommit],
    [2, (): FaultBody => ({ kind: "switch" })],
    [2, (): FaultBody => ({ kind: "push" })],
    [3, (): FaultBody => ({ kind: "dirty" })],
    [3, (): FaultBody => ({ kind: "land" })],
    [2, (): FaultBody => ({ kind: "undo" })],
    [3, (): FaultBody => ({ kind: "hold", pick: random.int(0, 999) })],
  ] as const;
  return random.weighted<(random: Random) => FaultBody>(kind === "wild" ? [...gentle, ...harsh] : gentle)(
    random,
  );
}

const DAY = 86_400_000;

function randomCrash(random: Random): FaultBody {
  return {
    kind: "crash",
    downMs: random.weighted([
      [5, 0],
      [4, random.int(1, 600) * 1000],
      [1, random.int(1, 48) * 3_600_000],
    ]),
    wallMs: random.chance(0.2) ? random.int(-DAY, DAY) : 0,
    reaps: random.chance(0.5),
  };
}

/** Some pass before plait notices, some while it retries, some stop the run. */
function randomBreak(random: Random): FaultBody {
  const forMs = random.weighted([
    [3, random.int(1, 2_000)],
    [3, random.int(1, 60) * 1_000],
    [1, random.int(1, 30) * 60_000],
  ]);
  return { kind: "break", forMs, cause: random.pick(["git", "busy", "no-space"]) };
}

function randomEcho(random: Random): FaultBody {
  return { kind: "echo", pick: random.int(0, 9_999), isLast: random.chance(0.5) };
}

function randomLate(random: Random): FaultBody {
  return { kind: "late", pick: random.int(0, 9_999), what: random.pick(["spawned", "ended", "saved"]) };
}

function randomLimit(random: Random): FaultBody {
  const why = random.pick(["rate-limit", "usage-limit", "overloaded", "auth", "network"] as const);
  return { kind: "limit", pick: random.int(0, 2), durationMs: random.int(1, 120) * 60_000, why };
}

function randomTaskCommand(random: Random): FaultBody {
  const pick = random.int(0, 999);
  const kind = random.weighted([
    [3, "cancel"],
    [4, "retry"],
    [2, "approve"],
    [2, "open"],
    [3, "accept"],
  ] as const);
  return kind === "retry" ? { kind, pick, now: random.chance(0.5) } : { kind, pick };
}

function randomRevision(random: Random): FaultBody {
  return { kind: random.pick(["add", "remove", "restore", "change", "redo"]), pick: random.int(0, 999) };
}

function randomCommit(random: Random): FaultBody {
  const path = random.weighted([
    [1, "user/notes"],
    [2, "shared/routes"],
  ]);
  return { kind: "commit", path, isPoison: random.chance(0.2) };
}
