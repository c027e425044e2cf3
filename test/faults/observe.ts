// What must be so before, during and after a run, seen from outside: the user's things (I3), what is left (I5, I8), where work
// is (I2).

import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Files, git, journal, orphans, type Place, runIds, runsFolder } from "./support.ts";

/** Names and contents of all files below a folder; what is no file is "special". */
export function filesBelow(folder: string, skip: readonly string[] = [".git"]): Files {
  const found: Record<string, string> = {};
  const walk = (below: string): void => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (below === "" && skip.includes(entry.name)) continue;
      if (entry.isDirectory()) walk(path);
      else if (entry.isSymbolicLink()) found[path] = `link ${readlinkSync(join(folder, path))}`;
      else found[path] = entry.isFile() ? readFileSync(join(folder, path), "latin1") : "special";
    }
  };
  if (existsSync(folder)) walk("");
  return found;
}

/** The user's HEAD, refs, logs, index, config, hooks, stash and files, byte by byte (I3). What is plait's own is left out. */
export function usersThings({ repo }: Place): Files {
  const bare = !existsSync(join(repo, ".git"));
  const inGit = filesBelow(bare ? repo : join(repo, ".git"), ["objects", "plait", "worktrees"]);
  const isOurs = (path: string) =>
    /(?:^|\/)refs\/(?:heads\/)?plait(?:\/|$)|^modules\/.*\/objects\//.test(path);
  const own = Object.entries(inGit).filter(([path]) => !isOurs(path));
  const tree = bare ? [] : Object.entries(filesBelow(repo)).map(([path, text]) => [`tree/${path}`, text]);
  return Object.fromEntries([...own, ...tree]);
}

/** All refs by name. */
export function refs(place: Place, prefix = "refs"): Record<string, string> {
  const lines = git(place, "for-each-ref", "--format=%(refname) %(objectname)", prefix).split("\n");
  return Object.fromEntries(lines.filter(Boolean).map((line) => line.split(" ") as [string, string]));
}

/** The files of a commit or tree: mode and content hash by path. */
export function filesAt(place: Place, at: string): Files {
  const entries = git(place, "ls-tree", "-r", "-z", at).split("\0").filter(Boolean);
  return Object.fromEntries(
    entries.map((entry) => {
      const tab = entry.indexOf("\t");
      const [mode, , hash] = entry.slice(0, tab).split(" ");
      return [entry.slice(tab + 1), `${mode} ${hash}`];
    }),
  );
}

export function textAt(place: Place, at: string, path: string): string {
  return git(place, "cat-file", "blob", `${at}:${path}`);
}

/** Whether some ref of plait's leads to a commit with such a file: the work is not lost (I2). */
export function isSaved(place: Place, path: string, text?: string): boolean {
  const commits = git(place, "rev-list", "--glob=refs/plait/*", "--glob=refs/heads/plait/*")
    .split("\n")
    .filter(Boolean);
  return commits.some((commit) => {
    if (!(path in filesAt(place, commit))) return false;
    return text === undefined || textAt(place, commit, path) === text;
  });
}

export function tree(place: Place, at = "main"): string {
  return git(place, "rev-parse", `${at}^{tree}`);
}

/** After the end: no process, worktree, lock, half-done merge or temporary file, and no ref but those that are expected (I5, I8). */
export function expectNothingLeft(
  place: Place,
  { refs: kept = [] as readonly (string | RegExp)[] } = {},
): void {
  expect(orphans(place), "processes").toEqual([]);
  expect(filesBelow(join(place.root, "tmp")), "temporary files").toEqual({});
  expect(filesBelow(join(place.root, "state")), "worktrees").toEqual({});
  expect(git(place, "worktree", "list", "--porcelain").match(/^worktree /gm), "worktrees").toHaveLength(1);
  const ours = [...Object.keys(refs(place, "refs/plait")), ...Object.keys(refs(place, "refs/heads/plait"))];
  const unnamed = ours.filter(
    (ref) => !kept.some((one) => (typeof one === "string" ? ref === one : one.test(ref))),
  );
  expect(unnamed, "refs").toEqual([]);
  for (const one of kept) expect(ours.join("\n"), "refs").toMatch(one);
  expect(strayFiles(place), "locks and half-done things").toEqual([]);
}

/** What git and plait leave when they are cut off. */
function strayFiles(place: Place): string[] {
  const { repo } = place;
  const names = Object.keys(
    filesBelow(existsSync(join(repo, ".git")) ? join(repo, ".git") : repo, ["objects", "plait"]),
  );
  // A start that was cut off before its first fact is no run yet.
  const runs = runIds(place)
    .filter((run) => journal(place, run).length > 0)
    .flatMap((run) => Object.keys(filesBelow(join(runsFolder(place), run), ["shadow.git"])));
  return [
    ...names.filter((name) =>
      /\.lock$|(?:^|\/)(?:MERGE_|REBASE|CHERRY_PICK|AUTO_MERGE)|plait-probe/.test(name),
    ),
    ...runs.filter((name) => /^lock|^door|\.tmp$/.test(name)),
  ];
}
