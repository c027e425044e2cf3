import type * as z from "zod";
import type { Lost } from "../../core/draft.ts";
import { type Finding, findingsOf } from "../findings.ts";
import type { TextIndex } from "../text-index.ts";
import { find, keyRangeAt, type Path, rangeAt, type Tree } from "../yaml/tree.ts";

/** What a rest of a file of this format is put together with. */
export type Shape = {
  /** What cannot be missing and can be guessed, at the top and in a task. */
  readonly top: { readonly [key: string]: unknown };
  readonly task: { readonly [key: string]: unknown };
  readonly groups: string;
};

/** What is taken out may leave a gap that must go too; each time less is left. */
const MOST_ROUNDS = 8;

/** What a schema makes of a file, if need be without the parts that it refuses; those are the findings. */
export function parseRest<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  { index, tree, shape }: { readonly index: TextIndex; readonly tree: Tree; readonly shape: Shape },
) {
  // Our own words replace zod's, and code made for one parse costs more than it saves.
  const parse = () => schema.safeParse(value, { error: () => "", jitless: true });
  const rest = salvage(value, tree, shape);
  let result = parse();
  const findings = result.success ? [] : findingsOf(result.error.issues);
  for (let round = 1; !result.success && round <= MOST_ROUNDS; round += 1) {
    if (!rest.remove(round === 1 ? findings : findingsOf(result.error.issues))) break;
    result = parse();
  }
  return {
    data: result.success ? result.data : null,
    findings,
    at: (...path: Path) => rangeAt(index, tree, rest.originally(path)),
    keyAt: (...path: Path) => keyRangeAt(index, tree, rest.originally(path)),
    /** That a plan has no tasks is reported otherwise. */
    lost: (tasks: readonly unknown[]): Lost =>
      tasks.length === 0 ? { ...rest.lost(), tasks: "any" } : rest.lost(),
  };
}

/** What is left of a plan's data without what the schema refused. */
type Salvage = {
  /** Takes out what the findings are about. False when nothing would be left. */
  readonly remove: (findings: readonly Finding[]) => boolean;
  /** Where something of what is left stands in the file: lists may have become shorter. */
  readonly originally: (path: Path) => Path;
  readonly lost: () => Lost;
};

/**
 * Makes the rest of a plan fit for analysis, so that all problems are told at once. It changes `value`. What is wrong
 * goes as a whole, but no more than that: an item of a list, a setting, a task. The names of tasks and groups that go
 * are kept, since what refers to them is not wrong for that.
 */
function salvage(value: unknown, tree: Tree, shape: Shape): Salvage {
  const originals = new Originals();
  const lost: { tasks: (string | null)[]; groups: (string | null)[] } = { tasks: [], groups: [] };
  const originally = (path: Path) => originals.pathOf(value, path);
  const take = (path: Path, removals: Removals) => {
    const [first, second] = path;
    if (!isFields(value) || mend(value, path, { shape, written: find(tree, originally(path)) })) return;
    // A task whose variables are wrong is wrong in all its texts.
    const unit = existing(value, first === "tasks" && path[2] === "each" ? path.slice(0, 2) : path);
    if (unit.length === 0 || (unit.length === 1 && first === "tasks")) {
      value.tasks = [];
      lost.tasks.push(null);
      return;
    }
    const task = childAt(value, unit);
    // A task that is only a text was probably meant by that name.
    if (first === "tasks" && unit.length === 2) lost.tasks.push(typeof task === "string" ? task : null);
    if (first === shape.groups) lost.groups.push(unit.length === 2 ? String(second) : null);
    note(removals, childAt(value, unit.slice(0, -1)), unit.at(-1));
  };
  const remove = (findings: readonly Finding[]) => {
    const removals: Removals = { keys: new Map(), items: new Map() };
    for (const finding of findings) {
      take(finding.kind === "unknown-key" ? [...finding.path, finding.key] : finding.path, removals);
    }
    for (const [fields, keys] of removals.keys) for (const key of keys) delete fields[key];
    for (const [list, items] of removals.items) originals.removeFrom(list, items);
    return isFields(value);
  };
  return { remove, originally, lost: () => ({ tasks: namesOf(lost.tasks), groups: namesOf(lost.groups) }) };
}

type Fields = { [key: string]: unknown; tasks?: unknown; id?: unknown };

/** Collected first and done at the end, so that paths mean what they meant when they were found. */
type Removals = {
  readonly keys: Map<Fields, Set<string>>;
  readonly items: Map<unknown[], Set<number>>;
};

function note({ keys, items }: Removals, parent: unknown, step: PropertyKey | undefined): void {
  if (Array.isArray(parent) && typeof step === "number") {
    items.set(parent, (items.get(parent) ?? new Set()).add(step));
  } else if (isFields(parent) && typeof step === "string") {
    keys.set(parent, (keys.get(parent) ?? new Set()).add(step));
  }
}

/** Which items of shortened lists stood where. */
class Originals {
  readonly #indices = new WeakMap<readonly unknown[], readonly number[]>();

  pathOf(value: unknown, path: Path): Path {
    let node = value;
    return path.map((step) => {
      const indices = Array.isArray(node) ? this.#indices.get(node) : undefined;
      node = childAt(node, [step]);
      return typeof step === "number" ? (indices?.[step] ?? step) : step;
    });
  }

  removeFrom(list: unknown[], items: ReadonlySet<number>): void {
    const kept = list.map((_, i) => i).filter((i) => !items.has(i));
    const before = this.#indices.get(list);
    const rest = kept.map((i) => list[i]);
    list.splice(0, list.length, ...rest);
    this.#indices.set(
      list,
      kept.map((i) => before?.[i] ?? i),
    );
  }
}

/** What the format guesses, and an id that was not written as a text. */
function mend(
  plan: Fields,
  path: Path,
  { shape, written }: { readonly shape: Shape; readonly written: Tree | null },
): boolean {
  const [first, , key] = path;
  if (path.length === 1) return guess(plan, first, shape.top);
  const task = path.length === 3 && first === "tasks" ? childAt(plan, path.slice(0, 2)) : null;
  if (!isFields(task)) return false;
  if (key !== "id" || written?.kind !== "scalar" || written.value === null)
    return guess(task, key, shape.task);
  task.id = written.source;
  return true;
}

function guess(fields: Fields, key: PropertyKey | undefined, guesses: Shape["top"]): boolean {
  if (typeof key !== "string" || !Object.hasOwn(guesses, key)) return false;
  fields[key] = guesses[key];
  return true;
}

/** The part of a path that is there; what lacks something is as wrong as what it lacks. */
function existing(value: unknown, path: Path): Path {
  let length = path.length;
  while (length > 0 && childAt(value, path.slice(0, length)) === undefined) length -= 1;
  return path.slice(0, length);
}

function namesOf(names: readonly (string | null)[]): Lost["tasks"] {
  const known = names.filter((name) => name !== null);
  return known.length === names.length ? known : "any";
}

function childAt(value: unknown, path: Path): unknown {
  let node = value;
  for (const step of path) {
    if (Array.isArray(node)) node = typeof step === "number" ? node[step] : undefined;
    else node = isFields(node) && typeof step === "string" ? node[step] : undefined;
  }
  return node;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
