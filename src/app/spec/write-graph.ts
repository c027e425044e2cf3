// task-graph.md of an artifact folder, drawn from its manifest and its task files. A graph that was there and differs is kept beside it.

import { rename } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Diagnostic } from "../../core/source.ts";
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

/** `now` is an ISO time. */
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
