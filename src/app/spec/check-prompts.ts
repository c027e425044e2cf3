// The prompts that an artefact folder has, held against their tasks; and those that do not hold, generated again.

import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { quoted } from "../../core/analyze/words.ts";
import { type Diagnostic, diagnostic } from "../../core/source.ts";
import type { FormatCode } from "../../formats/codes.ts";
import { promptFor } from "../../spec/prompt-files.ts";
import type { FolderTask, PromptFolder } from "../../spec/prompt-folder.ts";
import { staleFindings } from "../../spec/prompt-stale.ts";
import { promptFindings } from "../../spec/sections.ts";
import { type OrRefusal, refuse } from "../host.ts";
import { whyNot } from "../make-folder.ts";
import { freeName, type Move, moveAll } from "./moves.ts";
import type { OpenedPrompts } from "./open-prompts.ts";

export type CheckedPrompt = {
  readonly task: string;
  /** From the folder: where it is, or where it would be. */
  readonly path: string;
  readonly isThere: boolean;
  /** No finding is an error. */
  readonly isValid: boolean;
  readonly diagnostics: readonly Diagnostic[];
};

export async function checkPrompts(folder: PromptFolder, opened: OpenedPrompts): Promise<CheckedPrompt[]> {
  return Promise.all(folder.tasks.map((one) => checkPrompt(one, folder, opened)));
}

async function checkPrompt(
  one: FolderTask,
  folder: PromptFolder,
  opened: OpenedPrompts,
): Promise<CheckedPrompt> {
  const task = one.task.id;
  for (const path of one.names) {
    const read = await opened.read(path);
    if (!read.ok && read.isMissing) continue;
    const isEmpty = read.ok && read.text.trim() === "";
    const diagnostics =
      read.ok && !isEmpty
        ? [...promptFindings(read), ...staleFindings(read, one, folder)]
        : [noPrompt(one, read.file, read.ok ? "is empty" : read.problem)];
    const isValid = !diagnostics.some(({ severity }) => severity === "error");
    return { task, path, isThere: true, isValid, diagnostics };
  }
  const diagnostics = [noPrompt(one, one.requirementsAt.file, "does not exist")];
  return { task, path: one.path, isThere: false, isValid: false, diagnostics };
}

function noPrompt({ task, path }: FolderTask, file: string, problem: string): Diagnostic {
  const start = { line: 1, col: 1 };
  return diagnostic({
    code: "prompt-missing" satisfies FormatCode,
    message: `the prompt file of ${quoted(task.id)}, ${quoted(path)}, ${problem}`,
    at: { file, start, end: start },
    hint: "generate it from the task file: plait spec prompts <folder>",
  });
}

/** `backup` is from the folder; null where there was nothing to keep. */
export type MendedPrompt = { readonly path: string; readonly backup: string | null };

/** All that are not valid, or none. What was there stays beside it under a name that nothing has. */
export async function mendPrompts(
  folder: PromptFolder,
  opened: OpenedPrompts,
  checked: readonly CheckedPrompt[],
): Promise<OrRefusal<{ mended: readonly MendedPrompt[] }>> {
  const fresh = join(opened.at, `.prompts-${randomUUID().slice(0, 8)}`);
  const mended: MendedPrompt[] = [];
  const moves: Move[] = [];
  try {
    await mkdir(fresh);
    for (const [n, { task, path, isThere }] of checked.filter(({ isValid }) => !isValid).entries()) {
      const one = folder.tasks.find((known) => known.task.id === task) as FolderTask;
      const [from, to] = [join(fresh, `${n}`), join(opened.at, path)];
      await writeFile(from, promptFor(one, folder), { flag: "wx" });
      const backup = isThere ? await freeName(`${to}.backup`) : null;
      if (backup !== null) moves.push({ from: to, to: backup });
      moves.push({ from, to });
      mended.push({ path, backup: backup && join(dirname(path), basename(backup)) });
    }
    await mkdir(join(opened.at, "prompts"), { recursive: true });
    await moveAll(moves);
    return { ok: true, mended };
  } catch (error) {
    const message = `the prompts in ${opened.at} cannot be written: ${whyNot(error)}; nothing was changed`;
    return refuse("environment", message, "mend that, and try again");
  } finally {
    await rm(fresh, { recursive: true, force: true }).catch(() => undefined); // an empty folder is all that can be left
  }
}
