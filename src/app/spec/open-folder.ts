import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { startOf } from "../../core/analyze/findings.ts";
import type { Caps } from "../../core/caps.ts";
import type { Diagnostic } from "../../core/source.ts";
import { buildFormatFinding } from "../../formats/catalog.ts";
import type { FileRead, PlanFiles, PlanInput } from "../../formats/format.ts";
import { type FolderTask, type PromptFolder, readPromptFolder } from "../../spec/prompt-folder.ts";
import { staleFindings } from "../../spec/prompt-stale.ts";
import { promptFindings } from "../../spec/sections.ts";
import { planFiles } from "../plan-files.ts";
import { readInput } from "../plan-input.ts";

export type FolderPlace = { readonly cwd: string; readonly caps: Caps };

/** A folder of the user's, opened to read it. `input` is null where it is none. */
export type OpenedFolder = {
  readonly input: PlanInput | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly files: PlanFiles & { readonly texts: () => ReadonlyMap<string, string> };
  /** Absolute. */
  readonly at: string;
};

/** Reads, and writes nothing. `named` is the folder as typed. */
export async function openFolder(named: string, { cwd, caps }: FolderPlace): Promise<OpenedFolder> {
  const asked = resolve(cwd, named);
  // What is said of places is true of the folder itself, whatever a link to it is called.
  const at = await realpath(asked).catch(() => asked); // not there: that is told
  const files = planFiles({ named, folder: at, cwd, home: homedir(), caps });
  const read = await readInput({ path: named, absolute: at, noun: "folder" }, caps);
  if (!read.ok) return { at, files, input: null, diagnostics: [read.diagnostic] };
  const { input } = read;
  if (input.kind === "file") {
    const finding = buildFormatFinding(
      "manifest-missing",
      { problem: "is not in a file; pass its folder" },
      startOf(named),
    );
    return { at, files, input: null, diagnostics: [finding] };
  }
  return { at, files, input, diagnostics: [] };
}

export type OpenedPrompts = {
  /** Null where something is wrong that prompts are made of. */
  readonly folder: PromptFolder | null;
  readonly diagnostics: readonly Diagnostic[];
  /** Texts by the names that findings use. */
  readonly sources: () => ReadonlyMap<string, string>;
  /** Absolute. */
  readonly at: string;
  /** By the path from the folder. */
  readonly read: (path: string) => Promise<FileRead>;
};

/** Reads, and writes nothing. `named` is the folder as typed. */
export async function openPrompts(named: string, place: FolderPlace): Promise<OpenedPrompts> {
  const { at, files, input, diagnostics } = await openFolder(named, place);
  const around = { at, sources: files.texts, read: files.read };
  if (input === null) return { ...around, folder: null, diagnostics };
  return { ...around, ...(await readPromptFolder(input, place.caps, files)) };
}

export type CheckedPrompt = {
  readonly task: string;
  /** From the folder: where it is, or where it would be. */
  readonly path: string;
  readonly isThere: boolean;
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
        ? [...promptFindings(read, folder.named), ...staleFindings(read, one, folder)]
        : [noPrompt(one, folder, { file: read.file, problem: read.ok ? "is empty" : read.problem })];
    const isValid = !diagnostics.some(({ severity }) => severity === "error");
    return { task, path, isThere: true, isValid, diagnostics };
  }
  const diagnostics = [noPrompt(one, folder, { file: one.requirementsAt.file, problem: "does not exist" })];
  return { task, path: one.path, isThere: false, isValid: false, diagnostics };
}

function noPrompt(
  { task, path }: FolderTask,
  { named }: PromptFolder,
  { file, problem }: { readonly file: string; readonly problem: string },
): Diagnostic {
  const params = { task: task.id, files: [path], problem, folder: named };
  return buildFormatFinding("prompt-missing", params, startOf(file));
}
