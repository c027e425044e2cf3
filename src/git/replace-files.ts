// A tree with other contents in some of its files.

import { join } from "node:path";
import { type Oid, oid } from "../core/ids.ts";
import { type RawPath, rawInput } from "./raw-path.ts";
import { textOf } from "./run.ts";
import { callShadow, type Shadow } from "./shadow.ts";

export type NewFile = { readonly path: RawPath; readonly mode: string; readonly bytes: Buffer };

/** `scratch`: a folder of the caller's, for the index that the tree is made with. */
export async function replaceFiles(
  shadow: Shadow,
  { tree, files, scratch }: { tree: Oid; files: readonly NewFile[]; scratch: string },
): Promise<Oid> {
  const entries: string[] = [];
  for (const { path, mode, bytes } of files) {
    const args = ["hash-object", "-w", "--no-filters", "--stdin"];
    const blob = await callShadow(shadow, { args, stdin: bytes, durable: "batch" });
    entries.push(`${mode} ${textOf(blob)}\t${path}`);
  }
  const index = join(scratch, "index");
  await callShadow(shadow, { args: ["read-tree", tree], index });
  const stdin = rawInput(entries);
  await callShadow(shadow, { args: ["update-index", "-z", "--index-info"], index, stdin });
  return oid(textOf(await callShadow(shadow, { args: ["write-tree"], index, durable: true })));
}
