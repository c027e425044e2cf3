// Whether the target branch moved while agents were running: an agent can move it as well as the user, and what it put there was
// never checked. Each move is recorded. One that nothing explains holds the landing until a person lands the run: it was not made
// in a checkout, or it changes what decides how work is judged. While no agent runs only the user moves it, or another run.

import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Oid, RefName } from "../../core/ids.ts";
import type { Plan } from "../../core/plan.ts";
import type { RunState } from "../../core/run-state.ts";
import {
  changedTexts,
  isMovedByCheckout,
  type Repository,
  readRef,
  type Shadow,
  textsAt,
} from "../../git/index.ts";
import { guardedPaths, rulesBefore } from "../../ownership/guarded.ts";
import { ifMissing } from "../../util/errno.ts";
import type { EffectContext } from "./driver.ts";
import { runFolder } from "./run-folder.ts";

type WatchInput = {
  readonly shadow: Shadow;
  readonly runDir: string;
  /** Where it was when it was seen last; null: not recorded, as by an older plait. */
  readonly known: Oid | null;
  /** Attempts were running when it was seen last. */
  readonly hasRun: boolean;
};

/** The branch that a run lands on, and where it is: the one that was chosen, or the one that is checked out. */
export async function readTarget(
  repository: Repository,
  chosen: RefName | null,
): Promise<{ readonly target: RefName | null; readonly targetAt?: Oid }> {
  const { head, workTree } = repository;
  const target = chosen ?? (head.kind === "branch" && workTree !== null ? head.ref : null);
  const targetAt = target === null ? null : await readRef(repository, target);
  return { target, ...(targetAt !== null && { targetAt }) };
}

type TargetMove = { readonly target: RefName; readonly from: Oid; readonly to: Oid };

export class TargetWatch {
  private readonly input: WatchInput;
  private known: Oid | null;
  private hasRun: boolean;
  private running = 0;

  constructor(input: WatchInput) {
    this.input = input;
    this.known = input.known;
    this.hasRun = input.hasRun;
  }

  /**
   * While code of an agent runs: its attempt, or a gate on what it wrote. Inside walls that no ref is behind it cannot move the branch,
   * so it is as if none ran.
   */
  async during<T>(hands: EffectContext, isWalled: boolean, work: () => Promise<T>): Promise<T> {
    await this.look(hands);
    if (isWalled) return work();
    this.running += 1;
    this.hasRun = true;
    try {
      return await work();
    } finally {
      this.running -= 1;
      await this.look(hands);
    }
  }

  /** Records a move since the last look. A ref that cannot be read now is looked at again later. */
  async look({ state, record }: EffectContext): Promise<void> {
    const { target } = state();
    if (target === null) return;
    const hasRun = this.hasRun;
    const now = await readRef(this.input.shadow.repository, target).catch(() => null);
    if (now === null) return;
    if (this.running === 0) this.hasRun = false;
    const from = this.known;
    this.known = now;
    if (from === null || from === now) return;
    const moved = { target, from, to: now };
    const isExplained = !hasRun || (await this.explains(moved, state()));
    await record({ type: "target.moved", ...moved, isExplained });
  }

  private async explains(moved: TargetMove, { index }: RunState): Promise<boolean> {
    const { shadow, runDir } = this.input;
    if (await isLandedByAnotherRun(runDir, moved.to)) return true;
    if (!(await isMovedByCheckout(shadow.repository, moved))) return false;
    return (await findGuardedChanges(shadow, index.plan, moved)).every(({ what }) => what === null);
  }

  /** plait itself moved it. */
  expect(now: Oid): void {
    this.known = now;
  }
}

async function isLandedByAnotherRun(runDir: string, commit: Oid): Promise<boolean> {
  const runs = dirname(runDir);
  const others = (await readdir(runs)).filter((name) => name !== basename(runDir));
  for (const name of others) {
    const journal = await readFile(runFolder(join(runs, name)).journal, "utf8").catch(ifMissing(""));
    const isLanding = (line: string): boolean =>
      /"type":"(?:run\.landed|landing\.undone)"/.test(line) && line.includes(`"to":{"commit":"${commit}"`);
    if (journal.split("\n").some(isLanding)) return true;
  }
  return false;
}

/** `what`: why the file is protected; null where it is not. */
export type MovedFile = { readonly path: string; readonly what: string | null };

/** Every file that differs. */
export async function findGuardedChanges(
  shadow: Shadow,
  plan: Plan,
  { from, to }: Pick<TargetMove, "from" | "to">,
): Promise<MovedFile[]> {
  const files = await changedTexts(shadow, from, to);
  const { scripts } = await rulesBefore(plan, (paths) => textsAt(shadow, from, paths));
  const guarded = await guardedPaths(files, { owns: [], consent: [] }, scripts);
  return files.map(({ path }) => ({ path, what: guarded.get(path)?.what ?? null }));
}
