import type { AnalyzeCode } from "../../core/analyze/codes.ts";
import { quoted } from "../../core/analyze/words.ts";
import { type Diagnostic, diagnostic, type Located } from "../../core/source.ts";
import type { FormatCode } from "../codes.ts";
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
    if (task.read_only) return [];
    const { at } = placesIn(places, "tasks", i);
    return listOf(task.writes ?? [], (n) => at("writes", n)).map((path) => ({ task, path }));
  });
  return [
    ...written.flatMap(({ task, path }) => outside(task, path, place)),
    ...fromElsewhere(
      written.map(({ path }) => path),
      place,
    ),
    ...tasks.flatMap((task, i) => unusedWrites(task, placesIn(places, "tasks", i))),
    ...(overlay ? doubledAgents(tasks, places, overlay) : []),
  ];
}

function outside({ id }: ManifestTask, { value, at }: Located<string>, place: Place): Diagnostic[] {
  if (claimPath(value, place) !== null) return [];
  return [
    diagnostic({
      code: "bad-pattern" satisfies AnalyzeCode,
      message: `${quoted(id)} writes ${quoted(value)}, which lies outside ${place.root === null ? "cwd" : "the repository"}`,
      at,
      hint: "write the path from cwd",
    }),
  ];
}

const MOST_PLACES = 50;

/** One finding for all, since mostly it is the same with each. */
function fromElsewhere(paths: readonly Located<string>[], place: Place): Diagnostic[] {
  const [first, ...others] = paths.filter(({ value }) => pathBefore(value, place) !== null);
  const now = first && claimPath(first.value, place);
  const before = first && pathBefore(first.value, place);
  if (!first || !now || !before) return [];
  return [
    diagnostic({
      code: "path-base" satisfies FormatCode,
      severity: "warning",
      message: `${quoted(first.value)} is taken from cwd and means ${quoted(now)}; parallel-orchestra took it from the folder of the manifest and read ${quoted(before)}`,
      at: first.at,
      hint: "check that what is under writes starts at cwd",
      related: others
        .slice(0, MOST_PLACES)
        .map(({ value, at }) => ({ at, message: `${quoted(value)} is taken from cwd too` })),
    }),
  ];
}

function unusedWrites({ id, read_only, writes }: ManifestTask, { at }: Places): Diagnostic[] {
  if (!read_only || (writes ?? []).length === 0) return [];
  return [
    diagnostic({
      code: "read-only-owns" satisfies AnalyzeCode,
      severity: "warning",
      message: `${quoted(id)} is read-only, so what it writes means nothing`,
      at: at("writes", 0),
      hint: "delete writes:, or write read_only: false",
    }),
  ];
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
  return [
    diagnostic({
      code: "agents-elsewhere" satisfies FormatCode,
      severity: "warning",
      message: `${quoted(task.agent)} is in ${quoted(folder)} and in ".claude" at the root of the repository; if git tracks the one at the root, tasks that write use that`,
      at: at("tasks", first, "agent"),
      hint: "delete one of the two, or rename it",
    }),
  ];
}
