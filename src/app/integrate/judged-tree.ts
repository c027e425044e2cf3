// The commit to check: the target branch as it is now, so that later fixes count; before landing, the integration branch.

import type { Oid } from "../../core/ids.ts";
import type { RunState } from "../../core/run-state.ts";
import { get } from "../../core/sorted-map.ts";
import { integrationRef, type Objects, type Repository, readRef, shortName } from "../../git/index.ts";
import type { JudgedTree } from "../../spec/integrate/report.ts";
import { type OrRefusal, refuse } from "../host.ts";

export type JudgedCommit = { readonly commit: Oid; readonly tree: JudgedTree };

export async function judgedCommit(
  repository: Repository,
  objects: Objects,
  state: RunState | null,
): Promise<OrRefusal<{ judged: JudgedCommit }>> {
  if (state === null) return { ok: true, judged: headOf(repository, null) };
  const { run, landing, tip, base } = state;
  if (landing.kind === "landed") {
    const now = await readRef(repository, landing.target);
    const commit = now ?? landing.to.commit;
    return { ok: true, judged: judgedAt(commit, { kind: "landed", ref: landing.target, run }) };
  }
  // It was merged by hand, or on a server.
  const isHere = tip.commit !== base.commit && landing.kind !== "undone";
  const head = repository.head.at.commit;
  if (isHere && (await hasWork(objects, head, state))) return { ok: true, judged: headOf(repository, run) };
  const ref = integrationRef(run);
  const commit = (await readRef(repository, ref)) ?? tip.commit;
  if ((await objects.commit(commit)) !== null)
    return { ok: true, judged: judgedAt(commit, { kind: "integration", ref, run }) };
  const hint = "check another run: --run <run>";
  return refuse("environment", `the result of ${run} is gone: ${shortName(ref)} does not exist`, hint);
}

/** The commit has all of the run. A branch of the run that continues from the commit has more: fixes that did not land. */
async function hasWork(objects: Objects, head: Oid, state: RunState): Promise<boolean> {
  const { tip } = state;
  if (await objects.isAncestor(tip.commit, head)) return true;
  return !(await objects.isAncestor(head, tip.commit)) && (await isNamedIn(objects, head, state));
}

/** A server rewrote the commits: each merged task is named in one. */
async function isNamedIn(
  objects: Objects,
  head: Oid,
  { run, base, index, tasks }: RunState,
): Promise<boolean> {
  const since = (await objects.log({ to: head, not: [base.commit] }, { naming: true })) ?? [];
  const named = new Set(since.flatMap((one) => one.named.flatMap((it) => (it.run === run ? [it.task] : []))));
  return index.plan.tasks.every(({ id }, i) => get(tasks, i)?.phase.kind !== "merged" || named.has(id));
}

export function headOf({ head }: Repository, run: string | null): JudgedCommit {
  const ref = head.kind === "branch" ? head.ref : null;
  return judgedAt(head.at.commit, { kind: "landed", ref, run });
}

function judgedAt(commit: Oid, { kind, ref, run }: Pick<JudgedTree, "kind" | "ref" | "run">): JudgedCommit {
  return { commit, tree: { kind, ref: ref === null ? null : shortName(ref), commit, run } };
}
