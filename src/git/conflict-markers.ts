// Whether a conflict was resolved: what git puts around the two sides is gone.

import type { Oid } from "../core/ids.ts";
import { rawFields, shown } from "./raw-path.ts";
import { callShadow, type Shadow } from "./shadow.ts";

/** With the names of the commits, as `merge-tree` writes them: nobody else's text looks like that. */
const MARKER = "^(<{7}|>{7}) [0-9a-f]{40}";

/** Files of a tree that still hold both sides of a conflict. */
export async function unresolvedPaths(shadow: Shadow, tree: Oid): Promise<string[]> {
  const args = ["grep", "-l", "-z", "-E", "-e", MARKER, tree];
  const { stdout } = await callShadow(shadow, { args, allow: [1] });
  return rawFields(stdout)
    .map((field) => shown(field).slice(tree.length + 1)) // "<tree>:<path>"
    .sort();
}
