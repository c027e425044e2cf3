import type { Revision } from "../../../src/core/facts.ts";
import type { AttemptId, Oid, TaskId } from "../../../src/core/ids.ts";
import type { Task } from "../../../src/core/plan.ts";
import type { Advance, World } from "../world.ts";

/** One task on the integration branch, as git has it. */
export type Merged = {
  readonly attempt: AttemptId;
  readonly to: Revision;
  /** How many moves of the branch came before. */
  readonly position: number;
  /** What the plan said of the task then. */
  readonly task: Task;
};

/** Where the integration branch was, and what came with each move: git's side of the story. */
export class History {
  private readonly world: World;
  private readonly positions = new Map<Oid, number>();
  private readonly merges = new Map<TaskId, Merged[]>();

  constructor(world: World) {
    this.world = world;
    this.positions.set(world.base.commit, 0);
    this.mergedTip = world.base.commit;
  }

  /** Where plait has brought the branch, whoever moved it since. */
  get tip(): Oid {
    return [...this.positions.keys()].at(-1)!;
  }

  /** Where it was when work last came in: since then it may have followed the target. */
  mergedTip: Oid;

  record({ to, tasks }: Advance): void {
    const position = this.positions.size;
    this.positions.set(to.commit, position);
    if (tasks.length > 0) this.mergedTip = to.commit;
    for (const { task, attempt } of tasks) {
      const known = this.world.ledger.task(task);
      if (known === undefined) continue;
      const merged = { attempt, to, position, task: known };
      this.merges.set(task, [...(this.merges.get(task) ?? []), merged]);
    }
  }

  position(commit: Oid): number | undefined {
    return this.positions.get(commit);
  }

  /** The merge that stands: the last one, unless the task was to be done again, or changed, since its attempt began. */
  merged(task: TaskId): Merged | null {
    const { attempts, reset } = this.world.ledger;
    const last = this.merges.get(task)?.at(-1);
    const began = last === undefined ? undefined : attempts.get(last.attempt)?.place;
    return last !== undefined && began !== undefined && began > (reset.get(task) ?? 0) ? last : null;
  }

  /** Whether it was ever merged, also where it is to be done again. */
  wasMerged(task: TaskId): boolean {
    return this.merges.has(task);
  }

  /** Whether work without a change is there and judged green; `certain`: and neither cancelled nor ever judged red. */
  hasPassed(task: Task, certain = false): boolean {
    const { ledger } = this.world;
    const since = ledger.reset.get(task.id) ?? 0;
    if (certain && ledger.cancelled.has(task.id)) return false;
    return ledger.of(task.id).some(({ place, ended, saved, started, doubtful }) => {
      const isGood = (started.author === "person" || ended?.failure === null) && !(certain && doubtful);
      if (place <= since || !isGood || saved === null || saved.findings.length > 0) return false;
      if (task.access === "write" && (saved.changed || !task.allowEmpty)) return false;
      return ledger.isGreen(saved.result.tree, task);
    });
  }

  isSatisfied(task: Task, certain = false): boolean {
    return this.merged(task.id) !== null || this.hasPassed(task, certain);
  }
}
