import type { Plan, Task } from "../../../core/plan.ts";

/** The order of a manifest, without a look at anything else. */
export function dryRunText(plan: Plan, maxWorkers: number): string {
  const stages = stagesOf(plan.tasks);
  const last = Math.max(0, ...stages.values());
  const limits = new Map(plan.limits.map(({ group, max }) => [group, max]));
  const lines = plan.tasks.map((task) => {
    const { id, work, limits: time, retries, access, needs, group } = task;
    return [
      `  [stage ${stages.get(id)}]`,
      id,
      `agent=${work.kind === "agent" ? (work.agent.name ?? "") : ""}`,
      `timeout=${Math.round(time.totalMs / 1000)}s`,
      ...(retries > 0 ? [`retries=${retries}`] : []),
      ...(access === "read-only" ? ["read_only"] : []),
      ...(needs.length > 0 ? [`depends=[${needs.map((need) => `'${need}'`).join(", ")}]`] : []),
      ...(group === null ? [] : [`group=${group}(limit=${limits.get(group) ?? "?"})`]),
    ].join("  ");
  });
  return [
    "Dry run -- no tasks will be executed.",
    "",
    `Execution plan (max_workers=${maxWorkers}):`,
    ...lines,
    "",
    `${counted(plan.tasks.length, "task")}, ${counted(last, "stage")}`,
    "",
  ].join("\n");
}

const counted = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;

/** One more than the highest of its needs; the plan has no circle. */
function stagesOf(tasks: readonly Task[]): ReadonlyMap<string, number> {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const stages = new Map<string, number>();
  // Not by recursion: a chain may be longer than the stack.
  for (let open = [...tasks]; open.length > 0; ) {
    const left = open.filter(({ id, needs }) => {
      const below = needs.filter((need) => byId.has(need)).map((need) => stages.get(need));
      if (below.includes(undefined)) return true;
      stages.set(id, 1 + Math.max(0, ...below.map((stage) => stage ?? 0)));
      return false;
    });
    if (left.length === open.length) throw new Error("a plan that goes round in a circle was let through");
    open = left;
  }
  return stages;
}
