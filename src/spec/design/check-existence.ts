import { quoted } from "../../core/analyze/words.ts";
import { compile } from "../../core/ownership/compile.ts";
import { fold } from "../../core/ownership/letters.ts";
import { matcher } from "../../core/ownership/match.ts";
import { overlap } from "../../core/ownership/overlap.ts";
import { parseClaim } from "../../core/ownership/parse.ts";
import type { PathPattern } from "../../core/ownership/pattern.ts";
import type { Diagnostic, Located } from "../../core/source.ts";
import { nearest } from "../../core/suggest.ts";
import { designFinding } from "./codes.ts";
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
  /** By what is one path where upper and lower case are not told apart. */
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
  const name = quoted(task.id.value);
  const maker = world.created.find((one) => overlap(one.pattern, pattern).kind === "overlap")?.task;
  const { at } = entry;
  if (maker === task) {
    const message = `${name} modifies ${quoted(pattern)}, which it creates itself`;
    return designFinding("modify-missing", {
      message,
      at,
      hint: "delete it here: what it creates it may change",
    });
  }
  // In one wave the two are told of as an overlap.
  if (maker?.wave.value === task.wave.value) return null;
  if (maker !== undefined) {
    const message = `${name} of wave ${task.wave.value} modifies ${quoted(pattern)}, which ${quoted(maker.id.value)} creates only in wave ${maker.wave.value}`;
    const hint = `move ${name} to wave ${maker.wave.value + 1}`;
    const related = [{ at: maker.id.at, message: `${quoted(maker.id.value)} is here` }];
    return designFinding("modify-missing", { message, at, hint, related });
  }
  const problem = /[*?]/.test(pattern) ? "no file matches it" : "it does not exist";
  const near = nearestPath(pattern, world.tracked);
  return designFinding("modify-missing", {
    message: `${name} modifies ${quoted(pattern)}, but ${problem} in the repository, and no task of an earlier wave creates it`,
    at,
    hint: near ? `did you mean ${quoted(near)}?` : "put it under create, or correct the path",
  });
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
  const say = (problem: string, hint: string, severity: "error" | "warning" = "error") =>
    designFinding("create-exists", {
      message: `${quoted(task.id.value)} creates ${problem}`,
      at,
      hint,
      severity,
    });
  const paths = compile(value).flatMap((way) => (way.kind === "literal" ? [way.path] : []));
  const path = paths.find((one) => world.there.has(one));
  if (path !== undefined)
    return world.files.has(path)
      ? say(`${quoted(path)}, which is there already`, "put it under modify, or create another file")
      : say(`${quoted(path)}, which is a folder that is there already`, "name the files in it");
  return nextTo(paths, world, say) ?? coveredFinding(value, world, say);
}

type SayCreate = (problem: string, hint: string, severity?: "error" | "warning") => Diagnostic;

/** Paths that cannot be, or not everywhere, beside a file that is there. */
function nextTo(paths: readonly string[], { files, folded }: World, say: SayCreate): Diagnostic | null {
  for (const path of paths) {
    const file = withFolders(path).find((one) => files.has(one));
    if (file !== undefined)
      return say(`${quoted(path)}, but ${quoted(file)} is a file that is there already`, "correct the path");
    const other = folded.get(fold(path));
    if (other !== undefined)
      return say(
        `${quoted(path)}, which is ${quoted(other)} where upper and lower case are not told apart`,
        `put ${quoted(other)} under modify, or choose another name`,
        "warning",
      );
  }
  return null;
}

function coveredFinding(value: PathPattern, { tracked }: World, say: SayCreate): Diagnostic | null {
  const covers = matcher(value);
  const covered = tracked.find((one) => covers(one) === true);
  if (covered === undefined) return null;
  const problem = `${quoted(value)}, which covers ${quoted(covered)}, a file that is there already`;
  return say(problem, "name the new files one by one", "warning");
}
