// What the tests of git/ share: small real repositories that are gone after the test, an agent that is a shell script, and
// the user's own things as bytes, to compare before and after.

import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import type { Revision } from "../../src/core/facts.ts";
import { type AttemptId, attemptId, oid, parseRunId, parseTaskId, type RunId } from "../../src/core/ids.ts";
import type { Isolation } from "../../src/core/plan.ts";
import { agentGitEnvironment } from "../../src/git/environment.ts";
import type { Lease } from "../../src/git/lease.ts";
import { openPool, type Pool } from "../../src/git/pool.ts";
import { openRepository, type Repository } from "../../src/git/repository.ts";
import { createGit, type Git, type GitSpawn } from "../../src/git/run.ts";
import { openShadow, type Shadow } from "../../src/git/shadow.ts";
import { createGitSpawn } from "../../src/process/git-spawn.ts";

export const spawnGit: GitSpawn = createGitSpawn();

/** The files of the project `private` run a second time, with a repository of its own for each worktree. */
const { PLAIT_TEST_ISOLATION: asked } = process.env;
export const ISOLATION: Isolation = asked === "private" ? "private" : "shared";
export const isPrivate = ISOLATION === "private";

/** A folder with a repository, a home and room for worktrees. */
export type Place = { readonly root: string; readonly repo: string; readonly env: Record<string, string> };

export type Files = { readonly [path: string]: string };

export const SOME_FILES: Files = {
  "a.txt": "a\n",
  "b.txt": "b\n",
  "dir/c.txt": "c\n",
  "dir/deep/d.txt": "d\n",
  ".gitignore": "*.log\nbuild/\n",
};

/** Memory where there is such a file system: these tests make and delete files by the thousand. */
const TEMP = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

export function tempFolder(): string {
  const folder = mkdtempSync(join(realpathSync(TEMP), "plait-git-"));
  onTestFinished(() => {
    const remove = () => rmSync(folder, { recursive: true, force: true });
    try {
      remove();
    } catch {
      execFileSync("chmod", ["-R", "u+rwx", folder]); // an agent closed a folder
      remove();
    }
  });
  return folder;
}

/** An empty repository on the branch main. */
export function emptyRepo(...init: string[]): Place {
  return initRepo(tempFolder(), init);
}

/** A repository with one commit. */
export function tempRepo(files: Files = SOME_FILES, ...init: string[]): Place {
  return copyOf(JSON.stringify([files, init]), (root) => {
    const place = initRepo(root, init);
    commitFiles(place, files, "start");
  });
}

function initRepo(root: string, init: readonly string[]): Place {
  const place = placeIn(root);
  const { HOME: home } = place.env;
  mkdirSync(home);
  mkdirSync(place.repo);
  sh(place, `git init -q -b main --template= ${init.join(" ")} .`);
  writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = User\n\temail = user@example.com\n");
  return place;
}

export function placeIn(root: string): Place & { readonly env: { readonly HOME: string } } {
  const home = join(root, "home");
  const { PATH = "/usr/bin:/bin" } = process.env;
  const env = { PATH, HOME: home, GIT_CONFIG_NOSYSTEM: "1", XDG_CONFIG_HOME: join(home, ".config") };
  return { root, repo: join(root, "repo"), env };
}

/** Places that were made once, to be copied: most tests begin with one of a few, and every call of git costs. */
const templates = new Map<string, string>();
afterAll(() => {
  for (const root of templates.values()) rmSync(root, { recursive: true, force: true });
});

export function copyOf(name: string, make: (root: string) => void): Place {
  let template = templates.get(name);
  if (template === undefined) {
    template = mkdtempSync(join(realpathSync(TEMP), "plait-git-"));
    templates.set(name, template);
    make(template);
  }
  const place = placeIn(tempFolder());
  cpSync(template, place.root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  execFileSync("git", ["update-index", "-q", "--refresh"], { cwd: place.repo, env: place.env }); // it goes by inode
  return place;
}

export function writeFiles(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

export function commitFiles(place: Place, files: Files, message: string): Revision {
  writeFiles(place.repo, files);
  sh(place, `git add -A && git commit -q -m '${message}'`);
  return revision(place, "HEAD");
}

/** What a person or an agent does, by a shell. Returns what it prints, without the last line end. */
export function sh(
  place: Pick<Place, "repo" | "env">,
  script: string,
  cwd = place.repo,
  env: Record<string, string> = {},
): string {
  const stdio: ("ignore" | "pipe")[] = ["ignore", "pipe", "pipe"];
  const options = { cwd, env: { ...place.env, ...env }, stdio };
  return execFileSync("sh", ["-ec", script], { ...options, encoding: "utf8" }).replace(/\n$/, "");
}

/** The same in a worktree, with the environment that agents get. */
export function agent(place: Place, lease: Lease, script: string): string {
  return sh(place, script, lease.slot.path, agentGitEnvironment(null));
}

export function revision(place: Place, name: string): Revision {
  const [commit = "", tree = ""] = sh(place, `git rev-parse ${name}^{commit} ${name}^{tree}`).split("\n");
  return { commit: oid(commit), tree: oid(tree) };
}

export function run(name = "r1"): RunId {
  const parsed = parseRunId(name);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.id;
}

export function attempt(task: string, n = 1): AttemptId {
  const parsed = parseTaskId(task);
  if (!parsed.ok) throw new Error(parsed.problem);
  return attemptId(parsed.id, n);
}

export function gitOf(place: Place, spawn: GitSpawn = spawnGit): Git {
  return createGit({ spawn, env: place.env });
}

export async function opened(place: Place, spawn: GitSpawn = spawnGit): Promise<Repository> {
  const answer = await openRepository(gitOf(place, spawn), place.repo);
  if (!answer.ok) throw new Error(answer.refusal.message);
  return answer.repository;
}

/** Everything that a run needs. */
export type Rig = {
  readonly place: Place;
  readonly repository: Repository;
  readonly shadow: Shadow;
  readonly pool: Pool;
  readonly run: RunId;
  readonly runDir: string;
  readonly base: Revision;
  readonly isolation: Isolation;
};

export async function rig(
  place: Place = tempRepo(),
  name = "r1",
  spawn: GitSpawn = spawnGit,
  isolation: Isolation = ISOLATION,
): Promise<Rig> {
  const repository = await opened(place, spawn);
  const runDir = join(repository.commonDir, "plait/runs", name);
  const shadow = await openShadow(repository, runDir, { env: place.env });
  const pool = await openPool({ shadow, run: run(name), runDir, root: worktreesOf(place), isolation });
  return { place, repository, shadow, pool, run: run(name), runDir, base: repository.head.at, isolation };
}

export function worktreesOf(place: Place): string {
  return join(place.root, "worktrees");
}

/** Names, types, executable bits and contents of all files below a folder, `.git` at its top left out. */
export function filesBelow(folder: string, skip: readonly string[] = [".git"]): Files {
  const found: Record<string, string> = {};
  const walk = (path: string): void => {
    for (const entry of readdirSync(join(folder, path), {
      withFileTypes: true,
      encoding: "latin1" as never,
    })) {
      const at = path === "" ? entry.name : `${path}/${entry.name}`;
      if (path === "" && skip.includes(entry.name)) continue;
      if (entry.isDirectory()) walk(at);
      else if (entry.isSymbolicLink()) found[at] = `link ${readlinkSync(bytes(folder, at))}`;
      else if (entry.isFile()) found[at] = readFileSync(bytes(folder, at), "latin1");
      else found[at] = "special";
    }
  };
  walk("");
  return found;
}

function bytes(folder: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, "latin1")]);
}

/** The user's HEAD, refs, index, config, hooks, stash and files, as bytes (I3). Refs and objects of ours are left out. */
export function usersThings(place: Place): Files {
  const inGit = filesBelow(join(place.repo, ".git"), ["objects", "plait"]);
  const own = Object.entries(inGit).filter(([path]) => !/(?:^|\/)refs\/(?:heads\/)?plait(?:\/|$)/.test(path));
  const tree = Object.entries(filesBelow(place.repo)).map(([path, text]) => [`tree/${path}`, text]);
  return Object.fromEntries([...own, ...tree]);
}

/** The files of a commit or tree by path: mode and content. */
export function filesAt(place: Place, name: string): Files {
  const entries = sh(place, `git ls-tree -r -z ${name} | tr '\\0' '\\n'`).split("\n").filter(Boolean);
  const parsed = entries.map((entry) => /^(\d+) (\w+) (\w+)\t(.*)$/s.exec(entry) ?? []);
  const blobs = readBlobs(
    place,
    parsed.flatMap(([, , kind, hash = ""]) => (kind === "blob" ? [hash] : [])),
  );
  return Object.fromEntries(
    parsed.map(([, mode, , hash = "", path = ""]) => {
      const text = blobs.get(hash) ?? hash; // of a submodule
      return [path, mode === "100644" ? text : `${mode} ${text}`];
    }),
  );
}

/** All at once: a call for each would cost more than what is tested. */
function readBlobs(place: Place, hashes: readonly string[]): Map<string, string> {
  const input = hashes.map((hash) => `${hash}\n`).join("");
  const output = execFileSync("git", ["cat-file", "--batch"], { cwd: place.repo, input }).toString("latin1");
  const blobs = new Map<string, string>();
  for (let at = 0; at < output.length; ) {
    const start = output.indexOf("\n", at) + 1;
    const [hash = "", , size] = output.slice(at, start - 1).split(" ");
    blobs.set(hash, output.slice(start, start + Number(size)));
    at = start + Number(size) + 1;
  }
  return blobs;
}
