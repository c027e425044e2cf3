import { inWants, type Mutant, tasksOf } from "./mutant.ts";

/** Bugs in what is done next. */
export const WANTS_MUTANTS: readonly Mutant[] = [
  inWants("dependents start from where the run began", (state, ask) =>
    ask(state).map((want) => (want.kind === "start" ? { ...want, base: state.base } : want)),
  ),

  inWants("one failed task stops all merging", (state, ask) => {
    const hasFailed = state.indices.phases.failed > 0;
    return ask(state).filter(({ kind }) => !hasFailed || (kind !== "merge" && kind !== "advance"));
  }),

  inWants("the branch advances before all gates have spoken", (state, ask) => {
    const list = ask(state);
    const [head] = state.candidates;
    if (head === undefined || head.missing.length === 0 || list.some(({ kind }) => kind === "finish"))
      return list;
    const { from, result: to, tasks } = head;
    return [...list, { kind: "advance", key: `advance ${from} ${to.commit}`, from, to, tasks }];
  }),

  inWants("work is judged and merged before the base is", (state, ask) => {
    const list = ask(state);
    if (state.tip.commit !== state.base.commit || state.stopping !== null) return list;
    const keys = new Set(list.map(({ key }) => key));
    const settled = ask({ ...state, base: { ...state.base, commit: state.base.tree } });
    const early = settled.filter(({ kind, key }) => ["gate", "merge"].includes(kind) && !keys.has(key));
    return list.some(({ kind }) => kind === "finish") ? list : [...list, ...early];
  }),

  inWants("a group takes one more than its limit", (state, ask) => {
    const limitOfGroup = new Map([...state.index.limitOfGroup].map(([group, max]) => [group, max + 1]));
    return ask({ ...state, index: { ...state.index, limitOfGroup } });
  }),

  inWants("there is one slot more than there should be", (state, ask) =>
    ask({ ...state, policy: { ...state.policy, slots: state.policy.slots + 1 } }),
  ),

  inWants("a cancelled attempt never gives its slot back", (state, ask) => {
    const past = tasksOf(state).flatMap(([, task]) => task.past);
    const lost = past.filter(({ failure }) => failure?.reason === "cancelled").length;
    return ask({ ...state, policy: { ...state.policy, slots: Math.max(0, state.policy.slots - lost) } });
  }),

  inWants("limits of accounts hold nobody back", (state, ask) => [
    ...ask({ ...state, accounts: null }),
    ...ask(state).filter(({ kind }) => kind === "probe"),
  ]),

  inWants("the budget holds nobody back", (state, ask) =>
    ask({ ...state, policy: { ...state.policy, budgetUsd: null } }),
  ),

  inWants("a pause holds nobody back", (state, ask) => ask({ ...state, paused: false })),

  inWants("a drained run lands", (state, ask) => {
    const list = ask(state);
    if (state.stopping !== "drain" || !list.some(({ kind }) => kind === "finish")) return list;
    const landing = ask({ ...state, stopping: null }).filter(({ kind }) => kind === "land");
    return landing.length > 0 ? landing : list;
  }),

  inWants("the run is complete when all is merged, landed or not", (state, ask) =>
    ask(state).map((want) =>
      want.kind === "land" ? { kind: "finish", key: "finish", outcome: "complete" } : want,
    ),
  ),

  {
    name: "a back-off has no end",
    plant: (system) => ({ ...system, core: { ...system.core, nextWake: () => null } }),
  },

  {
    name: "a back-off is waited for in circles",
    plant: (system) => {
      const { nextWake } = system.core;
      const soon = (...[state, now]: Parameters<typeof nextWake>) =>
        nextWake(state, now) === null ? null : now + 1;
      return { ...system, core: { ...system.core, nextWake: soon } };
    },
  },
];
