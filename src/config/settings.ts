import type { Caps } from "../core/caps.ts";
import type { SettingsLayers } from "../core/draft.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const MIB = 1024 * 1024;

/**
 * What plait does when nobody says otherwise. The idle limit is longer than five minutes, because that is how long
 * Claude Code 2.1 is silent before it repairs a stalled stream by itself.
 */
export function defaultLayers(): SettingsLayers {
  return {
    base: {
      agent: { use: "claude", name: null, model: null },
      access: "write",
      retries: 1,
      fixRounds: 2,
      limits: { startMs: 60 * SECOND, idleMs: 10 * MINUTE, totalMs: 45 * MINUTE },
      gateTimeoutMs: 15 * MINUTE,
      history: "keep",
      saveMaxBytes: 100 * MIB,
      slots: null,
      ports: null,
      budgetUsd: null,
      land: "end",
      landStyle: defaultPolicy.landStyle,
      publish: defaultPolicy.publish,
      prepare: { copy: [], envFiles: true, setup: [], teardown: [], automatic: true },
      notify: { bell: true, desktop: false, command: null, webhook: null, when: "needed" },
      keepAwake: false,
      isolation: "shared",
      warmCache: true,
      sandbox: "off",
      grants: [],
    },
    overrides: {},
    force: { agent: null, model: null },
  };
}

/** How long runs are kept that landed, and how much room all of them and the copies of dependency folders may take. */
export const defaultKeep = { days: 14, bytes: 2 * 1024 * MIB, copies: 2 * 1024 * MIB } as const;

/** Nothing leaves the machine, and nothing is written that nobody asked for. */
export const defaultTraces = { file: false, endpoint: null } as const;

/** How a run is driven when neither the command line nor the plan says. */
export const defaultPolicy = {
  slots: 4,
  // Small batches: one red task in a batch costs a gate run for each halving.
  mergeBatch: 8,
  mergeAhead: 2,
  redBase: "stop",
  keepWorktrees: false,
  landStyle: { as: "rebase", sign: null, signoff: false, message: null, author: "kept" },
  publish: "no",
} as const;

/** What a plan may be without asking; flags and variables raise it. */
export const defaultCaps: Caps = {
  maxPlanBytes: 1024 * 1024,
  maxDepth: 32,
  maxTasks: 2_000,
  maxPromptBytes: 256 * 1024,
};

/** How far each cap may be raised. Beyond this depth the YAML parser itself would fail. */
export const highestCaps: Caps = {
  maxPlanBytes: 256 * 1024 * 1024,
  maxDepth: 256,
  maxTasks: 100_000,
  maxPromptBytes: 64 * 1024 * 1024,
};
