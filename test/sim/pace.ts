/** How long things take, in virtual milliseconds, from and to. */
export type Pace = {
  readonly [what in
    | "sync"
    | "git"
    | "prepare"
    | "save"
    | "gate"
    | "merge"
    | "advance"
    | "land"
    | "probe"]: readonly [low: number, high: number];
} & {
  /** What the durations of the scripts are multiplied by. */
  readonly agents: number;
};

/** Agents take their time, everything else is quick. */
const USUAL: Pace = {
  agents: 1,
  sync: [1, 30],
  git: [1, 50],
  prepare: [10, 20_000],
  save: [10, 3_000],
  gate: [500, 300_000],
  merge: [5, 1_000],
  advance: [1, 200],
  land: [1, 500],
  probe: [100, 5_000],
};

/** Agents are done in seconds, gates and merges are slow: the queue fills, candidates stand on each other. */
const CROWDED: Pace = {
  ...USUAL,
  agents: 0.02,
  prepare: [1, 100],
  save: [1, 2_000],
  gate: [1_000, 100_000],
  merge: [1_000, 60_000],
  advance: [1_000, 30_000],
};

export const PACES = { usual: USUAL, crowded: CROWDED };

/** Only the agents take time: for looking at the order of starts alone. */
export const INSTANT: Pace = {
  agents: 1,
  sync: [0, 0],
  git: [0, 0],
  prepare: [0, 0],
  save: [0, 0],
  gate: [0, 0],
  merge: [0, 0],
  advance: [0, 0],
  land: [0, 0],
  probe: [0, 0],
};
