// Dependency folders of the user's checkout that worktrees need too: filled by a package manager, ignored by git, and beside the
// lock file or manifest that says what is in them. A plan that sets neither `copy` nor `setup` gets them unasked.

import { constants } from "node:fs";
import { access, copyFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Plan, Preparation } from "../core/plan.ts";
import { commandText } from "../core/select/preview/commands.ts";
import { findHubFiles, type HubFile } from "../core/select/preview/hub-files.ts";
import { listing, plainText } from "../core/text/sentence.ts";
import { copiesFor } from "../engines/local/copies.ts";
import { findLockedFolders, formatInstall } from "../engines/local/prepared/lock-files.ts";
import { findReused } from "../engines/local/prepared/setup-steps.ts";
import { listUntrackedFolders, type Repository, readHistory, trackedIn } from "../git/index.ts";
import { succeeds } from "../util/errno.ts";
import { findRepository, gitFor, type Host, stateFolder } from "./host.ts";

type DependencyFolder = {
  /** How its path ends. */
  readonly name: string;
  /** One of them is in the folder that the path starts from. */
  readonly files: readonly string[];
};

const NODE = [
  ...["package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb"],
  "package.json",
];
const PYTHON = [
  ...["uv.lock", "poetry.lock", "Pipfile.lock", "pdm.lock", "requirements.txt", "pyproject.toml"],
  ...["Pipfile", "setup.py"],
];

const KNOWN: readonly DependencyFolder[] = [
  { name: "node_modules", files: NODE },
  { name: ".yarn/cache", files: ["yarn.lock"] },
  { name: ".yarn/unplugged", files: ["yarn.lock"] },
  { name: "bower_components", files: ["bower.json"] },
  { name: ".venv", files: PYTHON },
  { name: "venv", files: PYTHON },
  { name: "vendor", files: ["composer.lock", "composer.json", "go.mod", "Gemfile.lock"] },
  { name: "vendor/bundle", files: ["Gemfile.lock"] },
  { name: "Pods", files: ["Podfile.lock"] },
  { name: "deps", files: ["mix.lock"] },
];

/** Paths from the root of the repository, sorted. One that git does not ignore may be meant to be committed: it is only named. */
async function findDependencies(repository: Repository, kind: "ignored" | "not-ignored"): Promise<string[]> {
  const { workTree, standsInFor } = repository;
  if (workTree === null || standsInFor !== null) return [];
  const found: string[] = [];
  for (const listed of await listUntrackedFolders(repository, kind)) {
    const path = listed.slice(0, -1);
    if (!SPECIAL.test(path) && (await isDependencyFolder(workTree, path))) found.push(path);
  }
  return found.sort();
}

/** A path that would mean something else as a pattern of `copy`. */
const SPECIAL = /[*?[\]{}\\!#]/;

async function isDependencyFolder(root: string, path: string): Promise<boolean> {
  for (const { name, files } of KNOWN) {
    if (path !== name && !path.endsWith(`/${name}`)) continue;
    const parent = join(root, path.slice(0, path.length - name.length));
    const hasFile = await Promise.all(files.map((file) => succeeds(access(join(parent, file)))));
    if (hasFile.includes(true)) return true;
  }
  return false;
}

export type PlanWithDependencies = {
  readonly plan: Plan;
  readonly added: readonly string[];
  /** Dependency folders that worktrees do not get, because git does not ignore them. */
  readonly notIgnored: readonly string[];
};

/** The plan as it runs: preparations that leave `copy` and `setup` to plait copy the dependency folders of the checkout. */
export async function addDependencies(repository: Repository, plan: Plan): Promise<PlanWithDependencies> {
  const isAutomatic = [plan, ...plan.tasks].some(({ prepare }) => prepare.automatic);
  if (!isAutomatic) return { plan, added: [], notIgnored: [] };
  const added = await findDependencies(repository, "ignored");
  const notIgnored = await findDependencies(repository, "not-ignored");
  if (added.length === 0) return { plan, added, notIgnored };
  const fill = (prepare: Preparation): Preparation =>
    prepare.automatic ? { ...prepare, copy: added } : prepare;
  const tasks = plan.tasks.map((task) => ({ ...task, prepare: fill(task.prepare) }));
  return { plan: { ...plan, prepare: fill(plan.prepare), tasks }, added, notIgnored };
}

const SHOWN = 3;

/** One line about what was added; null where nothing was. */
export function formatDependencies(added: readonly string[]): string | null {
  if (added.length === 0) return null;
  return `Worktrees get ${plainText(listing(added, SHOWN))} from your checkout (--no-copy turns this off).`;
}

export type PreviewedCopies = {
  readonly plan: Plan;
  /** How folders of the checkout get into worktrees; null where nothing is copied. */
  readonly copyBy: "reflink" | "copy" | null;
  /** Paths in `copy` with nothing that git does not track, such as submodules. */
  readonly uncopied: readonly string[];
  /** Dependency folders that git does not ignore. */
  readonly notIgnored: readonly string[];
  /** Lock files that these folders belong to, each with the command that runs where a task changes it. */
  readonly installs: readonly LockInstall[];
  /** Setup commands with a result that is given to other trees; `installs`: those at their beginning, null where the plan declares it. */
  readonly reused: readonly ReusedSetup[];
};

export type ReusedSetup = { readonly command: string; readonly installs: string | null };

export type LockInstall = { readonly lock: string; readonly command: string };

/** For `plait plan`: the plan as it would run from here. Outside a repository it stays as it is. */
export async function previewCopies(host: Host, written: Plan): Promise<PreviewedCopies> {
  const found = await findRepository(host);
  const reused = listReused(written);
  if (!found.ok) return { plan: written, copyBy: null, uncopied: [], notIgnored: [], installs: [], reused };
  const { plan, added, notIgnored } = await addDependencies(found.repository, written);
  const isCopying = [plan, ...plan.tasks].some(
    ({ prepare }) => prepare.copy.length + prepare.include.length > 0,
  );
  if (!isCopying) return { plan, copyBy: null, uncopied: [], notIgnored, installs: [], reused };
  const canShare = await canReflink(join(found.repository.commonDir, "HEAD"), stateFolder(host));
  const uncopied = await listUncopied(found.repository, plan);
  const installs = listInstalls(found.repository.workTree ?? "", added);
  return { plan, copyBy: canShare ? "reflink" : "copy", uncopied, notIgnored, installs, reused };
}

/** Paths of `copy` that name nothing; a glob may match nothing, and tracked files come with the commit. Null where there are none. */
export async function describeUncopied(repository: Repository, plan: Plan): Promise<string | null> {
  const uncopied = (await listUncopied(repository, plan)).filter((path) => !SPECIAL.test(path));
  const tracked = await listTrackedPaths(repository, uncopied);
  const missing = uncopied.filter((path) => !tracked.includes(path));
  if (missing.length === 0) return null;
  return `Not copied to worktrees: ${plainText(listing(missing, SHOWN))}, because your checkout has nothing untracked there.`;
}

/** Those that git tracks, or that git tracks something in. */
async function listTrackedPaths(repository: Repository, paths: readonly string[]): Promise<string[]> {
  const { workTree } = repository;
  if (workTree === null || paths.length === 0) return [];
  const files = await trackedIn(repository, workTree, paths);
  return paths.filter((path) => {
    const name = path.replace(/\/$/, "");
    return files.some((file) => file === name || file.startsWith(`${name}/`));
  });
}

async function listUncopied(repository: Repository, { prepare, tasks }: Plan): Promise<string[]> {
  const all = [prepare, ...tasks.map((task) => task.prepare)].flatMap(({ copy }) => copy);
  const names = [...new Set(all.filter((one) => typeof one === "string"))];
  const found = await Promise.all(
    names.map((name) => copiesFor(repository, { ...prepare, copy: [name], include: [], envFiles: false })),
  );
  return names.filter((_, i) => found[i]?.paths.length === 0);
}

function listReused(plan: Plan): ReusedSetup[] {
  const setups = [plan, ...plan.tasks].map(({ prepare }) => prepare.setup);
  const all = setups.flatMap((setup) => [...findReused(setup)]);
  return [...new Map(all.map(([command, installs]) => [commandText(command), installs]))].map(
    ([command, installs]) => ({ command, installs }),
  );
}

function listInstalls(checkout: string, folders: readonly string[]): LockInstall[] {
  const locks = new Set(findLockedFolders(checkout, folders).map(({ lock }) => lock));
  return [...locks].map((lock) => ({ lock, command: formatInstall(checkout, lock) }));
}

/** Whether a copy of this file below a folder shares its bytes. The folder need not exist. */
async function canReflink(file: string, folder: string): Promise<boolean> {
  let place = folder;
  while (!(await succeeds(access(place)))) place = dirname(place);
  const probe = join(place, `.plait-probe-${process.pid}`);
  try {
    await copyFile(file, probe, constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    return false; // another file system, or one that cannot share bytes
  } finally {
    await rm(probe, { force: true });
  }
}

/** None where there is no repository, or its history cannot be read. */
export async function previewHubFiles(host: Host, plan: Plan): Promise<HubFile[]> {
  if (plan.tasks.filter(({ owns }) => owns.length > 0).length < 2) return [];
  const found = await findRepository(host);
  if (!found.ok || found.repository.workTree === null) return [];
  const history = await readHistory(gitFor(host), found.repository.workTree);
  return history === null ? [] : findHubFiles(plan, history.commits);
}
