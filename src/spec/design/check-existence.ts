import { compile } from "../../core/ownership/compile.ts";
import { fold } from "../../core/ownership/entries.ts";
import { matcher } from "../../core/ownership/match.ts";
import { overlap } from "../../core/ownership/overlap.ts";
import { parseClaim } from "../../core/ownership/parse.ts";
import type { PathPattern } from "../../core/ownership/pattern.ts";
import type { Diagnostic, Located, SourceRange } from "../../core/source.ts";
import { nearest } from "../../core/suggest.ts";
import { buildDesignFinding } from "./catalog.ts";
import type { LocatedTask } from "./located.ts";

/** What is modified must be there by then, what is created must not. Patterns that cannot be read were told of. */
export function checkExistence(tasks: readonly LocatedTask[], tracked: readonly string[]): Diagnostic[] {
  const world: World = {
    tracked,
    files: new Set(tracked),
    there: new Set(tracked.flatMap(withFolders)),
    folded: new Map(tracked.map((path) => [fold(path), path])),
    created: tasks.flatMap((task) => patternsOf(task.create).map(({ value }) => ({ task, pattern: value }))),
  };
  return tasks.flatMap((task) => [
    ...patternsOf(task.modify).flatMap((entry) => modifyFinding(task, entry, world) ?? []),
    ...patternsOf(task.create).flatMap((entry) => createFinding(task, entry, world) ?? []),
  ]);
}

type World = {
  readonly tracked: readonly string[];
  readonly files: ReadonlySet<string>;
  /** Files, and the folders that they are in. */
  readonly there: ReadonlySet<string>;
  /** By what is one path where case is ignored. */
  readonly folded: ReadonlyMap<string, string>;
  readonly created: readonly { readonly task: LocatedTask; readonly pattern: PathPattern }[];
};

function withFolders(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_, i) => parts.slice(0, i + 1).join("/"));
}

function patternsOf(entries: readonly Located<string>[]): Located<PathPattern>[] {
  return entries.flatMap(({ value, at }) => {
    const parsed = parseClaim(value, "any");
    return parsed.ok ? [{ value: parsed.claim.pattern, at }] : [];
  });
}

/** Of braces each way must be there; the first that is not is told. */
function modifyFinding(task: LocatedTask, entry: Located<PathPattern>, world: World): Diagnostic | null {
  const ways = compile(entry.value);
  const missing = ways.find(
    (way) => way.kind === "literal" && !isThere(way.path as PathPattern, task, world),
  );
  if (missing?.kind === "literal") return notThere(missing.path as PathPattern, { task, entry, world });
  const covers = matcher(entry.value);
  const isGlob = ways.every(({ kind }) => kind === "glob");
  // What cannot be taken apart is given the benefit of the doubt.
  if (!isGlob || world.tracked.some((path) => covers(path) !== false)) return null;
  return isThere(entry.value, task, world) ? null : notThere(entry.value, { task, entry, world });
}

function isThere(pattern: PathPattern, task: LocatedTask, { there, created }: World): boolean {
  if (there.has(pattern)) return true;
  return created.some(
    (one) => one.task.wave.value < task.wave.value && overlap(one.pattern, pattern).kind === "overlap",
  );
}

type Missing = { readonly task: LocatedTask; readonly entry: Located<PathPattern>; readonly world: World };

function notThere(pattern: PathPattern, { task, entry, world }: Missing): Diagnostic | null {
  const maker = world.created.find((one) => overlap(one.pattern, pattern).kind === "overlap")?.task;
  const about = { task: task.id.value, path: pattern };
  const { at } = entry;
  if (maker === task) return buildDesignFinding("modify-missing", { ...about, kind: "own" }, at);
  // In one wave the two are reported as an overlap.
  if (maker?.wave.value === task.wave.value) return null;
  if (maker === undefined) {
    const suggestion = nearestPath(pattern, world.tracked);
    return buildDesignFinding("modify-missing", { ...about, kind: "none", suggestion }, at);
  }
  const makerId = maker.id.value;
  const waves = { wave: task.wave.value, makerWave: maker.wave.value };
  const related = [{ at: maker.id.at, task: makerId }];
  const params = { ...about, kind: "later", maker: makerId, ...waves } as const;
  return buildDesignFinding("modify-missing", params, at, { related });
}

/** The same name elsewhere, else the fewest typing mistakes. */
function nearestPath(path: string, tracked: readonly string[]): string | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const same = tracked.filter((one) => one === name || one.endsWith(`/${name}`));
  return same.length === 1 ? (same[0] as string) : nearest(path, tracked.slice(0, MOST_COMPARED));
}

const MOST_COMPARED = 20_000;

/** A plain path that is a file of the repository; of a glob it may be meant that files join those that are there. */
function createFinding(
  task: LocatedTask,
  { value, at }: Located<PathPattern>,
  world: World,
): Diagnostic | null {
  const about = { task: task.id.value, path: value };
  const paths = compile(value).flatMap((way) => (way.kind === "literal" ? [way.path] : []));
  const path = paths.find((one) => world.there.has(one));
  if (path !== undefined) {
    const kind = world.files.has(path) ? "file" : "folder";
    return buildDesignFinding("create-exists", { ...about, path, kind }, at);
  }
  return nextTo(paths, { task: task.id.value, at }, world) ?? coveredFinding(about, at, world);
}

type Creator = { readonly task: string; readonly at: SourceRange };

/** Paths that cannot exist, or not everywhere, beside an existing file. */
function nextTo(
  paths: readonly string[],
  { task, at }: Creator,
  { files, folded }: World,
): Diagnostic | null {
  for (const path of paths) {
    const file = withFolders(path).find((one) => files.has(one));
    if (file !== undefined)
      return buildDesignFinding("create-exists", { task, path, kind: "in-file", other: file }, at);
    const other = folded.get(fold(path));
    if (other === undefined) continue;
    const params = { task, path, kind: "other-case", other } as const;
    return buildDesignFinding("create-exists", params, at, { severity: "warning" });
  }
  return null;
}

function coveredFinding(
  about: { readonly task: string; readonly path: PathPattern },
  at: SourceRange,
  { tracked }: World,
): Diagnostic | null {
  const covers = matcher(about.path);
  const other = tracked.find((one) => covers(one) === true);
  if (other === undefined) return null;
  return buildDesignFinding("create-exists", { ...about, kind: "covered", other }, at, {
    severity: "warning",
  });
}
