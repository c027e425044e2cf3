import { join, relative } from "node:path";
import type { Copy } from "../../core/plan.ts";
import type { PlanFiles } from "../format.ts";
import type { Place } from "./place.ts";

const FOLDER = ".claude";
const REPORTS = "reports";

/** What parallel-orchestra left out: instructions for the start of a session, logs, and what belongs to other runs. */
const leftOut: ReadonlySet<string> = new Set([
  "CLAUDE.md",
  "settings.json",
  "logs",
  "memory",
  "worktrees",
  REPORTS,
]);

/** What could not be told from a pattern, or not be copied. */
const UNSAFE = /[\\*?[\]{},!]|[\p{Cc}]|^\s|\s$/u;

export type Overlay = {
  /** From the root of the repository. */
  readonly copy: readonly Copy[];
  /** From there, too. */
  readonly folder: string;
  /** Agents in it that the root of the repository has as well. */
  readonly doubled: ReadonlySet<string>;
};

/**
 * The parts of `.claude` that every worktree gets: that of `cwd`, else that of the root. Copies are never committed. Tasks that
 * write start at the root of a worktree and look for agents there, so they get that of `cwd` at the root; what git tracks there stays.
 */
export async function overlayOf({ base, root }: Place, around: PlanFiles): Promise<Overlay | null> {
  if (root === null) return null;
  const own = join(base, FOLDER);
  const isOwn = base !== root && (await around.isFolder(own));
  const folder = isOwn ? own : join(root, FOLDER);
  const namesIn = (from: string) => around.names(relative(around.folder, from) || ".");
  const names = await namesIn(folder);
  if (names.length === 0) return null;
  const way = relative(root, folder);
  if (UNSAFE.test(way)) return null;
  const copied = names.filter((name) => !leftOut.has(name) && !UNSAFE.test(name));
  const untracked = names.includes(REPORTS) ? [...copied, `${REPORTS}/plan-report-*.md`] : copied;
  const inPlace = untracked.map((name) => `${way}/${name}`);
  if (!isOwn) return { copy: inPlace, folder: way, doubled: new Set() };
  const reports = names.includes(REPORTS) ? await namesIn(join(folder, REPORTS)) : [];
  const plans = reports.filter((name) => /^plan-report-.*\.md$/.test(name) && !UNSAFE.test(name));
  const placed = [...copied, ...plans.map((name) => `${REPORTS}/${name}`)];
  const atRoot = new Set(await namesIn(join(root, FOLDER, "agents")));
  const agents = (await namesIn(join(folder, "agents"))).filter((name) => atRoot.has(name));
  return {
    copy: [...inPlace, ...placed.map((name) => ({ from: `${way}/${name}`, to: `${FOLDER}/${name}` }))],
    folder: way,
    doubled: new Set(agents.map((name) => name.replace(/\.md$/, ""))),
  };
}
