// The environment and the options of every call. Built, never inherited: plait may have been started from a hook, and an
// inherited GIT_INDEX_FILE sends our `add` to somebody else's index.

import type { CheckoutGuard } from "./checkout-guard.ts";

export type Environment = Readonly<Record<string, string>>;

/** These say where the user's own set-up is; every other GIT_* goes. */
const KEPT = /^GIT_(?:CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM|SSH.*|EXEC_PATH|TEMPLATE_DIR)$/;

const FIXED: Environment = {
  LC_ALL: "C", // messages are matched
  GIT_OPTIONAL_LOCKS: "0", // without it `status` and `diff` rewrite the user's index
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "true",
  SSH_ASKPASS: "true",
  GIT_EDITOR: "true",
  GIT_PAGER: "cat",
  GIT_NO_REPLACE_OBJECTS: "1", // an agent's `git replace` would change history for every reader
  GIT_LITERAL_PATHSPECS: "1", // a file may be called `*` or `:(top)x`
};

/** The environment of all our git calls, from the one that plait was started with. */
export function gitEnvironment(base: Environment): Record<string, string> {
  return { ...withoutGit(base), ...FIXED };
}

/** Without anything that redirects git. */
function withoutGit(base: Environment): Record<string, string> {
  const kept = Object.entries(base).filter(([name]) => !name.startsWith("GIT_") || KEPT.test(name));
  return Object.fromEntries(kept.filter(([name]) => name !== "LANGUAGE"));
}

/**
 * What an agent's own git gets: logs of every ref it moves (so that a save finds what it left), no gc, which would delete
 * what only a private index holds, the paths that were copied into its worktree hidden, and the user's checkout guarded.
 */
export function agentGitEnvironment(
  excludesFile: string | null,
  guard: CheckoutGuard | null = null,
): Record<string, string> {
  const config = [
    ["core.logAllRefUpdates", "always"],
    ["gc.auto", "0"],
    ["maintenance.auto", "false"],
    ...(excludesFile === null ? [] : [["core.excludesFile", excludesFile]]),
    ...(guard?.gitDirs ?? []).map((dir) => [`includeIf.gitdir:${dir}.path`, guard?.config ?? ""] as const),
  ] as const;
  const pairs = config.flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${i}`, key],
    [`GIT_CONFIG_VALUE_${i}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(config.length), ...Object.fromEntries(pairs) };
}

/** Since 2.54 hooks come from the config too and core.hooksPath does not stop them; from 2.55 this does. */
const EVENTS = [
  ...["reference-transaction", "post-index-change", "post-checkout", "post-merge", "pre-merge-commit"],
  ...["commit-msg", "post-commit"],
];

const SETTINGS = [
  "core.hooksPath=/dev/null",
  ...EVENTS.map((event) => `hook.${event}.enabled=false`),
  "core.fsmonitor=false",
  "commit.gpgsign=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "core.splitIndex=false",
  "submodule.recurse=false",
  "core.trustctime=true", // else an edit with `touch -r` is invisible
  "core.checkStat=default",
  "core.safecrlf=false", // else `add` dies on mixed line ends
  "i18n.commitEncoding=UTF-8",
  "core.quotePath=false",
  "advice.addEmbeddedRepo=false",
  "merge.renames=true",
  "merge.directoryRenames=conflict",
  "merge.conflictStyle=merge",
  "protocol.file.allow=user",
];

/** As arguments, in front of the command. */
export const SAFE_OPTIONS: readonly string[] = asOptions(SETTINGS);

/** For what must survive a power cut. git syncs neither objects nor refs by default. */
export const DURABLE_OPTIONS = asOptions(["core.fsync=committed"]);
/** The same for many objects at once: one sync for all of them. */
export const DURABLE_BATCH_OPTIONS = asOptions(["core.fsync=committed", "core.fsyncMethod=batch"]);

export function asOptions(settings: readonly string[]): string[] {
  return settings.flatMap((setting) => ["-c", setting]);
}
