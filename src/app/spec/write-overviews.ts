// coverage.md and task-graph.md of an artifact folder, written again from its manifest, its task files and the documents behind them.

import { rename } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Diagnostic } from "../../core/source.ts";
import { plait } from "../../core/text/command.ts";
import { fix } from "../../core/text/sentence.ts";
import { readTasks } from "../../formats/cpo/folder.ts";
import type { CoverageRow } from "../../spec/coverage/coverage-table.ts";
import { COVERAGE_FILE, formatCoverage, tabulateCoverage } from "../../spec/coverage/coverage-text.ts";
import { checkFolderCoverage } from "../../spec/folder/check-coverage.ts";
import { readFolderCoverage } from "../../spec/folder/folder-coverage.ts";
import { readGraph } from "../../spec/folder/read-graph.ts";
import { GRAPH, taskGraphText } from "../../spec/task-graph-text.ts";
import { errnoOrThrow } from "../../util/errno.ts";
import { type OrRefusal, refuse } from "../host.ts";
import { replaceFile } from "../safe-file.ts";
import { freeName } from "./moves.ts";
import { type FolderPlace, openFolder } from "./open-folder.ts";
import { kindAt } from "./place.ts";

export type WrittenGraph = {
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, string>;
  /** Null: nothing was written, for what the diagnostics say. */
  readonly graph: {
    readonly tasks: number;
    /** False: it was right already. */
    readonly isNew: boolean;
    /** What the one before is called now. */
    readonly backup: string | null;
  } | null;
};

/** A graph that was there and differs is kept beside the new one. `now` is an ISO time. */
export async function writeGraph(
  named: string,
  place: FolderPlace,
  now: string,
): Promise<OrRefusal<WrittenGraph>> {
  const { at, files, input, diagnostics } = await openFolder(named, place);
  const read = input === null ? { contents: null, diagnostics } : await readGraph(input, place.caps, files);
  const told = { diagnostics: read.diagnostics, sources: files.texts() };
  if (read.contents === null) return { ok: true, ...told, graph: null };
  const tasks = read.contents.tasks.length;
  const text = taskGraphText(read.contents);
  const path = join(at, GRAPH);
  try {
    const kind = await kindAt(path);
    if (kind === "folder")
      return refuse("request", `${join(named, GRAPH)} is a folder`, `remove it: rmdir ${join(named, GRAPH)}`);
    const before = await files.read(GRAPH);
    if (before.ok && before.text === text)
      return { ok: true, ...told, graph: { tasks, isNew: false, backup: null } };
    const backup = kind === null ? null : await freeName(`${path}.backup-${now.replace(/[-:]|\.\d+/g, "")}`);
    if (backup !== null) await rename(path, backup);
    await replaceFile(path, text, 0o644);
    return { ok: true, ...told, graph: { tasks, isNew: true, backup: backup && basename(backup) } };
  } catch (error) {
    const code = errnoOrThrow(error);
    const hint = `check permissions: ls -l ${named}`;
    return refuse("environment", `cannot write ${join(named, GRAPH)} (${code})`, hint);
  }
}

type WrittenCoverage = {
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, string>;
  /** Null: nothing was written, for what the diagnostics say. */
  readonly rows: readonly CoverageRow[] | null;
  /** False: it was right already. */
  readonly isNew: boolean;
};

/** `named` is the folder as typed. */
export async function writeCoverage(named: string, place: FolderPlace): Promise<OrRefusal<WrittenCoverage>> {
  const { at, files: around, input, diagnostics: unopened } = await openFolder(named, place);
  const nothing = (diagnostics: readonly Diagnostic[]): OrRefusal<WrittenCoverage> => ({
    ...{ ok: true, diagnostics, sources: around.texts(), rows: null, isNew: false },
  });
  if (input === null) return nothing(unopened);
  const read = await readTasks(input, place.caps, around);
  if (read.manifest === null) return nothing(read.diagnostics);
  const { manifest, planned } = read;
  const { tasks } = planned;
  const coverage = await readFolderCoverage({ manifest, tasks }, around);
  if (coverage !== null && !("set" in coverage)) {
    const hint = "fix its path under metadata in manifest.json";
    return refuse("request", `the document ${coverage.path} ${coverage.problem}`, hint);
  }
  if (coverage === null || coverage.contents.requirements.length === 0) return noRequirements(named);
  const text = formatCoverage(coverage.contents);
  const before = await around.read(COVERAGE_FILE);
  const isNew = !before.ok || before.text !== text;
  try {
    if (isNew) await replaceFile(join(at, COVERAGE_FILE), text, 0o644);
  } catch (error) {
    const code = errnoOrThrow(error);
    const file = join(named, COVERAGE_FILE);
    return refuse("environment", `cannot write ${file} (${code})`, `check permissions: ls -l ${named}`);
  }
  const found = await checkFolderCoverage({ manifest, tasks }, around);
  const sources = around.texts();
  return { ok: true, diagnostics: found, sources, rows: tabulateCoverage(coverage.contents), isNew };
}

function noRequirements(named: string) {
  return refuse(
    "request",
    `no requirements in the documents of ${named}`,
    fix(
      "name them in manifest.json and give requirements ids, as explained by",
      plait("explain", "requirement-uncovered"),
    ),
  );
}
