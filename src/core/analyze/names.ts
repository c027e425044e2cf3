import type { TaskDraft } from "../draft.ts";
import { parseTaskId, type TaskId } from "../ids.ts";
import type { Say } from "./findings.ts";
import { quoted } from "./words.ts";

/** The tasks by name. */
export type Names = {
  /** By index; null where the id cannot be used. */
  readonly ids: readonly (TaskId | null)[];
  /** What a need means: the first task of that id. */
  readonly indexOf: ReadonlyMap<string, number>;
  /** Tasks whose id another task before them has: reported once, and left out of all that compares tasks. */
  readonly repeated: ReadonlySet<number>;
};

export function checkNames(tasks: readonly TaskDraft[], say: Say): Names {
  const indexOf = new Map<string, number>();
  const byLowerCase = new Map<string, number>();
  const repeated = new Set<number>();
  const ids = tasks.map(({ id }, index) => {
    const first = indexOf.get(id.value) ?? byLowerCase.get(id.value.toLowerCase());
    if (first === undefined) {
      byLowerCase.set(id.value.toLowerCase(), index);
      indexOf.set(id.value, index);
      return readId(id, say);
    }
    const isSame = indexOf.has(id.value);
    if (isSame) repeated.add(index);
    else indexOf.set(id.value, index);
    sayTaken(id, (tasks[first] as TaskDraft).id, say);
    return readId(id, say);
  });
  return { ids, indexOf, repeated };
}

function readId(id: TaskDraft["id"], say: Say): TaskId | null {
  const parsed = parseTaskId(id.value);
  if (parsed.ok) return parsed.id;
  const message =
    id.value === "" ? "a task id is empty" : `the task id ${quoted(id.value)} ${parsed.problem}`;
  say("bad-id", { message, at: id.at, hint: suggestion(id.value) });
  return null;
}

function sayTaken(id: TaskDraft["id"], first: TaskDraft["id"], say: Say): void {
  const related = [{ at: first.at, message: `${quoted(first.value)} is here` }];
  const place = { at: id.at, hint: "give one of the two another id", related };
  if (id.value === first.value) {
    say("duplicate-id", { message: `the task id ${quoted(id.value)} is used twice`, ...place });
  } else {
    const message = `the task ids ${quoted(first.value)} and ${quoted(id.value)} differ only in case`;
    say("id-differs-only-in-case", { message, ...place });
  }
}

/** The same words with dashes between them, where that makes a good id. */
function suggestion(text: string): string | null {
  const words = text.normalize("NFKD").match(/[A-Za-z0-9]+/g) ?? [];
  const id = words.join("-").slice(0, 64);
  return parseTaskId(id).ok ? `write ${quoted(id)}` : null;
}
