// 500 tasks in ten parts of a repository, wide in the middle. The same each time.
const RANKS = [4, 20, 40, 52, 60, 64, 64, 60, 52, 44, 28, 12];
const PARTS = ["core", "db", "api", "auth", "cart", "search", "admin", "mail", "mobile", "infra"];

export function planOf() {
  const random = randomFrom(7);
  const tasks = [];
  let before = [];
  let earlier = [];
  RANKS.forEach((size, rank) => {
    const ids = Array.from({ length: size }, (_, k) => `${partOf(k / size)}-${rank}-${k}`);
    for (const [k, id] of ids.entries()) {
      const needs = rank === 0 ? [] : needsOf(k / size, before, random);
      if (earlier.length > 0 && random() < 0.08) needs.push(pick(k / size, earlier, 0));
      tasks.push(task(id, [...new Set(needs)], random));
    }
    [earlier, before] = [before, ids];
  });
  return { ...PLAN, tasks };
}

const partOf = (share) => PARTS[Math.floor(share * PARTS.length)];

function needsOf(share, before, random) {
  const first = pick(share, before, 0);
  return random() < 0.4 ? [first, pick(share, before, random() < 0.5 ? -1 : 1)] : [first];
}

/** The one that stands about as high, or one beside it. */
function pick(share, ids, by) {
  const at = Math.round(share * ids.length) + by;
  return ids[Math.max(0, Math.min(ids.length - 1, at))];
}

const NOTHING = { copy: [], include: [], envFiles: false, setup: [], teardown: [] };
const TEXT = { hash: "0".repeat(64), bytes: 6, file: null };

const PLAN = {
  name: "monorepo",
  source: { format: "native", path: "plans/monorepo.yaml", hash: "0".repeat(64) },
  context: [],
  limits: [],
  gates: [],
  prepare: NOTHING,
  hooks: { start: [], end: [], failed: [], held: [] },
  notify: { bell: false, desktop: false, command: null, webhook: null, when: "needed" },
  keepAwake: false,
  budgetUsd: 520,
  land: "end",
  landStyle: { as: "merge", sign: false, signoff: false, message: null, author: "kept" },
  publish: "no",
  enforce: "report",
  slots: 40,
  ports: null,
  saveMaxBytes: 100_000_000,
  prices: [],
  folder: null,
  webhooks: { complete: null, failure: null },
  mergeMessage: null,
};

function task(id, needs, random) {
  const agent = { use: "claude", name: null, model: "sonnet" };
  return {
    id,
    title: `Move ${id} to the new API`,
    needs,
    wave: null,
    work: {
      kind: "agent",
      agent,
      prompt: TEXT,
      systemPrompt: null,
      tools: { allow: [], deny: [] },
      budgetUsd: null,
    },
    access: "write",
    owns: [{ mode: "any", pattern: `${id.split("-", 1)[0]}/${id}/`, symbol: null }],
    boundary: [],
    gates: [],
    prepare: NOTHING,
    ...{ retries: 1, fixRounds: 0, race: 1, group: null, env: {}, priority: 0 },
    limits: { startMs: 60_000, idleMs: 600_000, totalMs: 2_700_000 },
    estimate: { timeMs: 240_000 + Math.floor(random() * 600_000), costUsd: { low: 0.5, high: 1.5 } },
    ...{ allowEmpty: false, approve: false, history: "keep", artifacts: [], reports: [] },
    ...{ hears: null, doneFile: null, dir: null },
  };
}

function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}
