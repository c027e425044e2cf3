import { dirname, extname } from "node:path/posix";
import { compile } from "../../core/ownership/compile.ts";
import { matcher } from "../../core/ownership/match.ts";
import { parseClaim } from "../../core/ownership/parse.ts";
import type { SpecTask } from "../spec-contents.ts";

/** What commits touched, newest first; git/co-change.ts reads it. */
export type ChangeHistory = {
  readonly commits: readonly { readonly changed: readonly string[]; readonly added: readonly string[] }[];
};

/** `together` of `of` commits that changed (or added) `what` changed the other file too. */
export type Pull = {
  readonly task: string;
  /** A file, or the folder of new ones with a final slash. */
  readonly what: string;
  readonly together: number;
  readonly of: number;
};

/** Where the history says that two tasks will get into each other's way, though their scopes do not meet. */
export type Clash =
  /** Both run in one wave, and what the one owns seldom changed without what the other owns. */
  | {
      readonly kind: "between";
      readonly wave: number;
      readonly tasks: readonly [string, string];
      readonly pull: Pull;
      readonly path: string;
    }
  /** A file that no task owns, and that nearly always changed with owned ones: a registry, an index, a lock file. */
  | { readonly kind: "unowned"; readonly path: string; readonly pulls: readonly Pull[] };

const LEAST_COMMITS = 3;
const OFTEN = 0.5;
const NEARLY_ALWAYS = 0.8;
const MOST_CLASHES = 20;

/** The strongest first; two tasks are told of once. */
export function predictClashes(tasks: readonly SpecTask[], history: ChangeHistory): Clash[] {
  const owners = ownersOf(tasks);
  const between = new Map<string, Between>();
  const unowned = new Map<string, Pull[]>();
  for (const { source, path, together, of } of pullsIn(history, owners, creatorsOf(tasks))) {
    const others = owners(path);
    for (const index of source.tasks) {
      if (others.includes(index)) continue;
      const task = tasks[index] as SpecTask;
      const pull = { task: task.id, what: source.what, together, of };
      if (others.length > 0)
        keepBetween(between, task, { pull, path, others: others.map((i) => tasks[i] as SpecTask) });
      else if (together >= NEARLY_ALWAYS * of) unowned.set(path, [...(unowned.get(path) ?? []), pull]);
    }
  }
  const lone = Array.from(
    unowned,
    ([path, pulls]): Clash => ({ kind: "unowned", path, pulls: oneATask(pulls) }),
  );
  return [...[...between.values()].sort(byStrength), ...lone.sort(byStrength)].slice(0, MOST_CLASHES);
}

type Between = Extract<Clash, { readonly kind: "between" }>;
type Met = { readonly pull: Pull; readonly path: string; readonly others: readonly SpecTask[] };

function keepBetween(found: Map<string, Between>, task: SpecTask, { pull, path, others }: Met): void {
  for (const other of others) {
    if (other.wave !== task.wave) continue;
    const key = [task.id, other.id].sort().join(" ");
    const before = found.get(key);
    if (before !== undefined && strength(before.pull) >= strength(pull)) continue;
    found.set(key, { kind: "between", wave: task.wave, tasks: [task.id, other.id], pull, path });
  }
}

function oneATask(pulls: readonly Pull[]): Pull[] {
  const sorted = pulls.toSorted((a, b) => strength(b) - strength(a) || (a.task < b.task ? -1 : 1));
  return sorted.filter(({ task }, i) => sorted.findIndex((one) => one.task === task) === i);
}

/** Certainty first, then the number of commits. */
function strength({ together, of }: Pull): number {
  return together / of + Math.min(together, 1_000) / 1_000_000;
}

function byStrength(a: Clash, b: Clash): number {
  const of = (clash: Clash) =>
    clash.kind === "between" ? strength(clash.pull) : Math.max(...clash.pulls.map(strength));
  return of(b) - of(a);
}

/** What a task touches: a file that it owns, or new files of one kind in a folder. */
type Source = { readonly what: string; readonly tasks: readonly number[] };
type Found = {
  readonly source: Source;
  readonly path: string;
  readonly together: number;
  readonly of: number;
};

/** New files have no history; those that came into the same folder before stand for them. */
function creatorsOf(tasks: readonly SpecTask[]): ReadonlyMap<string, Source> {
  const found = new Map<string, Source>();
  tasks.forEach(({ create }, index) => {
    for (const path of create.flatMap(plainPaths)) {
      const key = folderKey(path);
      if (dirname(path) === ".") continue; // anything comes into the root
      const before = found.get(key)?.tasks ?? [];
      found.set(key, { what: `${dirname(path)}/`, tasks: [...new Set([...before, index])] });
    }
  });
  return found;
}

function plainPaths(text: string): string[] {
  const parsed = parseClaim(text, "create");
  if (!parsed.ok) return [];
  return compile(parsed.claim.pattern).flatMap((way) => (way.kind === "literal" ? [way.path] : []));
}

function folderKey(path: string): string {
  return `${dirname(path)}/*${extname(path)}`;
}

function pullsIn(
  { commits }: ChangeHistory,
  owners: (path: string) => readonly number[],
  creators: ReadonlyMap<string, Source>,
): Found[] {
  const counts = new Map<string, { source: Source; of: number; together: Map<string, number> }>();
  const isFrequent = frequent(commits);
  for (const commit of commits) {
    const changed = commit.changed.filter(isFrequent);
    for (const [key, source] of sourcesIn({ changed, added: commit.added }, owners, creators)) {
      const count = counts.get(key) ?? { source, of: 0, together: new Map() };
      counts.set(key, count);
      count.of += 1;
      for (const path of changed) {
        if (path !== source.what) count.together.set(path, (count.together.get(path) ?? 0) + 1);
      }
    }
  }
  return [...counts.values()].flatMap(({ source, of, together }) =>
    Array.from(together, ([path, times]) => ({ source, path, together: times, of })).filter(
      (one) => one.together >= LEAST_COMMITS && one.together >= OFTEN * of,
    ),
  );
}

/** A file of fewer commits proves nothing, and most files are of few. */
function frequent(commits: ChangeHistory["commits"]): (path: string) => boolean {
  const times = new Map<string, number>();
  for (const { changed } of commits) for (const path of changed) times.set(path, (times.get(path) ?? 0) + 1);
  return (path) => (times.get(path) ?? 0) >= LEAST_COMMITS;
}

/** Each once, however many files of a folder a commit brought. */
function sourcesIn(
  { changed, added }: ChangeHistory["commits"][number],
  owners: (path: string) => readonly number[],
  creators: ReadonlyMap<string, Source>,
): Map<string, Source> {
  const found = new Map<string, Source>();
  for (const path of changed) {
    const tasks = owners(path);
    if (tasks.length > 0) found.set(path, { what: path, tasks });
  }
  for (const path of added) {
    const source = creators.get(folderKey(path));
    if (source !== undefined) found.set(folderKey(path), source);
  }
  return found;
}

/** Which tasks own a path, by their places in the list; what cannot be decided is owned by nobody. Asked often, so answers are kept. */
function ownersOf(tasks: readonly SpecTask[]): (path: string) => readonly number[] {
  const claims = tasks.flatMap(({ create, modify }, task) =>
    [...create, ...modify].flatMap((text) => {
      const parsed = parseClaim(text, "any");
      if (!parsed.ok) return [];
      const [prefix = ""] = /^[^*?[{]*/.exec(parsed.claim.pattern) ?? [];
      return [{ task, prefix, covers: matcher(parsed.claim.pattern) }];
    }),
  );
  const known = new Map<string, readonly number[]>();
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const found = claims.filter(({ prefix, covers }) => path.startsWith(prefix) && covers(path) === true);
    const owners = [...new Set(found.map(({ task }) => task))];
    known.set(path, owners);
    return owners;
  };
}
