import type { Revision, TaskAttempt } from "../../src/core/facts.ts";
import { type Oid, oid } from "../../src/core/ids.ts";

/**
 * git as far as plait needs it, in memory. A tree maps each path to what is in the file: the contributions of those who
 * wrote it, one after the other. Equal content is one tree with one name. Refs move by compare-and-swap, and every move
 * is kept for the invariants to look at.
 */
export type Files = ReadonlyMap<string, readonly string[]>;

type Commit = {
  readonly parents: readonly Oid[];
  readonly tree: Oid;
  /** Plait-Task and Plait-Attempt, where plait made it. */
  readonly trailers: readonly TaskAttempt[];
};

type Move = {
  readonly ref: string;
  readonly from: Oid | null;
  readonly to: Oid;
  readonly how: "swap" | "force";
};

type Merge =
  | { readonly ok: true; readonly tree: Oid }
  | { readonly ok: false; readonly paths: readonly string[] };

export class GitModel {
  readonly moves: Move[] = [];
  private readonly names = new Map<string, Oid>();
  private readonly trees = new Map<Oid, Files>();
  private readonly commits = new Map<Oid, Commit>();
  private readonly refs = new Map<string, Oid>();
  private readonly joins = new Map<Oid, Files>();

  ref(name: string): Oid | null {
    return this.refs.get(name) ?? null;
  }

  /** Moves the ref only from the value that the caller has seen. */
  swap(name: string, from: Oid | null, to: Oid): boolean {
    if (this.ref(name) !== from) return false;
    this.move(name, to, "swap");
    return true;
  }

  /** What nobody should do to a ref that others may move: mutants and foreigners do. */
  force(name: string, to: Oid): void {
    this.move(name, to, "force");
  }

  private move(ref: string, to: Oid, how: Move["how"]): void {
    this.moves.push({ ref, from: this.ref(ref), to, how });
    this.refs.set(ref, to);
  }

  writeTree(files: Files): Oid {
    const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
    const name = this.nameOf(`tree ${JSON.stringify(sorted)}`);
    if (!this.trees.has(name)) this.trees.set(name, new Map(sorted));
    return name;
  }

  commit(content: Commit): Revision {
    const name = this.nameOf(`commit ${JSON.stringify(content)}`);
    this.commits.set(name, content);
    return { commit: name, tree: content.tree };
  }

  files(tree: Oid): Files {
    return known(this.trees.get(tree), `tree ${tree}`);
  }

  look(commit: Oid): Commit {
    return known(this.commits.get(commit), `commit ${commit}`);
  }

  revision(commit: Oid): Revision {
    return { commit, tree: this.look(commit).tree };
  }

  /** Joins two commits by path: a path that both sides changed differently is a conflict. */
  merge(ours: Oid, theirs: Oid): Merge {
    const base = this.files(this.look(this.mergeBase(ours, theirs)).tree);
    return this.mergeTrees(base, this.files(this.look(ours).tree), this.files(this.look(theirs).tree));
  }

  private mergeTrees(base: Files, ours: Files, theirs: Files): Merge {
    const merged = new Map(ours);
    const paths: string[] = [];
    for (const [path, content] of theirs) {
      const before = textOf(base, path);
      const here = textOf(ours, path);
      if (textOf(theirs, path) === before || textOf(theirs, path) === here) continue;
      if (here !== before) paths.push(path);
      else merged.set(path, content);
    }
    return paths.length > 0 ? { ok: false, paths } : { ok: true, tree: this.writeTree(merged) };
  }

  /** Both in one commit: where they conflict, it has the target's side, and whoever works there finds both. */
  join(target: Oid, tip: Oid, paths: readonly string[]): Revision {
    const base = this.files(this.look(this.mergeBase(target, tip)).tree);
    const [ours, theirs] = [target, tip].map((one) => this.files(this.look(one).tree)) as [Files, Files];
    const clean = new Map([...theirs].filter(([path]) => !paths.includes(path)));
    const merged = this.mergeTrees(base, ours, clean);
    if (!merged.ok) throw new Error("conflicts that are not among the paths");
    const joined = this.commit({ parents: [tip, target], tree: merged.tree, trailers: [] });
    const both = new Map(this.files(merged.tree));
    for (const path of paths) {
      const words = [...(ours.get(path) ?? []), ...(theirs.get(path) ?? [])];
      both.set(path, [...new Set(words)]);
    }
    this.joins.set(joined.commit, both);
    return joined;
  }

  /** What a worktree is filled with that is cut at the commit. */
  filesToWorkOn({ commit, tree }: Revision): Files {
    return this.joins.get(commit) ?? this.files(tree);
  }

  isAncestor(older: Oid, newer: Oid): boolean {
    return this.ancestors(newer).has(older);
  }

  /** The first-parent way from `newer` down to `older`, oldest first; null when `older` is not on it. */
  path(older: Oid, newer: Oid): Oid[] | null {
    const way: Oid[] = [];
    let at = newer;
    while (at !== older) {
      const [parent] = this.look(at).parents;
      if (parent === undefined) return null;
      way.unshift(at);
      at = parent;
    }
    return way;
  }

  private mergeBase(ours: Oid, theirs: Oid): Oid {
    const reachable = this.ancestors(ours);
    const queue = new Set<Oid>([theirs]);
    for (const commit of queue) {
      if (reachable.has(commit)) return commit;
      for (const parent of this.look(commit).parents) queue.add(parent);
    }
    throw new Error(`${ours} and ${theirs} have no common history`);
  }

  private ancestors(commit: Oid): Set<Oid> {
    const found = new Set<Oid>([commit]);
    for (const each of found) for (const parent of this.look(each).parents) found.add(parent);
    return found;
  }

  private nameOf(content: string): Oid {
    const name = this.names.get(content) ?? oid((this.names.size + 1).toString(16).padStart(40, "0"));
    this.names.set(content, name);
    return name;
  }
}

function textOf(files: Files, path: string): string {
  return files.get(path)?.join(" ") ?? "";
}

function known<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`the model has no ${what}`);
  return value;
}
