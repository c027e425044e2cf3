// Files that were copied or prepared into a worktree must not become part of the work. They are hidden from the agent's git
// and from ours by a list of ignored files that is given to each, never by info/exclude, which all worktrees share.

import type { Oid } from "../core/ids.ts";
import { replaceFile } from "./files.ts";
import { USER_EXCLUDES } from "./frozen-config.ts";
import { rawFields, shown } from "./raw-path.ts";
import { callShadow, type Shadow } from "./shadow.ts";

/** A system takes only so long a command line; beyond it a .gitignore that spares a copy has the last word. */
const MOST_ARGUMENTS = 2_000;

export type ToHide = {
  readonly file: string;
  /** Paths. */
  readonly hidden: readonly string[];
  /** In the words of .gitignore. */
  readonly rules: readonly string[];
};

/** The user's own list and these in a file, for agents and for the shadow that is returned. */
export async function hidePaths(shadow: Shadow, { file, hidden, rules }: ToHide): Promise<Shadow> {
  const users = shadow.frozen.texts.get(USER_EXCLUDES)?.toString() ?? "";
  const names = hidden.map(ignoreLine);
  const ours = [...names, ...rules];
  await replaceFile(file, `${users.replace(/\n?$/, "\n")}${ours.join("\n")}\n`);
  return { ...shadow, excludesFile: file, hidden: ours.length > MOST_ARGUMENTS ? [] : ours };
}

/** A path from the root in the words of .gitignore. */
export function ignoreLine(path: string): string {
  return `/${path.replace(/[*?[\\!#]| +$/g, "\\$&")}`;
}

export type History = {
  readonly since: Oid;
  readonly until: Oid;
  /** `added`: only those that a commit brought in. */
  readonly paths: "all" | "added";
};

/** Every path that any commit of the work touched: one may be added and taken out again on the way. */
export async function pathsInHistory(shadow: Shadow, { since, until, paths }: History): Promise<string[]> {
  const filter = paths === "added" ? ["--diff-filter=A"] : [];
  const shape = ["-z", "--format=", "--name-only", "--no-renames", "-m", ...filter];
  const args = ["log", ...shape, `${since}..${until}`];
  const names = rawFields((await callShadow(shadow, { args })).stdout).map((name) =>
    shown(name).replace(/^\n/, ""),
  );
  return [...new Set(names.filter((name) => name !== ""))].sort();
}
