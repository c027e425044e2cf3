import type { Located, SourceRange } from "../../core/source.ts";
import { countAt, type Doc, numberAt, textAt } from "../../formats/cpo/fields.ts";
import { find, keyRangeAt, rangeAt } from "../../formats/yaml/tree.ts";

/** A task of a design with the places of all that it says. What is of the wrong type is not there: the schema has told of it. */
export type LocatedTask = {
  readonly id: Located<string>;
  readonly title: string | null;
  readonly wave: Located<number>;
  readonly deps: readonly Located<string>[];
  readonly agent: Located<string> | null;
  readonly skills: readonly Located<string>[];
  readonly contracts: readonly Located<string>[];
  readonly covers: readonly Located<string>[];
  readonly operations: readonly Located<string>[];
  readonly create: readonly Located<string>[];
  readonly modify: readonly Located<string>[];
  readonly boundary: readonly Located<string>[];
  /** Lists of the scope that are there and have nothing in them: where their key is. */
  readonly empty: ReadonlyMap<"create" | "modify" | "boundary", SourceRange>;
  readonly hours: Located<number> | null;
};

export type LocatedTasks = {
  readonly tasks: readonly LocatedTask[];
  /** Ids of tasks that cannot be used; "any" where even these are not known. */
  readonly lost: readonly string[] | "any";
};

/** A task without an id, or without a number for its wave, cannot be compared with the others. */
export function locatedTasks(doc: Doc): LocatedTasks {
  const tasks: LocatedTask[] = [];
  let lost: string[] | "any" = find(doc.tree, ["tasks"])?.kind === "list" ? [] : "any";
  for (const i of countAt(doc, "tasks")) {
    const [id, wave] = [textAt(doc, "tasks", i, "id"), numberAt(doc, "tasks", i, "wave")];
    const isUsable = wave !== null && Number.isSafeInteger(wave.value) && wave.value >= 1;
    if (id !== null && isUsable) tasks.push(taskAt(doc, i, { id, wave }));
    else lost = id === null || lost === "any" ? "any" : [...lost, id.value];
  }
  return { tasks, lost };
}

function taskAt(doc: Doc, i: number, known: Pick<LocatedTask, "id" | "wave">): LocatedTask {
  const list = (...path: string[]) =>
    countAt(doc, "tasks", i, ...path).flatMap((n) => textAt(doc, "tasks", i, ...path, n) ?? []);
  return {
    ...known,
    title: textAt(doc, "tasks", i, "title")?.value ?? null,
    deps: list("deps"),
    agent: textAt(doc, "tasks", i, "agent"),
    skills: list("skills"),
    contracts: list("contracts"),
    covers: list("covers"),
    operations: list("operations"),
    create: list("scope", "create"),
    modify: list("scope", "modify"),
    boundary: list("scope", "boundary"),
    empty: emptyLists(doc, i),
    hours: numberAt(doc, "tasks", i, "hours"),
  };
}

function emptyLists(doc: Doc, i: number): LocatedTask["empty"] {
  const words = ["create", "modify", "boundary"] as const;
  return new Map(
    words.flatMap((word) => {
      const path = ["tasks", i, "scope", word];
      const node = find(doc.tree, path);
      const isEmpty = node?.kind === "list" && node.items.length === 0;
      return isEmpty ? [[word, keyRangeAt(doc.index, doc.tree, path)] as const] : [];
    }),
  );
}

/** Ids of requirements that no task is to cover. */
export function locatedOutOfScope(doc: Doc): Located<string>[] {
  return countAt(doc, "out_of_scope").flatMap((i) => textAt(doc, "out_of_scope", i, "id") ?? []);
}

/** Numbers of the waves that something is said of. */
export function locatedWaves(doc: Doc): Located<number>[] {
  return countAt(doc, "waves").flatMap((i) => numberAt(doc, "waves", i, "number") ?? []);
}

/** Where the key stands, or what should have it. */
export function keyAt({ index, tree }: Doc, ...path: string[]): SourceRange {
  return find(tree, path) === null ? rangeAt(index, tree, path.slice(0, -1)) : keyRangeAt(index, tree, path);
}
