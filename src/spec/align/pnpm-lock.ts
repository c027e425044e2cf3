import { addVersion } from "./add-version.ts";
import type { NodeLock } from "./node-lock.ts";

/**
 * pnpm-lock.yaml, line by line: these files are long, always written by pnpm, and only a few of their lines matter here. What the
 * project itself gets stands under `importers: .:`, in older files at the top.
 */
export function pnpmLock(text: string): NodeLock {
  const direct = new Map<string, string>();
  const locked = new Map<string, string[]>();
  const path: string[] = [];
  for (const line of text.split("\n")) {
    const [, blanks = "", quotedKey, plainKey, value = ""] =
      /^( *)(?:'([^']+)'|([^\s'"][^\s]*?)):(?: (.*))?$/.exec(line.trimEnd()) ?? [];
    const key = quotedKey ?? plainKey;
    if (key === undefined) continue;
    path.length = Math.floor(blanks.length / 2); // texts over several lines have any number of them
    path.push(key);
    const found = directVersion(path, value);
    if (found !== null) direct.set(found.name, found.version);
    const other = path.length === 2 && path[0] === "packages" ? lockedAt(key) : null;
    if (other !== null) addVersion(locked, other.name, other.version);
  }
  return { direct, locked };
}

type Found = { readonly name: string; readonly version: string };

const LISTS = new Set(["dependencies", "devDependencies", "optionalDependencies"]);

function directVersion(path: readonly string[], value: string): Found | null {
  const inRoot = path[0] === "importers" && path[1] === "." ? path.slice(2) : path;
  const [list = "", name = "", last] = inRoot;
  if (!LISTS.has(list) || name === "" || (last !== undefined && last !== "version") || value === "")
    return null;
  if (inRoot.length > 3) return null;
  const version = /^'?(\d[^\s'(_]*)/.exec(value)?.[1];
  return version === undefined ? null : { name, version };
}

/** `zod@3.22.4`, `/zod@3.22.4(react@18.0.0)`, `/zod/3.22.4`. */
function lockedAt(key: string): Found | null {
  const found = /^\/?((?:@[^/@]+\/)?[^/@]+)[@/](\d[^\s(_]*)/.exec(key);
  return found === null ? null : { name: found[1] as string, version: found[2] as string };
}
