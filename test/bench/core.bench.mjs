// What a fact costs in a large plan: the facts of a whole run are folded, and `wants` and `nextWake` are asked after
// each. Twice the plan has twice the facts, so linear is twice the time; more than 2.3 times is a lost index.
import { evolve } from "../../dist/lib/core/evolve.js";
import { nextWake, wants } from "../../dist/lib/core/wants.js";

export const name = "core";

export async function run({ quick }) {
  const small = factsOfRun(planOf(2000));
  const large = factsOfRun(planOf(4000));
  const best = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY };
  for (let sample = 0; sample < (quick ? 3 : 9); sample++) {
    best.small = Math.min(best.small, replayAsking(small));
    best.large = Math.min(best.large, replayAsking(large));
  }
  const ratio = best.large / best.small;
  return [
    {
      measure: `${small.length} facts of 2000 tasks, wants after each`,
      value: `${best.small.toFixed(0)} ms`,
    },
    { measure: "twice the plan", value: `${ratio.toFixed(2)}x`, goal: "<= 2.3x", pass: ratio <= 2.3 },
  ];
}

function replayAsking(facts) {
  const before = process.cpuUsage();
  let state = null;
  let asked = 0;
  for (const fact of facts) {
    state = evolve(state, fact);
    asked += wants(state, fact.at).length;
    nextWake(state, fact.at);
  }
  const { user, system } = process.cpuUsage(before);
  if (state.indices.phases.merged !== state.index.plan.tasks.length || asked === 0) {
    throw new Error("the run did not merge everything");
  }
  return (user + system) / 1000;
}

/** A calm run with eight slots, told by its facts: whatever is wanted happens in the order of asking. */
function factsOfRun(plan) {
  const base = { commit: oid(0), tree: oid(1) };
  const policy = { slots: 8, failFast: false, land: "never", budgetUsd: null, mergeBatch: 1, mergeAhead: 1 };
  const facts = [];
  let state = null;
  let at = 1;
  let made = 2;
  const record = (body) => {
    const fact = { v: 1, at: at++, ...body };
    facts.push(fact);
    state = evolve(state, fact);
  };
  record({
    type: "run.started",
    run: "bench",
    plan,
    policy,
    base,
    target: null,
    selected: null,
    accounts: {},
  });
  for (;;) {
    const [want] = wants(state, at);
    if (want.kind === "finish") return facts;
    else if (want.kind === "start") start(want);
    else if (want.kind === "gate") judge(want);
    else if (want.kind === "merge") {
      const result = revision();
      const tasks = want.tasks.map((entry) => ({ ...entry, commit: result.commit }));
      record({ type: "candidate.built", from: want.from, result, tasks });
    } else if (want.kind === "advance") {
      record({ type: "integration.advanced", from: want.from, to: want.to, tasks: want.tasks });
    } else throw new Error(`a calm run does not want to ${want.kind}`);
  }

  function judge({ tree, check, asked }) {
    const words = { name: check.gate.name, tries: 1, durationMs: 1, summary: "", output: null };
    const verdict = { verdict: "green", how: "ran", reference: null };
    record({
      type: "gate.judged",
      tree,
      gate: check.key,
      preparation: check.preparation,
      asked,
      ...verdict,
      ...words,
    });
  }

  function start({ attempt }) {
    const origin = { worktree: "w", marker: "m", author: "agent", continues: null, worker: null };
    record({ type: "attempt.started", attempt, base: state.tip, ...origin });
    record({ type: "attempt.spawned", attempt, pid: 1, startTime: "1", bootId: "b" });
    const usage = { costUsd: 0.1, inputTokens: 1, outputTokens: 1 };
    record({
      type: "attempt.ended",
      attempt,
      failure: null,
      exit: null,
      usage,
      conversation: null,
      said: null,
      denials: [],
    });
    const saved = {
      ref: `refs/plait/bench/${attempt}`,
      result: revision(),
      changed: true,
      findings: [],
      report: null,
      ignored: 0,
      kept: null,
    };
    record({ type: "attempt.saved", attempt, ...saved });
  }

  function revision() {
    made += 2;
    return { commit: oid(made), tree: oid(made + 1) };
  }
}

/** Layers of random width and up to three needs each: long paths and wide ranks in one plan. */
function planOf(size) {
  const random = randomFrom(size);
  const tasks = Array.from({ length: size }, (_, i) => {
    const reach = Math.min(i, 60);
    const needs =
      reach === 0
        ? []
        : Array.from({ length: Math.floor(random() * 4) }, () => i - 1 - Math.floor(random() * reach));
    return task(
      `t${i}`,
      [...new Set(needs)].map((need) => `t${need}`),
    );
  });
  const nothing = { copy: [], setup: [], teardown: [] };
  return {
    name: "bench",
    tasks,
    limits: [],
    gates: [],
    prepare: nothing,
    land: "never",
    prices: [],
    context: [],
  };
}

const GATE = {
  name: "test",
  run: { kind: "shell", line: "npm test" },
  dir: null,
  when: [],
  retries: 0,
  slots: null,
  timeoutMs: 1000,
  env: {},
};

function task(id, needs, group) {
  const work = { kind: "command", run: { kind: "shell", line: "true" } };
  const prepare = { copy: [], setup: [], teardown: [] };
  const chances = {
    retries: 0,
    fixRounds: 0,
    race: 1,
    priority: 0,
    estimate: null,
    allowEmpty: false,
    approve: false,
  };
  return {
    id,
    title: id,
    needs,
    wave: null,
    work,
    access: "write",
    owns: [],
    gates: [GATE],
    prepare,
    group,
    ...chances,
  };
}

function randomFrom(seed) {
  let state = seed * 2654435769;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const oid = (n) => n.toString(16).padStart(40, "0");
