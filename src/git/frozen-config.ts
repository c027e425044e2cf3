// The configuration that plait's own git sees during a run: what git read when the run started, with every include in its place. The
// user's files may change meanwhile, by an agent or by anyone; that is reported (fingerprint.ts), and plait's git does not run under it.

import { join, resolve } from "node:path";
import { type ConfigEntry, configValue, formatConfig } from "./config.ts";
import { readFileOrNull } from "./files.ts";
import { largeFilesFolder } from "./large-files.ts";
import type { Repository } from "./repository.ts";

/** Where the user's own git files are looked for: HOME and its like. */
export type UserEnvironment = Readonly<Record<string, string>>;

/** Names in the folder of the shadow. */
export const USER_CONFIG = "user-config";
const USER_ATTRIBUTES = "user-attributes";
export const USER_EXCLUDES = "user-excludes";
/** For repositories of attempts: none of plait's git reads it. */
export const OWN_CONFIG = "attempt-config";

/** Every file that git reads for the user wherever it is called, also those that do not exist. */
export function userGitFiles(env: UserEnvironment): string[] {
  const { HOME, GIT_CONFIG_GLOBAL, XDG_CONFIG_HOME } = env;
  if (HOME === undefined) return [];
  const folder = join(XDG_CONFIG_HOME || join(HOME, ".config"), "git");
  const config = GIT_CONFIG_GLOBAL ? [GIT_CONFIG_GLOBAL] : [join(HOME, ".gitconfig"), join(folder, "config")];
  return [...config, join(folder, "attributes"), join(folder, "ignore")];
}

/** The files of the shadow that say what is in force, by their names. */
export async function freezeConfig(
  repository: Repository,
  { folder, env }: { readonly folder: string; readonly env: UserEnvironment },
): Promise<Map<string, Buffer>> {
  const { config, commonDir } = repository;
  const [attributes, excludes] = await Promise.all([
    readNamedFile(repository, env, { key: "core.attributesfile", standard: "attributes" }),
    readNamedFile(repository, env, { key: "core.excludesfile", standard: "ignore" }),
  ]);
  const placed = [
    { key: "core.attributesfile", value: join(folder, USER_ATTRIBUTES) },
    { key: "core.excludesfile", value: join(folder, USER_EXCLUDES) },
  ];
  const users = config.filter(({ scope, key }) => isUserScope(scope) && !IS_FILE.test(key));
  const texts = new Map([
    ["config", Buffer.from(repositoryConfig(repository))],
    [USER_CONFIG, Buffer.from(formatConfig([...users, ...placed]))],
    [USER_ATTRIBUTES, attributes],
    [USER_EXCLUDES, excludes],
    [OWN_CONFIG, Buffer.from(ownConfig(repository))],
  ]);
  for (const name of ["info/exclude", "info/attributes"]) {
    const text = await readFileOrNull(join(commonDir, name));
    if (text !== null) texts.set(name, text);
  }
  return texts;
}

const isUserScope = (scope: ConfigEntry["scope"]): boolean => scope === "system" || scope === "global";

/** Settings that name another file to read. Included files are in the list already. */
const IS_FILE = /^(?:include\.|includeif\.|core\.(?:attributesfile|excludesfile)$)/;

async function readNamedFile(
  { config, workTree, commonDir }: Repository,
  env: UserEnvironment,
  { key, standard }: { readonly key: string; readonly standard: string },
): Promise<Buffer> {
  const { HOME = "/" } = env;
  const asked = configValue(config, key);
  const own = userGitFiles(env).find((path) => path.endsWith(`/git/${standard}`)) ?? null;
  const path = asked ? resolve(workTree ?? commonDir, asked.replace(/^~(?=\/)/, HOME)) : own;
  const text = path === null ? null : await readFileOrNull(path).catch(() => null); // not readable: git reads nothing either
  return text ?? Buffer.alloc(0);
}

/** What is ours to decide, or would bring code or other places in. */
const LEFT_OUT =
  /^(?:hook\.|core\.(?:bare|worktree|hookspath|fsmonitor|sparsecheckout|sparsecheckoutcone|repositoryformatversion)$|lfs\.storage$|extensions\.(?:refstorage|worktreeconfig|objectformat)$)/;

/** The settings of the repository itself, in the order in which they count. */
function repositorySettings({ config }: Pick<Repository, "config">): ConfigEntry[] {
  return config.filter(
    ({ scope, key }) =>
      (scope === "local" || scope === "worktree") && !LEFT_OUT.test(key) && !IS_FILE.test(key),
  );
}

function repositoryConfig(repository: Repository): string {
  const { objectFormat } = repository;
  const ours: Pick<ConfigEntry, "key" | "value">[] = [
    { key: "core.repositoryformatversion", value: "1" },
    { key: "core.bare", value: "false" },
    // Git LFS keeps its files below the git dir that it sees: those of the user's repository are meant.
    { key: "lfs.storage", value: largeFilesFolder(repository) },
    ...(objectFormat === "sha256" ? [{ key: "extensions.objectformat", value: "sha256" }] : []),
  ];
  return formatConfig([...ours, ...repositorySettings(repository)]);
}

/** What is a secret, leads to one, or runs something that is the user's and not the project's. */
const NOT_FOR_AGENTS =
  /^(?:credential|url|http|hook|sendemail|include|includeif)\.|^core\.(?:sshcommand|gitproxy|askpass|editor|pager|worktree)$|^remote\..*\.(?:proxy|proxyauthmethod|uploadpack|receivepack|vcs)$/;

/** For repositories of attempts: the repository's settings, and who the user is: a condition in ~/.gitconfig may not hold here. */
function ownConfig(repository: Repository): string {
  const { config, objectFormat } = repository;
  const who = config.filter(
    ({ scope, key }) =>
      (scope === "global" || scope === "system") && /^(?:user|author|committer)\./.test(key),
  );
  const ours: Pick<ConfigEntry, "key" | "value">[] = [
    { key: "core.repositoryformatversion", value: "1" },
    { key: "core.bare", value: "false" },
    { key: "core.logallrefupdates", value: "always" },
    { key: "gc.auto", value: "0" },
    { key: "maintenance.auto", value: "false" },
    ...(objectFormat === "sha256" ? [{ key: "extensions.objectformat", value: "sha256" }] : []),
  ];
  const settings = repositorySettings(repository).filter(({ key }) => !NOT_FOR_AGENTS.test(key));
  return formatConfig([...ours, ...who, ...settings.map((one) => forElsewhere(repository, one))]);
}

/** The address of a remote without a login in it, and right wherever it is used. */
function forElsewhere(
  { workTree, commonDir }: Repository,
  { key, value }: ConfigEntry,
): Pick<ConfigEntry, "key" | "value"> {
  if (!/^remote\..*\.(?:push)?url$/.test(key) || value === null) return { key, value };
  if (/^\.\.?\//.test(value)) return { key, value: resolve(workTree ?? commonDir, value) };
  return { key, value: value.replace(/^(https?:\/\/)[^/@]*@/i, "$1") };
}
