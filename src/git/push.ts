// What landed goes to a server, as the user's own `git push` would take it there: the same remote, credentials and pre-push
// hook, and no question asked. A refusal has the server's own words; they may hold what must be masked.
//
// Only to where it went when the run started: an agent that could write the config could send the work elsewhere.

import type { Oid, RefName, RunId } from "../core/ids.ts";
import type { PushByHand } from "../core/landing-types.ts";
import { pullByHand, pushByHand } from "../core/select/push-steps.ts";
import { otherCommand } from "../core/text/command.ts";
import { command, fix, plainText, type Sentence, sentence } from "../core/text/sentence.ts";
import { callAsUser, hooksOfStart, readErrorOutput } from "./as-user.ts";
import { configValue, type GitConfig } from "./config.ts";
import type { Start } from "./fingerprint.ts";
import { describePlanted } from "./planted.ts";
import { isAncestor } from "./ref-updates.ts";
import { readRef, shortName } from "./refs.ts";
import type { Repository } from "./repository.ts";
import { linesOf, textOf } from "./run.ts";
import { callShadow, type Shadow } from "./shadow.ts";

type PushInput = Start & {
  readonly run: RunId;
  readonly target: RefName;
  /** Null: the one that git would choose for the target. */
  readonly remote: string | null;
};

export type Pushed =
  /** `branch`: what it is called there. */
  { readonly kind: "pushed"; readonly remote: string; readonly branch: string } | PushRefusal;

/** What landed, to the place of the target on the server; not what else is on the target by now. */
export async function pushTarget(
  shadow: Shadow,
  input: PushInput & { readonly commit: Oid },
): Promise<Pushed> {
  const remote = chooseRemote(shadow.repository.config, input);
  const problem = remote === null ? NO_REMOTE : otherName(shadow.repository.config, input.target, remote);
  if (remote === null || problem !== null) return refused(problem ?? NO_REMOTE);
  const name = nameThere(shadow.repository.config, input.target, remote);
  const now = await readRef(shadow.repository, input.target);
  if (now === null || !(await isAncestor(shadow.repository, input.commit, now)))
    return refused(`${shortName(input.target)} no longer has ${input.commit}.`, {
      ...{ why: "rewritten", remote, branch: name },
    });
  const args = [remote, `${input.commit}:refs/heads/${name}`];
  const pushed = await push(shadow, input, { remote, branch: name, args });
  if (pushed.kind === "pushed") return pushed;
  // The user pushed it, with more on it.
  const there = await readRef(shadow.repository, `refs/remotes/${remote}/${name}`);
  if (there === null) return pushed;
  if (await isAncestor(shadow.repository, input.commit, there))
    return { kind: "pushed", remote, branch: name };
  const isAncestorOf = (commit: Oid) => isAncestor(shadow.repository, there, commit);
  if ((await isAncestorOf(input.commit)) || !(await isAncestorOf(now))) return pushed;
  // The user merged the remote branch: more than the run landed, so the push is theirs.
  return refused(
    plainText(
      sentence`${shortName(input.target)} has commits beyond this run. ${fix(
        "Push them",
        pushByHand(input.target, { remote, branch: name }),
      )}`,
    ),
    { why: "beyond", remote, branch: name },
  );
}

/**
 * A commit to a branch of plait's own on the server, for a pull request into the target. A branch of that name that is not as
 * plait left it is not overwritten. `base`: what the target is called there.
 */
export async function pushBranch(
  shadow: Shadow,
  input: PushInput & {
    readonly branch: string;
    readonly commit: Oid;
    /** What plait pushed there last; null: nothing that is known. */
    readonly last: Oid | null;
  },
): Promise<(Extract<Pushed, { kind: "pushed" }> & { readonly base: string }) | PushRefusal> {
  const { repository } = shadow;
  const { branch, commit, target } = input;
  const remote = chooseRemote(repository.config, input);
  if (remote === null) return refused(NO_REMOTE);
  const ref = `refs/heads/${branch}`;
  // A clone may not fetch the branch; and one that does may have fetched commits of others.
  const known = input.last ?? (await readRef(repository, `refs/remotes/${remote}/${branch}`));
  const pushOver = (lease: string) =>
    push(shadow, input, {
      remote,
      branch,
      args: [`--force-with-lease=${ref}:${lease}`, remote, `${commit}:${ref}`],
    });
  const first = await pushOver(known ?? "");
  // It may be gone: servers remove the branch of a pull request that was merged.
  const isStale = first.kind === "refused" && first.isStale === true && known !== null;
  const pushed = isStale ? await pushOver("") : first;
  const base = followed(repository.config, target, remote) ?? shortName(target);
  return pushed.kind === "refused" ? pushed : { ...pushed, base };
}

/** Why a push of the target would fail, as far as that is known before; null where it may succeed. */
export function pushProblem({ config }: Repository, target: RefName): string | null {
  const remote = chooseRemote(config, { target, remote: null });
  return remote === null ? NO_REMOTE : otherName(config, target, remote);
}

const NO_REMOTE = plainText(
  fix("no remote to push to; add one", otherCommand("git", "remote add", ["origin", { placeholder: "url" }])),
);

/** A slow line and a large history; a server that says nothing is not waited for all day. */
const PUSH_LIMIT_MS = 15 * 60_000;

async function push(
  shadow: Shadow,
  start: Start & { readonly run: RunId },
  { remote, branch, args }: { remote: string; branch: string; args: readonly string[] },
): Promise<Pushed> {
  const { repository } = shadow;
  const planted = await describePlanted(shadow, start);
  if (planted !== null) return refused(planted);
  const [then, now] = await addresses(shadow, remote);
  const byHand: PushByHand = { why: "other-remote", remote, branch };
  if (then === "") return refused(`There was no remote ${remote} when the run started.`, byHand);
  if (then !== now) return refused(`The URL of ${remote} changed since the run started, to ${now}`, byHand);
  const config = await hooksOfStart(shadow);
  const call = { args: ["push", "--porcelain", ...args], config, timeoutMs: PUSH_LIMIT_MS, allow: [1] };
  const end = await callAsUser(repository, call).catch(readErrorOutput);
  if (typeof end === "string") return describePushRefusal({ remote, branch: "", stderr: end, why: "" });
  // One line for the one ref: how it went, `<from>:<to>`, and why not.
  const line = linesOf(end).find((text) => text.includes("	")) ?? "";
  const [, refs = "", why = ""] = line.split("	");
  const there = shortName(refs.split(":").at(-1) ?? "");
  if (end.code !== 0) return describePushRefusal({ remote, branch: there, stderr: end.stderr, why });
  return { kind: "pushed", remote, branch: there };
}

/** Where the remote is: by the configuration of the start, and by that of now. */
async function addresses(shadow: Shadow, remote: string): Promise<[then: string, now: string]> {
  const args = ["remote", "get-url", "--push", "--all", remote];
  const call = { args, allow: [2] }; // there is none of that name
  return [textOf(await callShadow(shadow, call)), textOf(await callAsUser(shadow.repository, call))];
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

/** A target that tracks a branch of another name: like git, plait pushes there only when configured to. */
function otherName(config: GitConfig, target: RefName, remote: string): string | null {
  const there = followed(config, target, remote);
  const name = shortName(target);
  const way = configValue(config, "push.default") ?? "simple";
  if (there === null || there === name || way !== "simple") return null;
  const push = command(otherCommand("git", "push", [remote, `${name}:${there}`]));
  const allow = command(otherCommand("git", "config", ["push.default", "upstream"]));
  return plainText(
    sentence`${name} tracks ${there} on ${remote}, which has another name; push it: ${push}, or allow it: ${allow}`,
  );
}

function refused(detail: string, byHand?: PushByHand): PushRefusal {
  return { kind: "refused", detail, ...(byHand && { byHand }) };
}

// Why a push was refused. Servers and hooks print many lines; one of them is enough, the rest is saved.

type PushRefusal = {
  readonly kind: "refused";
  /** One line. */
  readonly detail: string;
  /** The whole output of git and the server, where that is more. */
  readonly said?: string;
  /** The remote branch was changed by another program. */
  readonly isStale?: true;
  readonly byHand?: PushByHand;
};

const MOST_SAID = 8_000;
const STALE = "stale info";
const BEHIND: ReadonlySet<string> = new Set(["fetch first", "non-fast-forward"]);

type FailedPush = {
  readonly remote: string;
  readonly branch: string;
  readonly stderr: string;
  /** What git says of the ref, such as `[remote rejected] (pre-receive hook declined)`. */
  readonly why: string;
};

/** Servers and hooks print many lines; one of them is enough, the rest is saved. */
export function describePushRefusal({ remote, branch, stderr, why }: FailedPush): PushRefusal {
  const said = [stderr.trim(), why].filter((text) => text !== "").join("\n");
  const lines = stderr.split("\n").map((line) => line.trim());
  const cause = /\((.+)\)$/.exec(why)?.[1] ?? why;
  const spoken = lines.flatMap((line) => /^remote:\s*(\S.*)$/.exec(line)?.[1] ?? []);
  const local = lines.filter((line) => line !== "" && !NOISE.test(line));
  const reason = pickLine(spoken) ?? pickLine(local);
  const plain = reason === null ? `${remote} refused the push: ${cause}` : withCause(reason, cause);
  const detail = describeOthersCommits({ remote, branch, cause }) ?? plain;
  return {
    kind: "refused",
    detail,
    ...(said !== detail && { said: said.slice(0, MOST_SAID) }),
    ...(cause === STALE && { isStale: true }),
    ...(BEHIND.has(cause) && { byHand: { why: "behind", remote, branch } }),
  };
}

/** The remote branch has other commits. */
function describeOthersCommits({
  remote,
  branch,
  cause,
}: Pick<FailedPush, "remote" | "branch"> & { readonly cause: string }): string | null {
  if (cause === STALE)
    return describeSteps(`${branch} on ${remote} was changed by another program (stale info)`, [
      fix("Save its commits", otherCommand("git", "fetch", [remote, branch])),
      fix("delete it", otherCommand("git", "push", [remote, "--delete", branch])),
    ]);
  if (BEHIND.has(cause))
    return describeSteps(`${branch} on ${remote} has commits that you do not have`, [
      fix("Merge them", pullByHand({ remote, branch })),
      fix("push", otherCommand("git", "push", [remote, branch])),
    ]);
  return null;
}

const describeSteps = (problem: string, [first, second]: readonly [Sentence, Sentence]): string =>
  plainText(sentence`${problem}. ${first}, then ${second}`);

const withCause = (reason: string, cause: string): string => (cause === "" ? reason : `${reason} (${cause})`);

const NOISE = /^(?:remote:|hint:|To |error: failed to push some refs|[!*+=-])/;
const GRAVE = /\b(?:error|fatal|denied|declined|reject\w*|not allowed|protected|forbidden)\b/i;

function pickLine(lines: readonly string[]): string | null {
  const worded = lines.filter((line) => /\w/.test(line) && !line.startsWith("error: hook declined to"));
  return worded.find((line) => GRAVE.test(line)) ?? worded[0] ?? null;
}
