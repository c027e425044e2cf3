import type { Revision } from "../../src/core/facts.ts";
import type { AttemptId, Oid, TaskId } from "../../src/core/ids.ts";
import type { Outcome } from "./agents.ts";
import type { Files, GitModel } from "./git-model.ts";

/**
 * Worktrees and what agents leave in them. A contribution is one word in a file: `task.round` and a letter, so that a
 * redone task leaves something new, and `!gate` behind it where it turns a gate red.
 */
type Worktree = { files: Map<string, readonly string[]>; base: Revision; owner: AttemptId; clean: boolean };

export class Worktrees {
  private readonly trees = new Map<string, Worktree>();
  private readonly git: GitModel;
  private readonly onLoss: (owner: AttemptId, path: string) => void;

  /** `onLoss` is told when work goes that no ref keeps (I2). */
  constructor(git: GitModel, onLoss: (owner: AttemptId, path: string) => void) {
    this.git = git;
    this.onLoss = onLoss;
  }

  /** A fresh tree at the base; in a fix round with the work of the attempt that it goes on with on top. */
  prepare(
    path: string,
    owner: AttemptId,
    base: Revision,
    goesOn: { task: TaskId; result: Revision } | null,
  ): void {
    const before = this.trees.get(path);
    if (before !== undefined && !before.clean) this.onLoss(before.owner, path);
    const files = new Map(this.git.filesToWorkOn(base));
    if (goesOn !== null) overlay(files, goesOn.task, this.git.files(goesOn.result.tree));
    this.trees.set(path, { files, base, owner, clean: true });
  }

  /** Writes one path as part of the work of a task. */
  write(path: string, file: string, token: string): void {
    const tree = this.trees.get(path);
    if (tree === undefined) return;
    tree.files.set(file, [...others(tree.files.get(file) ?? [], token), token]);
    tree.clean = false;
  }

  /** The tree that the attempt left; its base where it never got a worktree. */
  snapshot(path: string, owner: AttemptId, base: Revision): Oid {
    const tree = this.trees.get(path);
    return tree?.owner === owner ? this.git.writeTree(tree.files) : base.tree;
  }

  markSaved(path: string, owner: AttemptId): void {
    const tree = this.trees.get(path);
    if (tree?.owner === owner) tree.clean = true;
  }

  /** Somebody whose work is in no ref yet. */
  unsaved(): AttemptId | undefined {
    return [...this.trees.values()].find(({ clean }) => !clean)?.owner;
  }

  /** Whether it contains what its task may not write. */
  hasStray(path: string, owner: AttemptId): boolean {
    const tree = this.trees.get(path);
    return tree?.owner === owner && tree.files.has(STRAY);
  }
}

/** A path outside of every claim; a fix round takes it back. */
export const STRAY = "outside.ts";

export function authorsOf(files: Files, paths: readonly string[]): TaskId[] {
  return [...new Set(paths.flatMap((path) => (files.get(path) ?? []).map(taskOf)))];
}

/** What a task writes now: one round more than what its base already has of it. */
export function tokenOf(
  task: TaskId,
  base: Files,
  { letter, poisons }: Pick<Outcome, "letter" | "poisons">,
): string {
  let round = 0;
  for (const words of base.values()) {
    for (const word of words) if (taskOf(word) === task) round = Math.max(round, roundOf(word) + 1);
  }
  return `${task}.${round}${letter}${poisons === null ? "" : `!${poisons}`}`;
}

export const taskOf = (token: string): TaskId => token.slice(0, token.indexOf(".")) as TaskId;
export const poisonOf = (token: string): string | null => /!(.*)$/.exec(token)?.[1] ?? null;
const roundOf = (token: string): number => Number.parseInt(token.slice(token.indexOf(".") + 1), 10);

const others = (words: readonly string[], token: string): string[] =>
  words.filter((word) => taskOf(word) !== taskOf(token));

function overlay(files: Map<string, readonly string[]>, task: TaskId, work: Files): void {
  for (const [path, words] of work) {
    if (path === STRAY) continue;
    const own = words.filter((word) => taskOf(word) === task);
    const last = own.at(-1);
    if (last !== undefined) files.set(path, [...others(files.get(path) ?? [], last), last]);
  }
}
