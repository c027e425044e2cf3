// Refs and logs of an attempt's own repository, read as text: its git dir is never handed to a git of ours.

import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { oid } from "../core/ids.ts";
import { readPlainFile } from "./files.ts";
import { type LogEntry, parseLog } from "./logs.ts";
import type { RefTable } from "./refs.ts";

/** More files than any repository has below its refs. */
const MOST_FILES = 20_000;

/** Every ref there and what it points to. */
export async function readOwnRefs(gitDir: string): Promise<RefTable> {
  const packed = (await readPlainFile(join(gitDir, "packed-refs")))?.toString("utf8") ?? "";
  const refs = new Map(
    [...packed.matchAll(/^([0-9a-f]{40,64}) (refs\/.+)$/gm)].map(([, at = "", ref = ""]) => [ref, oid(at)]),
  );
  const texts = new Map<string, string>();
  for (const name of await listPlainFiles(join(gitDir, "refs"))) {
    const text = await readPlainFile(join(gitDir, "refs", name));
    if (text !== null) texts.set(`refs/${name}`, text.toString("utf8").trim());
  }
  for (const [ref, text] of texts) {
    const to = texts.get(text.replace(/^ref: /, "")) ?? text; // a ref may name another
    if (/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(to)) refs.set(ref, oid(to));
  }
  return refs;
}

export async function readOwnLog(gitDir: string, ref: string): Promise<LogEntry[]> {
  return parseLog((await readPlainFile(join(gitDir, "logs", ref)))?.toString("utf8") ?? "");
}

/** Paths of the files below a folder; no link is followed. */
export async function listPlainFiles(top: string): Promise<string[]> {
  const found: string[] = [];
  const folders = [""];
  for (const folder of folders) {
    const path = join(top, folder);
    if (!(await lstat(path).catch(() => null))?.isDirectory()) continue;
    for (const entry of await readdir(path, { withFileTypes: true }).catch(() => [])) {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(name);
      else if (entry.isFile()) found.push(name);
      if (found.length + folders.length > MOST_FILES) return found;
    }
  }
  return found;
}
