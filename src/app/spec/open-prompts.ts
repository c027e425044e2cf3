import type { Diagnostic } from "../../core/source.ts";
import type { FileRead } from "../../formats/format.ts";
import { type PromptFolder, readPromptFolder } from "../../spec/prompt-folder.ts";
import { type FolderPlace, openFolder } from "./open-folder.ts";

/** An artefact folder, opened to generate or check its prompts. */
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
