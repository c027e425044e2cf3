// What plait itself costs a task: a run of tasks that do next to nothing, against the same agents started bare in empty
// folders, and against what people do by hand (a worktree each, add, commit, merge, remove). In turn, round after round, so
// that a busy machine slows them alike; the median of each counts. CPU time is that of the program and all its children.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median, SEES_PROCESSES, succeeded } from "../../scripts/bench/child.mjs";
import { git, makePlace, runArgs, someFiles, writePlan, writingTasks } from "../../scripts/bench/place.mjs";

export const name = "run";

const TASKS = 24;
const SLOTS = 4;
const FILES = 500;
const byHand = fileURLToPath(new URL("../../scripts/bench/by-hand.mjs", import.meta.url));

export async function run({ quick }) {
  const ways = { bare: bareAgents, hand: worktreesByHand, plait: plaitRun };
  const ends = { bare: [], hand: [], plait: [] };
  for (let round = 0; round < (quick ? 1 : 5); round++) {
    for (const [way, perform] of Object.entries(ways)) ends[way].push(await inPlace(perform));
  }
  return [...rows("wall", ends, "wallMs"), ...(SEES_PROCESSES ? rows("CPU", ends, "cpuMs") : [])];
}

/** A fresh repository each time: nothing of one run makes the next one slower. */
async function inPlace(perform) {
  const place = makePlace(someFiles(FILES));
  try {
    return await perform(place, writePlan(place, writingTasks(TASKS)));
  } finally {
    place.remove();
  }
}

function bareAgents({ folder, repo, env }, plan) {
  return succeeded([byHand, "bare", plan, String(SLOTS), join(folder, "bare")], { cwd: repo, env });
}

async function worktreesByHand(place, plan) {
  const { folder, repo, env } = place;
  const trees = join(folder, "trees");
  mkdirSync(trees);
  const end = await succeeded([byHand, "worktrees", plan, String(SLOTS), trees], { cwd: repo, env });
  requireAll(place);
  return end;
}

async function plaitRun(place, plan) {
  const { repo, env } = place;
  const end = await succeeded(runArgs(plan, SLOTS), { cwd: repo, env });
  requireAll(place);
  return end;
}

function requireAll(place) {
  const made = git(place, "ls-tree", "-r", "--name-only", "HEAD", "out/").split("\n").length;
  if (made !== TASKS) throw new Error(`${made} of ${TASKS} files were merged`);
}

/**
 * Ratios are taken round by round, of runs that were neighbours. The median is shown, with the least and the most: how far
 * they lie apart says how much the machine had to do besides. No goal is set for these.
 */
function rows(kind, ends, key) {
  const spread = (of, digits, unit) => {
    const values = ends.plait.map((_, i) => of(ends.plait[i][key], ends.bare[i][key], ends.hand[i][key]));
    const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)];
    return `${middle.toFixed(digits)}${unit} (${least.toFixed(digits)} to ${most.toFixed(digits)})`;
  };
  return [
    [`${kind} over bare agents, a task: plait`, spread((plait, bare) => (plait - bare) / TASKS, 0, " ms")],
    [`${kind} over bare agents, a task: by hand`, spread((_, bare, hand) => (hand - bare) / TASKS, 0, " ms")],
    [`${kind}, plait / bare agents`, spread((plait, bare) => plait / bare, 2, "x")],
    [`${kind}, plait / worktrees by hand`, spread((plait, _, hand) => plait / hand, 2, "x")],
  ].map(([measure, value]) => ({ measure, value }));
}
