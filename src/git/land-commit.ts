// A commit that lands, made as the user would make it: the user's hooks see its message and may change or refuse it, and the
// user's key signs it.
//
// Of the hooks of a commit only those of the message run. pre-commit and pre-merge-commit judge or change files, and what the
// files are was decided before: the tree that lands is the one that the gates have judged, in a worktree that was prepared
// for them. Who wants such a hook to judge it names its command as a gate.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Oid } from "../core/ids.ts";
import type { LandStyle } from "../core/plan.ts";
import { otherCommand } from "../core/text/command.ts";
import { command, plainText, sentence } from "../core/text/sentence.ts";
import { callAsUser, hooksOfStart, readErrorOutput } from "./as-user.ts";
import { type CommitDraft, writeCommit } from "./commit.ts";
import { configFlag } from "./config.ts";
import { exists, removeFolder } from "./files.ts";
import { signedOffBy, withTrailers } from "./land-message.ts";
import { type Repository, userIdentity } from "./repository.ts";
import { callShadow, type Shadow } from "./shadow.ts";

/** Why a commit that is to land was not made, in the words of who refused it. */
export type CommitRefused = {
  readonly kind: "refused";
  readonly why: "hook" | "config" | "sign" | "identity";
  readonly detail: string;
};

export type Written = { readonly kind: "written"; readonly commit: Oid } | CommitRefused;

/** What is done to every commit of a landing. */
export type Finish = {
  readonly sign: boolean;
  readonly signoff: boolean;
  /** Those that there are. */
  readonly hooks: readonly MessageHook[];
  readonly runDir: string;
};

export type MessageHook = "prepare-commit-msg" | "commit-msg";

/** Whether commits are signed: as the style says, else as the user's git does it. */
export function isSigned({ config }: Repository, { sign }: Pick<LandStyle, "sign">): boolean {
  return sign ?? configFlag(config, "commit.gpgsign");
}

const SET_NAME = otherCommand("git", "config", ["--global", "user.name", { placeholder: "name" }]);

/** plait does not sign with a name that is not the user's. */
export function identityProblem(
  { config }: Repository,
  needed: { readonly sign: boolean; readonly signoff: boolean; readonly author?: LandStyle["author"] },
): CommitRefused | null {
  const isNeeded = needed.sign || needed.signoff || needed.author === "user";
  if (!isNeeded || userIdentity(config) !== null) return null;
  const detail = plainText(
    sentence`git has no name and email for you: ${command(SET_NAME)}, then the same for user.email.`,
  );
  return { kind: "refused", why: "identity", detail };
}

/** `source`: what git tells prepare-commit-msg about where the message comes from. */
export async function writeLandingCommit(
  shadow: Shadow,
  draft: CommitDraft & { readonly source: "message" | "merge" },
  finish: Finish,
): Promise<Written> {
  const { source, ...rest } = draft;
  const signoff = finish.signoff ? [signedOffBy(shadow.repository.identity)] : [];
  const message = withTrailers(draft.message, signoff);
  const judged = await runHooks(shadow, { message, source, tree: draft.tree }, finish);
  if (typeof judged !== "string") return judged;
  try {
    const commit = await writeCommit(shadow, { ...rest, message: judged, sign: finish.sign });
    return { kind: "written", commit };
  } catch (error) {
    if (!finish.sign) throw error;
    return { kind: "refused", why: "sign", detail: `Cannot sign the commit: ${readErrorOutput(error)}` };
  }
}

/** A hook may ask a server. */
export const HOOK_LIMIT_MS = 5 * 60_000;

/** The message as the hooks leave it. They run in the user's checkout, with an index that has what lands. */
async function runHooks(
  shadow: Shadow,
  { message, source, tree }: { message: string; source: string; tree: Oid },
  { hooks, runDir }: Finish,
): Promise<string | CommitRefused> {
  if (hooks.length === 0) return message;
  const folder = join(runDir, "landing-message");
  const [file, index] = [join(folder, "COMMIT_EDITMSG"), join(folder, "index")];
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await writeFile(file, message, { mode: 0o600 });
    await callShadow(shadow, { args: ["read-tree", tree], index });
    const config = await hooksOfStart(shadow);
    for (const hook of hooks) {
      const given = hook === "commit-msg" ? [file] : [file, source];
      const args = ["hook", "run", "--ignore-missing", hook, "--", ...given];
      const env = { GIT_INDEX_FILE: index };
      const words = await callAsUser(shadow.repository, { args, env, config, timeoutMs: HOOK_LIMIT_MS }).then(
        () => null,
        readErrorOutput,
      );
      if (words !== null) return hookRefused(`Hook ${hook} refused the commit: ${words}`);
    }
    const left = (await readFile(file, "utf8")).trim();
    return left === "" ? hookRefused("A hook removed the commit message.") : `${left}\n`;
  } finally {
    await removeFolder(folder);
  }
}

function hookRefused(detail: string): CommitRefused {
  return { kind: "refused", why: "hook", detail };
}

/** The hooks of a message that the repository has. From 2.54 on one may be in the config, by any name. */
export async function findHooks({ repository, hooks }: Shadow): Promise<MessageHook[]> {
  const all: readonly MessageHook[] = ["prepare-commit-msg", "commit-msg"];
  if (repository.config.some(({ key }) => key.startsWith("hook."))) return [...all];
  const found = await Promise.all(all.map((name) => exists(join(hooks, name))));
  return all.filter((_, i) => found[i]);
}
