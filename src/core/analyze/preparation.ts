import type { PreparationDraft, SettingsLayers } from "../draft.ts";
import type { Copy, Preparation } from "../plan.ts";
import type { Located } from "../source.ts";
import { checkCommand, type Speaker } from "./commands.ts";
import { escapeProblem } from "./inside.ts";
import { quoted } from "./words.ts";

export function checkPreparation({ copy, setup, teardown }: PreparationDraft, speaker: Speaker): void {
  for (const { value, at } of [...(setup ?? []), ...(teardown ?? [])])
    checkCommand(value, { ...speaker, at });
  for (const { path, at } of (copy ?? []).flatMap(pathsIn)) {
    const problem = escapeProblem(path) ?? (isOfGit(path) ? "belongs to git itself" : null);
    if (problem === null) continue;
    const message = `${speaker.subject} copies ${quoted(path)}, which ${problem}`;
    const hint = "copy only files below the root of the repository";
    speaker.say("copy-escapes", { message, at, hint });
  }
}

function pathsIn({
  value,
  at,
}: Located<Copy>): { readonly path: string; readonly at: Located<Copy>["at"] }[] {
  const paths = typeof value === "string" ? [value] : [value.from, value.to];
  return paths.map((path) => ({ path, at }));
}

/** A list that a layer gives replaces the one below it, list by list. What .worktreeinclude names is added to any. */
export function preparationFrom(
  { base, include = [] }: Pick<SettingsLayers, "base" | "include">,
  layers: readonly PreparationDraft[],
): Preparation {
  const topFirst = layers.toReversed();
  return {
    copy: valuesOf(topFirst.find(({ copy }) => copy !== null)?.copy) ?? base.prepare.copy,
    include,
    envFiles: topFirst.find(({ envFiles }) => envFiles !== null)?.envFiles ?? base.prepare.envFiles,
    setup: valuesOf(topFirst.find(({ setup }) => setup !== null)?.setup) ?? base.prepare.setup,
    teardown: valuesOf(topFirst.find(({ teardown }) => teardown !== null)?.teardown) ?? base.prepare.teardown,
  };
}

function valuesOf<T>(list: readonly Located<T>[] | null | undefined): T[] | undefined {
  return list?.map(({ value }) => value);
}

/** Worktrees have a file named .git of their own. */
export function isOfGit(path: string): boolean {
  return /^(?:\.?\/)*\.git(?:\/|$)/i.test(path);
}
