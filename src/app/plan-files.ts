import { lstat, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Caps } from "../core/caps.ts";
import type { PlanFiles } from "../formats/format.ts";
import { readText } from "./read-text.ts";

/** The files around a plan, as its format reads them, and a record of what was read. `named` is the folder as typed. */
export function planFiles(
  named: string,
  folder: string,
  caps: Caps,
): PlanFiles & { readonly texts: () => ReadonlyMap<string, string> } {
  const texts = new Map<string, string>();
  return {
    folder,
    texts: () => texts,
    read: async (path) => {
      const file = join(named, path);
      const read = await readText(join(folder, path), caps.maxPlanBytes);
      if (!read.ok) return { ok: false, file, isMissing: read.reason === "missing", problem: read.detail };
      texts.set(file, read.text);
      return { ok: true, file, text: read.text };
    },
    names: async (path) => (await readdir(join(folder, path)).catch(() => [])).sort(), // none: nothing is in it
    isFolder: async (path) => (await stat(path).catch(() => null))?.isDirectory() ?? false, // not there: none
    repositoryAt,
  };
}

async function repositoryAt(folder: string): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    if (await lstat(join(at, ".git")).catch(() => null)) return at; // not there: look further up
    if (dirname(at) === at) return null;
  }
}
