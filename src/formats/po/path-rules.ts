import type { Diagnostic, Located } from "../../core/source.ts";
import { quoted } from "../../core/text/figures.ts";
import { buildFormatFinding } from "../catalog.ts";
import { listOf, type Places, placesIn } from "../native/places.ts";
import type { Overlay } from "./overlay.ts";
import { claimPath, type Place, pathBefore } from "./place.ts";
import type { Manifest, ManifestTask } from "./schema.ts";

/** What can be said about paths once it is known where the manifest is about. */
export function pathDiagnostics(
  { tasks }: Manifest,
  places: Places,
  { place, overlay }: { readonly place: Place; readonly overlay: Overlay | null },
): Diagnostic[] {
  const written = tasks.flatMap((task, i) => {
    const { at } = placesIn(places, "tasks", i);
    return listOf(task.writes ?? [], (n) => at("writes", n)).map((path) => ({ task, path }));
  });
  return [
    ...written.flatMap(({ task, path }) =>
      task.read_only ? reportOutside(task, path, place) : outside(task, path, place),
    ),
    ...sharedReports(written, place),
    ...fromElsewhere(
      written.map(({ path }) => path),
      place,
    ),
    ...(overlay ? doubledAgents(tasks, places, overlay) : []),
  ];
}

function outside({ id }: ManifestTask, { value, at }: Located<string>, place: Place): Diagnostic[] {
  if (claimPath(value, place) !== null) return [];
  const problem = `is outside ${place.root === null ? "cwd" : "the repository"}`;
  const params = { subject: `${quoted(id)} writes`, path: value, problem, fix: "use a path from `cwd`" };
  return [buildFormatFinding("bad-pattern", params, at)];
}

const MOST_PLACES = 50;

/** One finding for all, since mostly it is the same with each. */
function fromElsewhere(paths: readonly Located<string>[], place: Place): Diagnostic[] {
  const [first, ...others] = paths.filter(({ value }) => pathBefore(value, place) !== null);
  const now = first && claimPath(first.value, place);
  const before = first && pathBefore(first.value, place);
  if (!first || !now || !before) return [];
  const related = others.slice(0, MOST_PLACES).map(({ value, at }) => ({ at, path: value }));
  return [buildFormatFinding("path-base", { path: first.value, now, before }, first.at, { related })];
}

/** The path of `writes` as a report file of a task that only reads; null where it cannot be one. */
export function reportPath(written: string, place: Place): string | null {
  const path = claimPath(written, place);
  return path === "**" ? null : path;
}

function reportOutside({ id }: ManifestTask, { value, at }: Located<string>, place: Place): Diagnostic[] {
  if (reportPath(value, place) !== null) return [];
  const isInside = claimPath(value, place) !== null;
  return [buildFormatFinding("report-outside", { task: id, path: value, isInside }, at)];
}

type WrittenPath = { readonly task: ManifestTask; readonly path: Located<string> };

/** As parallel-orchestra had it, whatever depends on what: a report is not merged, so two of one name cannot both be kept. */
function sharedReports(written: readonly WrittenPath[], place: Place): Diagnostic[] {
  const byPath = new Map<string, WrittenPath[]>();
  for (const one of written) {
    const path = claimPath(one.path.value, place)?.replace(/\/$/, "");
    if (path === undefined || path === "**") continue;
    const others = byPath.get(path) ?? [];
    if (others.every(({ task }) => task !== one.task)) byPath.set(path, [...others, one]);
  }
  return [...byPath].flatMap(([path, [first, second, ...more]]) => {
    const all = [first, second, ...more].filter((one) => one !== undefined);
    if (!first || !second || all.every(({ task }) => !task.read_only)) return [];
    const related = [{ at: first.path.at, task: first.task.id }];
    const params = { tasks: all.map(({ task }) => task.id), path };
    return [buildFormatFinding("report-twice", params, second.path.at, { related })];
  });
}

/** parallel-orchestra wrote over the one at the root, and committed that. */
function doubledAgents(
  tasks: readonly ManifestTask[],
  { at }: Places,
  { folder, doubled }: Overlay,
): Diagnostic[] {
  const first = tasks.findIndex(({ agent, read_only }) => doubled.has(agent) && !read_only);
  const task = tasks[first];
  if (task === undefined) return [];
  return [buildFormatFinding("agents-elsewhere", { agent: task.agent, folder }, at("tasks", first, "agent"))];
}
