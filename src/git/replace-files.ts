// A tree with other contents in some of its files.

import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Oid, oid } from "../core/ids.ts";
import { type RawPath, rawInput } from "./raw-path.ts";
import { textOf } from "./run.ts";
import { callShadow, type Shadow } from "./shadow.ts";

export type NewFile = { readonly path: RawPath; readonly mode: string; readonly bytes: Buffer };

export async function replaceFiles(
  shadow: Shadow,
  { tree, files, runDir }: { tree: Oid; files: readonly NewFile[]; runDir: string },
): Promise<Oid> {
  const entries: string[] = [];
  for (const { path, mode, bytes } of files) {
    const args = ["hash-object", "-w", "--no-filters", "--stdin"];
    const blob = await callShadow(shadow, { args, stdin: bytes, durable: "batch" });
    entries.push(`${mode} ${textOf(blob)}\t${path}`);
  }
  return replaceEntries(shadow, { tree, entries, runDir });
}

/** `entries`: `<mode> <oid>\t<path>`. */
export function replaceEntries(
  shadow: Shadow,
  { tree, entries, runDir }: { tree: Oid; entries: readonly string[]; runDir: string },
): Promise<Oid> {
  return withScratch(runDir, async (scratch) => {
    const index = join(scratch, "index");
    await callShadow(shadow, { args: ["read-tree", tree], index });
    const stdin = rawInput(entries);
    await callShadow(shadow, { args: ["update-index", "-z", "--index-info"], index, stdin });
    return oid(textOf(await callShadow(shadow, { args: ["write-tree"], index, durable: true })));
  });
}

/** Does something with a folder that is removed afterwards. */
export async function withScratch<T>(runDir: string, work: (scratch: string) => Promise<T>): Promise<T> {
  const scratch = await mkdtemp(join(runDir, "scratch-"));
  try {
    return await work(scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
