import type { PreparationDraft, SettingsLayers } from "../draft.ts";
import type { Copy, Preparation, SetupCommand } from "../plan.ts";
import type { Located } from "../source.ts";
import { readPatterns } from "./claims.ts";
import { checkCommand, escapeProblem, type Speaker } from "./commands.ts";

export function checkPreparation({ copy, setup, teardown }: PreparationDraft, speaker: Speaker): void {
  for (const { value, at } of [...(setup ?? []), ...(teardown ?? [])])
    checkCommand(value, { ...speaker, at });
  for (const { path, at } of (copy ?? []).flatMap(pathsIn)) {
    const problem = findCopyProblem(path);
    if (problem !== null)
      speaker.report("copy-escapes", { subject: speaker.subject, value: path, problem }, at);
  }
  for (const one of setup ?? []) checkReuse(one, speaker);
}

/** What a command of the setup says of its inputs and outputs. */
function checkReuse({ value, at }: Located<SetupCommand>, { subject, report }: Speaker): void {
  const inputs = (value.inputs ?? []).map((path) => ({ value: path, at }));
  readPatterns(inputs, `${subject} has the setup input`, report);
  for (const path of value.outputs ?? []) {
    const problem = findOutputProblem(path);
    if (problem !== null) report("setup-reuse", { kind: "invalid", subject, path, problem }, at);
  }
}

/** Why a path cannot be copied, as the end of a sentence. */
export function findCopyProblem(path: string): string | null {
  return escapeProblem(path) ?? (isOfGit(path) ? "belongs to git" : null);
}

/** Why a path cannot be an output of a setup command, as the end of a sentence. */
export function findOutputProblem(path: string): string | null {
  const problem = findCopyProblem(path);
  if (problem !== null) return problem;
  if (/^[./]*$/.test(path)) return "is the root of the worktree";
  return /[*?[\]{}]/.test(path) ? "is a glob" : null;
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
  { base, include = [], automatic = true }: Pick<SettingsLayers, "base" | "include" | "automatic">,
  layers: readonly PreparationDraft[],
): Preparation {
  const topFirst = layers.toReversed();
  const isSet = layers.some(({ copy, setup }) => copy !== null || setup !== null);
  return {
    ...(automatic && base.prepare.automatic && !isSet && { automatic }),
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
function isOfGit(path: string): boolean {
  return /^(?:\.?\/)*\.git(?:\/|$)/i.test(path);
}
