import type { PreparationDraft } from "../draft.ts";
import type { Preparation } from "../plan.ts";
import type { Located } from "../source.ts";
import { checkCommand, type Speaker } from "./commands.ts";
import { escapeProblem } from "./inside.ts";
import { quoted } from "./words.ts";

export function checkPreparation({ copy, setup, teardown }: PreparationDraft, speaker: Speaker): void {
  for (const { value, at } of [...(setup ?? []), ...(teardown ?? [])])
    checkCommand(value, { ...speaker, at });
  for (const { value: path, at } of copy ?? []) {
    const problem = escapeProblem(path) ?? (isOfGit(path) ? "belongs to git itself" : null);
    if (problem === null) continue;
    const message = `${speaker.subject} copies ${quoted(path)}, which ${problem}`;
    const hint = "copy only files below the root of the repository";
    speaker.say("copy-escapes", { message, at, hint });
  }
}

/** A list that a layer gives replaces the one below it, list by list. */
export function preparationFrom(layers: readonly PreparationDraft[]): Preparation {
  const topFirst = layers.toReversed();
  return {
    copy: valuesOf(topFirst.find(({ copy }) => copy !== null)?.copy),
    setup: valuesOf(topFirst.find(({ setup }) => setup !== null)?.setup),
    teardown: valuesOf(topFirst.find(({ teardown }) => teardown !== null)?.teardown),
  };
}

function valuesOf<T>(list: readonly Located<T>[] | null | undefined): T[] {
  return (list ?? []).map(({ value }) => value);
}

/** Worktrees have a file named .git of their own. */
function isOfGit(path: string): boolean {
  return /^(?:\.?\/)*\.git(?:\/|$)/i.test(path);
}
