// Which settings of a config file are other than they were, as git reads the two files: a setting may share a line with its
// section or go on over several, so lines are not compared.

import { type ConfigEntry, parseConfig } from "./config.ts";
import { isGitFailure } from "./failure.ts";
import type { Repository } from "./repository.ts";
import { exists } from "./repository-facts.ts";

export type Setting = Pick<ConfigEntry, "key" | "value">;

export type ChangedSettings = {
  /** New, or with another value than before. */
  readonly set: readonly Setting[];
  /** With the value that they had. */
  readonly unset: readonly Setting[];
};

/** A file that is not there is an empty one. The answer is null where git cannot read one of the two. */
export async function changedSettings(
  repository: Repository,
  was: string | null,
  is: string | null,
): Promise<ChangedSettings | null> {
  const [before, after] = [await settingsIn(repository, was), await settingsIn(repository, is)];
  if (before === null || after === null) return null;
  return { set: without(after, before), unset: without(before, after) };
}

async function settingsIn({ git, commonDir }: Repository, file: string | null): Promise<Setting[] | null> {
  if (file === null || !(await exists(file))) return [];
  const args = ["config", "-z", "--list", "--no-includes", "--show-scope", "--file", file];
  try {
    return [...parseConfig((await git({ args, cwd: commonDir })).stdout)];
  } catch (error) {
    if (isGitFailure(error, "no-git", "no-space")) throw error;
    return null;
  }
}

function without(all: readonly Setting[], known: readonly Setting[]): Setting[] {
  const text = ({ key, value }: Setting) => JSON.stringify([key, value]);
  const there = new Set(known.map(text));
  return all.filter((one) => !there.has(text(one)));
}

/** For people: `core.hookspath = .husky/_ (was .githooks)`. */
export function settingTexts({ set, unset }: ChangedSettings): string[] {
  const gone = unset.filter(({ key }) => !set.some((one) => one.key === key));
  return [
    ...set.map(({ key, value }) => {
      const was = unset.find((one) => one.key === key);
      return `${key} = ${shortened(value)}${was === undefined ? "" : ` (was ${shortened(was.value)})`}`;
    }),
    ...gone.map(({ key }) => `${key} was removed`),
  ];
}

const MOST_CHARS = 120;

function shortened(value: string | null): string {
  const text = value ?? "true";
  return text.length <= MOST_CHARS ? text : `${text.slice(0, MOST_CHARS)}...`;
}
