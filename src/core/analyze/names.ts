import type { TaskDraft } from "../draft.ts";
import { parseTaskId, type TaskId } from "../ids.ts";
import type { ReportFinding } from "./findings.ts";

/** The tasks by name. */
export type Names = {
  /** By index; null where the id cannot be used. */
  readonly ids: readonly (TaskId | null)[];
  /** What a need means: the first task of that id. */
  readonly indexOf: ReadonlyMap<string, number>;
  /** Tasks whose id another task before them has: reported once, and left out of all that compares tasks. */
  readonly repeated: ReadonlySet<number>;
};

export function checkNames(tasks: readonly TaskDraft[], report: ReportFinding): Names {
  const indexOf = new Map<string, number>();
  const byLowerCase = new Map<string, number>();
  const repeated = new Set<number>();
  const ids = tasks.map(({ id }, index) => {
    const first = indexOf.get(id.value) ?? byLowerCase.get(id.value.toLowerCase());
    if (first === undefined) {
      byLowerCase.set(id.value.toLowerCase(), index);
      indexOf.set(id.value, index);
      return readId(id, report);
    }
    const isSame = indexOf.has(id.value);
    if (isSame) repeated.add(index);
    else indexOf.set(id.value, index);
    reportTaken(id, (tasks[first] as TaskDraft).id, report);
    return readId(id, report);
  });
  return { ids, indexOf, repeated };
}

function readId(id: TaskDraft["id"], report: ReportFinding): TaskId | null {
  const parsed = parseTaskId(id.value);
  if (parsed.ok) return parsed.id;
  const { problem } = parsed;
  report("bad-id", { id: id.value, problem, suggestion: suggestId(id.value) }, id.at);
  return null;
}

function reportTaken(id: TaskDraft["id"], first: TaskDraft["id"], report: ReportFinding): void {
  const related = [{ at: first.at }];
  if (id.value === first.value) report("duplicate-id", { id: id.value }, id.at, { related });
  else report("id-differs-only-in-case", { id: id.value, first: first.value }, id.at, { related });
}

/** The same words with dashes between them, where that makes a good id. */
function suggestId(text: string): string | null {
  const words = text.normalize("NFKD").match(/[A-Za-z0-9]+/g) ?? [];
  const id = words.join("-").slice(0, 64);
  return parseTaskId(id).ok ? id : null;
}
