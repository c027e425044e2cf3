// What landed goes to a server, as the user's own `git push` would take it there: the same remote, credentials and pre-push
// hook, and no question asked. What the server says is told in its own words; they may hold what must be masked.
//
// Only to where it went when the run started: an agent that could write the config could send the work elsewhere.

import type { Oid, RefName, RunId } from "../core/ids.ts";
import { callAsUser, hooksOfStart, wordsOf } from "./as-user.ts";
import { configValue, type GitConfig } from "./config.ts";
import { GitError } from "./failure.ts";
import type { Fingerprint } from "./fingerprint.ts";
import { PLANTED, plantedFiles } from "./planted.ts";
import { isAncestor } from "./ref-updates.ts";
import { readRef, shortName } from "./refs.ts";
import type { Repository } from "./repository.ts";
import { linesOf, textOf } from "./run.ts";
import { callShadow, type Shadow } from "./shadow.ts";

type PushInput = {
  readonly target: RefName;
  /** Null: the one that git would choose for the target. */
  readonly remote: string | null;
  /** Of the start of the run, and where its copies are. */
  readonly fingerprint: Fingerprint;
  readonly keptIn: string;
};

export type Pushed =
  /** `branch`: what it is called there. */
  | { readonly kind: "pushed"; readonly remote: string; readonly branch: string }
  | { readonly kind: "refused"; readonly detail: string };

/** What landed, to the place of the target on the server; not what else is on the target by now. */
export async function pushTarget(
  shadow: Shadow,
  input: PushInput & { readonly commit: Oid },
): Promise<Pushed> {
  const remote = chooseRemote(shadow.repository.config, input);
  const problem = remote === null ? NO_REMOTE : otherName(shadow.repository.config, input.target, remote);
  if (remote === null || problem !== null) return refused(problem ?? NO_REMOTE);
  const now = await readRef(shadow.repository, input.target);
  if (now === null || !(await isAncestor(shadow.repository, input.commit, now)))
    return refused(`${shortName(input.target)} does not have ${input.commit} any more.`);
  const name = nameThere(shadow.repository.config, input.target, remote);
  return push(shadow, input, { remote, args: [remote, `${input.commit}:refs/heads/${name}`] });
}

/**
 * A commit to a branch `plait/<run>` of the server, for a pull request into the target. A branch of that name that is not as
 * plait left it is not overwritten. `base`: what the target is called there.
 */
export async function pushBranch(
  shadow: Shadow,
  input: PushInput & { readonly run: RunId; readonly commit: Oid },
): Promise<
  (Extract<Pushed, { kind: "pushed" }> & { readonly base: string }) | Extract<Pushed, { kind: "refused" }>
> {
  const { repository } = shadow;
  const { run, commit, target } = input;
  const remote = chooseRemote(repository.config, input);
  if (remote === null) return refused(NO_REMOTE);
  const ref = `refs/heads/plait/${run}`;
  const known = await readRef(repository, `refs/remotes/${remote}/plait/${run}`);
  const args = [`--force-with-lease=${ref}:${known ?? ""}`, remote, `${commit}:${ref}`];
  const pushed = await push(shadow, input, { remote, args });
  const base = followed(repository.config, target, remote) ?? shortName(target);
  return pushed.kind === "refused" ? pushed : { ...pushed, base };
}

/** Why a push of the target cannot work, as far as it is known before; null where nothing speaks against it. */
export function pushProblem({ config }: Repository, target: RefName): string | null {
  const remote = chooseRemote(config, { target, remote: null });
  return remote === null ? NO_REMOTE : otherName(config, target, remote);
}

const NO_REMOTE = "There is no remote to push to: git remote add origin <address>";

/** A slow line and a large history; a server that says nothing is not waited for all day. */
const PUSH_LIMIT_MS = 15 * 60_000;

async function push(
  shadow: Shadow,
  start: Pick<PushInput, "fingerprint" | "keptIn">,
  { remote, args }: { remote: string; args: readonly string[] },
): Promise<Pushed> {
  const { repository } = shadow;
  const planted = await plantedFiles(shadow, start);
  if (planted.length > 0) return refused(`${PLANTED} ${planted.join(", ")}`);
  const [then, now] = await addresses(shadow, remote);
  if (then === "") return refused(`There was no remote named ${remote} when the run started.`);
  if (then !== now) return refused(`The address of ${remote} changed since the run started, to ${now}`);
  const config = await hooksOfStart(shadow);
  const call = { args: ["push", "--porcelain", ...args], config, timeoutMs: PUSH_LIMIT_MS, allow: [1] };
  const end = await callAsUser(repository, call).catch(wordsOf);
  if (typeof end === "string") return refused(end);
  // One line for the one ref: how it went, `<from>:<to>`, and why not.
  const line = linesOf(end).find((text) => text.includes("\t")) ?? "";
  const [, refs = "", why = ""] = line.split("\t");
  if (end.code !== 0) return refused([end.stderr.trim(), why].filter((text) => text !== "").join("\n"));
  return { kind: "pushed", remote, branch: shortName(refs.split(":").at(-1) ?? "") };
}

/** Where the remote is: by the configuration of the start, and by that of now. */
async function addresses(shadow: Shadow, remote: string): Promise<[then: string, now: string]> {
  const args = ["remote", "get-url", "--push", "--all", remote];
  const ask = (answer: Promise<{ stdout: Buffer }>) =>
    answer.then(textOf, (error: unknown) => {
      if (error instanceof GitError) return ""; // there is none of that name
      throw error;
    });
  return [await ask(callShadow(shadow, { args })), await ask(callAsUser(shadow.repository, { args }))];
}

/** As git chooses for `git push` on the branch. */
function chooseRemote(
  config: GitConfig,
  { target, remote }: Pick<PushInput, "target" | "remote">,
): string | null {
  const name = shortName(target);
  const all = remotesOf(config);
  const only = all.length === 1 ? all[0] : all.includes("origin") ? "origin" : null;
  return (
    remote ??
    configValue(config, `branch.${name}.pushremote`) ??
    configValue(config, "remote.pushdefault") ??
    configValue(config, `branch.${name}.remote`) ??
    only ??
    null
  );
}

function remotesOf(config: GitConfig): string[] {
  const names = config.flatMap(({ key }) => /^remote\.(.+)\.(?:push)?url$/.exec(key)?.[1] ?? []);
  return [...new Set(names)];
}

/** The branch of this remote that the target follows. */
function followed(config: GitConfig, target: RefName, remote: string): string | null {
  const name = shortName(target);
  if (configValue(config, `branch.${name}.remote`) !== remote) return null;
  const merge = configValue(config, `branch.${name}.merge`);
  return merge ? shortName(merge) : null;
}

/** What `git push` would call the target on the remote. */
function nameThere(config: GitConfig, target: RefName, remote: string): string {
  const isUpstream = /^(?:upstream|tracking)$/.test(configValue(config, "push.default") ?? "");
  return (isUpstream ? followed(config, target, remote) : null) ?? shortName(target);
}

/** A target that follows a branch of another name: git pushes there only when it is told to, and so do we. */
function otherName(config: GitConfig, target: RefName, remote: string): string | null {
  const there = followed(config, target, remote);
  const name = shortName(target);
  const way = configValue(config, "push.default") ?? "simple";
  if (there === null || there === name || way !== "simple") return null;
  return `${name} follows ${there} of ${remote}, a branch of another name: git push ${remote} ${name}:${there}, or git config push.default upstream`;
}

function refused(detail: string): Extract<Pushed, { kind: "refused" }> {
  return { kind: "refused", detail };
}
