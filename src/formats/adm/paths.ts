import { isAbsolute, normalize, relative } from "node:path";
import { shellQuote } from "../../util/shell-quote.ts";
import type { PlanFiles } from "../format.ts";

/** Where paths of a manifest lead: it was written for one machine, and its paths are absolute or begin with `~`. */
export type Places = { readonly repository: string | null; readonly home: string | null };

/** The repository that the plan is run in; where the user is in none, that of the plan. */
export async function placesAround({ cwd, folder, home, repositoryAt }: PlanFiles): Promise<Places> {
  return { repository: (await repositoryAt(cwd)) ?? (await repositoryAt(folder)), home };
}

/** A path from the root of the repository, or null where it leads somewhere else. */
export function inTree(path: string, { repository, home }: Places): string | null {
  const expanded = home !== null && /^~(?=\/|$)/.test(path) ? `${home}${path.slice(1)}` : path;
  if (expanded.startsWith("~")) return null;
  const way =
    isAbsolute(expanded) && repository !== null ? relative(repository, expanded) : normalize(expanded);
  return isAbsolute(way) || way === ".." || way.startsWith("../") ? null : way || ".";
}

/**
 * A line for the shell that fails when one of these files is missing or empty, and names each. Paths inside the repository are
 * looked at in the tree that it runs in, others where they are; `~` is whatever it is then.
 */
export function verifyLine(paths: readonly string[], places: Places): string {
  const words = paths.map((path) => {
    const way = inTree(path, places);
    if (way !== null) return shellQuote(way);
    return /^~(?=\/|$)/.test(path)
      ? `"$HOME"${path.length > 1 ? shellQuote(path.slice(1)) : ""}`
      : shellQuote(path);
  });
  const check = `test -s "$file" || { printf '%s is missing or empty\\n' "$file" >&2; missing=1; }`;
  return `missing=0; for file in ${words.join(" ")}; do ${check}; done; exit $missing`;
}
