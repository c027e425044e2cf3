import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The built page: a table of its files, by name. What is not in it does not exist, whatever lies on the disk. */
export type PageFiles = ReadonlyMap<string, PageFile>;

export type PageFile = { readonly type: string; readonly bytes: Buffer };

const TYPES = {
  "index.html": "text/html; charset=utf-8",
  "page.js": "text/javascript; charset=utf-8",
  "more.js": "text/javascript; charset=utf-8",
  "page.css": "text/css; charset=utf-8",
  "page.svg": "image/svg+xml",
} as const;

/**
 * The build puts them into dist/ui, which is two folders up from here both in dist/lib and in the chunks of dist/cli; where plait
 * runs from its sources, they are in the dist of these. Null where the page was not built.
 */
const PLACES = ["ui", "dist/ui"];

export async function readPageFiles(): Promise<PageFiles | null> {
  const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
  for (const place of PLACES) {
    const files = await readAll(join(root, place));
    if (files !== null) return files;
  }
  return null;
}

async function readAll(folder: string): Promise<PageFiles | null> {
  const files = new Map<string, PageFile>();
  for (const [name, type] of Object.entries(TYPES)) {
    const bytes = await readFile(join(folder, name)).catch(() => null);
    if (bytes === null) return null;
    files.set(name, { type, bytes });
  }
  return files;
}
