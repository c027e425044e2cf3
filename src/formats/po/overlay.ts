import { join, relative } from "node:path";
import type { PlanFiles } from "../format.ts";
import type { Place } from "./place.ts";

const FOLDER = ".claude";

/** What parallel-orchestra left out: instructions for the start of a session, logs, and what belongs to other runs. */
const leftOut: ReadonlySet<string> = new Set([
  "CLAUDE.md",
  "settings.json",
  "logs",
  "memory",
  "worktrees",
  "reports",
]);

/** What could not be told from a pattern, or not be copied. */
const UNSAFE = /[\\*?[\]{},!]|[\p{Cc}]|^\s|\s$/u;

export type Overlay = {
  /** From the root of the repository. */
  readonly copy: readonly string[];
  /** From there, too. */
  readonly folder: string;
  /** Agents in it that are not at the root, where tasks that write look for them. */
  readonly hidden: ReadonlySet<string>;
};

/**
 * The parts of `.claude` that every worktree gets: that of `cwd`, else that of the root. Copies are of untracked files only, and
 * never committed, so what is tracked is simply there.
 */
export async function overlayOf({ base, root }: Place, around: PlanFiles): Promise<Overlay | null> {
  if (root === null) return null;
  const own = join(base, FOLDER);
  const isOwn = base !== root && (await around.isFolder(own));
  const folder = isOwn ? own : join(root, FOLDER);
  const names = await around.names(relative(around.folder, folder) || ".");
  if (names.length === 0) return null;
  const copied = names.filter((name) => !leftOut.has(name) && !UNSAFE.test(name));
  if (names.includes("reports")) copied.push("reports/plan-report-*.md");
  const way = relative(root, folder);
  if (UNSAFE.test(way)) return null;
  const agentsIn = (from: string) => around.names(relative(around.folder, join(from, "agents")));
  const atRoot = isOwn ? new Set(await agentsIn(join(root, FOLDER))) : null;
  const hidden = atRoot ? (await agentsIn(folder)).filter((name) => !atRoot.has(name)) : [];
  return {
    copy: copied.map((name) => `${way}/${name}`),
    folder: way,
    hidden: new Set(hidden.map((name) => name.replace(/\.md$/, ""))),
  };
}
