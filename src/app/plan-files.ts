import { lstat, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Caps } from "../core/caps.ts";
import type { PlanFiles } from "../formats/format.ts";
import { readText } from "./read-text.ts";

type Around = Pick<PlanFiles, "folder" | "cwd" | "home"> & {
  /** The folder as typed. */
  readonly named: string;
  readonly caps: Caps;
};

/** The files around a plan, as its format reads them, and a record of what was read. */
export function planFiles({
  named,
  caps,
  ...around
}: Around): PlanFiles & { readonly texts: () => ReadonlyMap<string, string> } {
  const { folder } = around;
  const texts = new Map<string, string>();
  return {
    ...around,
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

/** The folder at or above this one that holds `.git`. */
export async function repositoryAt(folder: string): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    if (await lstat(join(at, ".git")).catch(() => null)) return at; // not there: look further up
    if (dirname(at) === at) return null;
  }
}
