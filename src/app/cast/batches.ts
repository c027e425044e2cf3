import { resolve } from "node:path";
import type { Caps } from "../../core/caps.ts";
import type { Diagnostic } from "../../core/source.ts";
import { type BatchList, readBatches } from "../../formats/adm/batches.ts";
import { readInput } from "../plan-input.ts";

export type { BatchList, ListedBatch } from "../../formats/adm/batches.ts";

export type LoadedBatches = {
  /** Null when there is any error. */
  readonly list: BatchList | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, string>;
};

/** The batches of a plan in Markdown. Reads the file and nothing else. */
export async function loadBatches(path: string, cwd: string, caps: Caps): Promise<LoadedBatches> {
  const read = await readInput({ path, absolute: resolve(cwd, path) }, caps);
  if (!read.ok) return { list: null, diagnostics: [read.diagnostic], sources: new Map() };
  // Who asks has seen that it is a file; a folder has taken its place since.
  if (read.input.kind === "folder") return { list: null, diagnostics: [], sources: new Map() };
  const { list, diagnostics } = readBatches(read.input, caps);
  const isWrong = diagnostics.some(({ severity }) => severity === "error");
  return { list: isWrong ? null : list, diagnostics, sources: new Map([[path, read.input.text]]) };
}
