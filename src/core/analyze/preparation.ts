import type { PreparationDraft } from "../draft.ts";
import type { Preparation } from "../plan.ts";
import { checkCommand, type Speaker } from "./commands.ts";
import { escapeProblem } from "./inside.ts";
import { quoted } from "./words.ts";

export function checkPreparation({ copy, setup, teardown }: PreparationDraft, speaker: Speaker): void {
  for (const command of [...(setup ?? []), ...(teardown ?? [])]) checkCommand(command, speaker);
  if (copy === null) return;
  for (const path of copy.value) {
    const problem = escapeProblem(path) ?? (isOfGit(path) ? "belongs to git itself" : null);
    if (problem === null) continue;
    const message = `${speaker.subject} copies ${quoted(path)}, which ${problem}`;
    const hint = "copy only files below the root of the repository";
    speaker.say("copy-escapes", { message, at: copy.at, hint });
  }
}

/** A list that a layer gives replaces the one below it, list by list. */
export function preparationFrom(layers: readonly PreparationDraft[]): Preparation {
  const topFirst = layers.toReversed();
  return {
    copy: topFirst.find(({ copy }) => copy !== null)?.copy?.value ?? [],
    setup: topFirst.find(({ setup }) => setup !== null)?.setup ?? [],
    teardown: topFirst.find(({ teardown }) => teardown !== null)?.teardown ?? [],
  };
}

/** Worktrees have a file named .git of their own. */
function isOfGit(path: string): boolean {
  return /^(?:\.?\/)*\.git(?:\/|$)/i.test(path);
}
