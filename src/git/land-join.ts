// What lands when the target has moved: one commit that joins its new tip with the run's work, to be gated before it lands.
// And for those who want it: the same commit made as the user would make it, with the user's hooks and signature.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EpochMs, Revision } from "../core/facts.ts";
import type { Oid, RefName, RunId } from "../core/ids.ts";
import { oid } from "../core/ids.ts";
import { writeCommit } from "./commit.ts";
import { isGitFailure } from "./failure.ts";
import { removeFile } from "./files.ts";
import { inGateTree } from "./gate-tree.ts";
import { mergeTrees } from "./merge.ts";
import type { Pool } from "./pool.ts";
import { shown } from "./raw-path.ts";
import { shortName } from "./refs.ts";
import { treeOfCommit } from "./result.ts";
import { textOf } from "./run.ts";
import type { Shadow } from "./shadow.ts";

export type JoinInput = {
  readonly run: RunId;
  readonly runDir: string;
  readonly target: RefName;
  /** The target as it is now. */
  readonly onto: Oid;
  /** The integration tip. */
  readonly tip: Oid;
  /** From the journal, the same on each try. */
  readonly at: EpochMs;
};

export type Joined =
  | { readonly kind: "joined"; readonly result: Revision }
  | { readonly kind: "conflict"; readonly paths: readonly string[]; readonly types: readonly string[] }
  /** A hook or the signing said no, in its own words. */
  | { readonly kind: "refused"; readonly detail: string };

export async function joinTarget(shadow: Shadow, input: JoinInput): Promise<Joined> {
  const { runDir, onto, tip, at } = input;
  try {
    const merged = await mergeTrees(shadow, runDir, { ours: onto, theirs: tip });
    if (merged.kind === "conflict")
      return { kind: "conflict", paths: merged.paths.map(shown), types: merged.types };
    const { tree } = merged;
    const commit = await writeCommit(shadow, { tree, parents: [onto, tip], message: messageOf(input), at });
    return { kind: "joined", result: { commit, tree } };
  } catch (error) {
    if (!isGitFailure(error, "other") || !error.failure.stderr.includes("unrelated histories")) throw error;
    return { kind: "conflict", paths: [], types: ["unrelated histories"] };
  }
}

/** In a scratch worktree, where a refusal leaves nothing of the user's half done. */
export function joinAsUser(shadow: Shadow, pool: Pool, input: JoinInput): Promise<Joined> {
  const message = join(input.runDir, "merge-message");
  return treeOfCommit(shadow, input.onto).then((tree) =>
    inGateTree(pool, { commit: input.onto, tree }, async ({ slot }) => {
      const { git } = shadow.repository;
      const call = { cwd: slot.path, asUser: true };
      await writeFile(message, messageOf(input), { mode: 0o600 });
      try {
        await git({
          args: ["merge", "--no-ff", "--no-edit", "--no-autostash", "-q", "-F", message, input.tip],
          ...call,
        });
        const commit = oid(textOf(await git({ args: ["rev-parse", "--verify", "HEAD"], cwd: slot.path })));
        return { kind: "joined", result: { commit, tree: await treeOfCommit(shadow, commit) } } as const;
      } catch (error) {
        if (!isGitFailure(error, "other")) throw error;
        return { kind: "refused", detail: error.failure.stderr.trim() } as const;
      } finally {
        await removeFile(message);
      }
    }),
  );
}

function messageOf({ run, target }: JoinInput): string {
  return `Merge plait run ${run} into ${shortName(target)}\n\nPlait-Run: ${run}\n`;
}
