// Lock files, the dependency folders that belong to them, and the command that fills these folders as the lock file says. Only installers
// that need no more than the lock file: a folder of any other kind stays as it was copied.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Oid } from "../../../core/ids.ts";
import type { Command, Preparation } from "../../../core/plan.ts";
import { shellWord } from "../../../core/text/command.ts";
import { changedPath, diffTrees, type Lease, listChangedFiles } from "../../../git/index.ts";
import type { CopyList } from "../copies.ts";
import type { RunContext } from "../run-context.ts";

type LockFile = {
  readonly name: string;
  /** How the paths of its folders end. */
  readonly folders: readonly string[];
  readonly install: (text: string) => string;
};

const npm = () => "npm ci --prefer-offline --no-audit --no-fund";
const bun = () => "bun install --frozen-lockfile";
const node = ["node_modules"];

const LOCK_FILES: readonly LockFile[] = [
  { name: "package-lock.json", folders: node, install: npm },
  { name: "npm-shrinkwrap.json", folders: node, install: npm },
  {
    name: "pnpm-lock.yaml",
    folders: node,
    install: () => "pnpm install --frozen-lockfile --prefer-offline",
  },
  {
    name: "yarn.lock",
    folders: [...node, ".yarn/cache", ".yarn/unplugged"],
    install: (text) => `yarn install ${isYarnClassic(text) ? "--frozen-lockfile" : "--immutable"}`,
  },
  { name: "bun.lock", folders: node, install: bun },
  { name: "bun.lockb", folders: node, install: bun },
  { name: "uv.lock", folders: [".venv"], install: () => "uv sync --frozen" },
  {
    name: "poetry.lock",
    folders: [".venv"],
    install: () => "POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --no-interaction",
  },
  { name: "composer.lock", folders: ["vendor"], install: () => "composer install --no-interaction" },
  {
    name: "Gemfile.lock",
    folders: ["vendor", "vendor/bundle"],
    install: () => "BUNDLE_FROZEN=true BUNDLE_PATH=vendor/bundle bundle install",
  },
  { name: "go.sum", folders: ["vendor"], install: () => "go mod vendor" },
];

const isYarnClassic = (text: string): boolean => /^# yarn lockfile v1$/m.test(text);

/** A dependency folder and the lock file that says what is in it; both from the root of the tree. */
export type LockedFolder = { readonly folder: string; readonly lock: string };

/** Which of these folders belong to lock files that are in the tree. A folder may belong to several. */
export function findLockedFolders(root: string, folders: readonly string[]): LockedFolder[] {
  return folders.flatMap((folder) =>
    LOCK_FILES.flatMap(({ name, folders: ends }) => {
      const end = ends.find((one) => folder === one || folder.endsWith(`/${one}`));
      const at = end === undefined ? null : findLock(root, folder.slice(0, -end.length), name);
      return at === null ? [] : [{ folder, lock: `${at}${name}` }];
    }),
  );
}

/** The place of the lock file, with a slash: beside the folder, or at the root of the workspaces that the folder is in. */
function findLock(root: string, beside: string, name: string): string | null {
  if (existsSync(join(root, beside, name))) return beside;
  if (!isNode(name)) return null;
  const hasOwn = LOCK_FILES.some((one) => isNode(one.name) && existsSync(join(root, beside, one.name)));
  for (let at = hasOwn ? "" : beside; at !== ""; ) {
    at = at.slice(0, at.lastIndexOf("/", at.length - 2) + 1);
    if (existsSync(join(root, at, name))) return hasWorkspaces(join(root, at)) ? at : null;
  }
  return null;
}

const isNode = (name: string): boolean =>
  LOCK_FILES.some((one) => one.name === name && one.folders.includes("node_modules"));

function hasWorkspaces(folder: string): boolean {
  if (existsSync(join(folder, "pnpm-workspace.yaml"))) return true;
  const manifest = join(folder, "package.json");
  return existsSync(manifest) && /"workspaces"\s*:/.test(readFileSync(manifest, "utf8"));
}

/** The command that fills the folders of a lock file, at the root of the tree. */
export function formatInstall(root: string, lock: string): string {
  const at = lock.lastIndexOf("/");
  const known = LOCK_FILES.find(({ name }) => name === lock.slice(at + 1));
  if (known === undefined) throw new Error(`unknown installer for ${lock}`);
  const command = known.install(readFileSync(join(root, lock), "latin1"));
  return at < 0 ? command : `cd ${shellWord(lock.slice(0, at))} && ${command}`;
}

export type ChangedLocks = {
  /** Paths from the root of the tree. */
  readonly locks: readonly string[];
  /** Folders that are installed instead of copied. */
  readonly folders: ReadonlySet<string>;
  readonly installs: readonly Command[];
};

/**
 * Lock files that differ from those of the base commit, because a task added or updated a dependency. The folders of the
 * checkout do not fit such a tree, so the installers fill them instead (ADR 0028). Null where all folders are copied. A
 * preparation that names its copies or commands itself is never changed.
 */
export async function findChangedLocks(
  { shadow, copies, baseTree }: Pick<RunContext, "shadow" | "copies" | "baseTree">,
  { slot }: Lease,
  prepare: Preparation,
): Promise<ChangedLocks | null> {
  if (prepare.automatic !== true) return null;
  const locked = findLockedFolders(slot.path, copies.of(prepare).paths);
  const files = [...new Set(locked.map(({ lock }) => lock))];
  const locks = await listChangedFiles(shadow, slot, { tree: baseTree, files });
  if (locks.length === 0) return null;
  const folders = locked.filter(({ lock }) => locks.includes(lock)).map(({ folder }) => folder);
  const lines = new Set(locks.map((lock) => formatInstall(slot.path, lock)));
  const installs = [...lines].map((line): Command => ({ kind: "shell", line }));
  return { locks, folders: new Set(folders), installs };
}

/**
 * What a landing leaves to the user: dependency folders of the checkout that its lock files no longer describe, one line each. The next run
 * would copy them as they are, and its base would be red.
 */
export async function listOutdatedFolders(
  { shadow, copies }: Pick<RunContext, "shadow" | "copies">,
  prepare: Preparation,
  { from, to }: { readonly from: Oid; readonly to: Oid },
): Promise<string[]> {
  const { workTree } = shadow.repository;
  const locked = workTree === null ? [] : findLockedFolders(workTree, copies.of(prepare).paths);
  if (workTree === null || locked.length === 0) return [];
  const changed = new Set((await diffTrees(shadow, from, to)).map((change) => changedPath(change).path));
  const locks = [...new Set(locked.map(({ lock }) => lock))].filter((lock) => changed.has(lock));
  return locks.map((lock) => `${lock} changed; update your checkout: ${formatInstall(workTree, lock)}`);
}

export function leaveOutFolders(list: CopyList, folders: ReadonlySet<string>): CopyList {
  return { ...list, paths: list.paths.filter((path) => !folders.has(path)) };
}
