// A run of 500 tasks in 12 ranks in the middle of its work, as facts: for what must stay quick, and readable, with very many.
import { planOf } from "./plan.mjs";

const MERGED = 277;
const RUNNING = 23;
const QUEUED = 8;
const FAILED = ["api-2-9", "auth-3-17", "cart-4-26", "core-2-3"];
const START = Date.UTC(2026, 10, 15, 13, 2, 10);
const AGENTS = ["Edit", "Read", "Bash"];

export function monorepo() {
  const plan = planOf();
  const teller = createTeller(plan);
  const merged = new Set();
  const failed = new Set(FAILED);
  const ready = [];
  for (const task of plan.tasks) {
    if (!task.needs.every((need) => merged.has(need))) continue;
    if (failed.has(task.id)) teller.fail(task.id);
    else if (merged.size < MERGED) {
      teller.merge(task.id);
      merged.add(task.id);
    } else ready.push(task.id);
  }
  const [running, queued, [parked]] = [
    ready.slice(0, RUNNING),
    ready.slice(RUNNING, RUNNING + QUEUED),
    ready.slice(RUNNING + QUEUED),
  ];
  for (const id of queued) teller.work(id);
  if (parked !== undefined) teller.park(parked);
  for (const id of running) teller.start(id);
  const activity = running.map((id, i) => ({
    attempt: `${id}/1`,
    at: teller.now(),
    action: `${AGENTS[i % 3]} packages/${id}/src/index.ts`,
    usage: usage(0.4),
  }));
  return { facts: teller.facts, now: teller.now() + 240_000, activity };
}

const usage = (costUsd) => ({ costUsd, inputTokens: costUsd * 400_000, outputTokens: costUsd * 10_000 });

function createTeller(plan) {
  const facts = [];
  let at = START;
  let made = 2;
  let tip = { commit: oid(0), tree: oid(1) };
  const tell = (ms, body) => {
    at += ms;
    facts.push({ v: 1, at, ...body });
  };
  const revision = () => {
    made += 2;
    return { commit: oid(made), tree: oid(made + 1) };
  };

  tell(1, {
    type: "run.started",
    run: "monorepo-x3t0",
    driver: { version: "1.0.0", host: "here", pid: 1 },
    fingerprints: {},
    plan,
    policy: POLICY,
    base: tip,
    target: "refs/heads/main",
    selected: null,
    accounts: {},
  });

  function start(id) {
    const origin = { worktree: `/w/${id}`, marker: "m", author: "agent", continues: null, worker: null };
    tell(1_000, { type: "attempt.started", attempt: `${id}/1`, base: tip, ...origin });
    tell(1, { type: "attempt.spawned", attempt: `${id}/1`, pid: 1, startTime: "1", bootId: "b" });
  }
  function end(id, failure) {
    const attempt = `${id}/1`;
    const rest = { exit: null, conversation: null, said: null, denials: [] };
    tell(6_000, { type: "attempt.ended", attempt, failure, usage: usage(0.75), ...rest });
    const result = revision();
    const saved = { ref: `refs/plait/monorepo-x3t0/${attempt}`, result, changed: true };
    tell(1, { type: "attempt.saved", attempt, ...saved, findings: [], report: null, ignored: 0, kept: null });
  }
  function work(id) {
    start(id);
    end(id, null);
  }
  return {
    facts,
    now: () => at,
    ...{ start, work },
    merge: (id) => {
      work(id);
      const result = revision();
      const tasks = [{ task: id, attempt: `${id}/1`, commit: result.commit }];
      tell(1, { type: "candidate.built", from: tip.commit, result, tasks });
      tell(1, { type: "integration.advanced", from: tip.commit, to: result, tasks });
      tip = result;
    },
    fail: (id) => {
      start(id);
      end(id, { reason: "denied", detail: "the agent may not push" });
    },
    park: (id) => {
      start(id);
      end(id, { reason: "usage-limit", resetsAt: at + 3_600_000, detail: "" });
    },
  };
}

const oid = (n) => n.toString(16).padStart(40, "0");

const POLICY = {
  slots: 40,
  failFast: false,
  land: "end",
  budgetUsd: 520,
  mergeBatch: 1,
  mergeAhead: 1,
  redBase: "stop",
  keepWorktrees: false,
  landStyle: { as: "merge", sign: false, signoff: false, message: null, author: "kept" },
  publish: "no",
};
