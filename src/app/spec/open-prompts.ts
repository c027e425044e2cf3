import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { Caps } from "../../core/caps.ts";
import { type Diagnostic, diagnostic } from "../../core/source.ts";
import type { FormatCode } from "../../formats/codes.ts";
import type { FileRead } from "../../formats/format.ts";
import { type PromptFolder, readPromptFolder } from "../../spec/prompt-folder.ts";
import { planFiles } from "../plan-files.ts";
import { readInput } from "../plan-input.ts";

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
export async function openPrompts(
  named: string,
  options: { cwd: string; caps: Caps },
): Promise<OpenedPrompts> {
  const { cwd, caps } = options;
  const asked = resolve(cwd, named);
  // What prompts say of places is true of the folder itself, whatever a link to it is called.
  const at = await realpath(asked).catch(() => asked); // not there: that is told
  const files = planFiles({ named, folder: at, cwd, home: homedir(), caps });
  const around = { at, sources: files.texts, read: files.read };
  const input = await readInput(named, at, caps);
  if (!input.ok) {
    const { message } = input.diagnostic;
    const told = { ...input.diagnostic, message: message.replace(/^the plan /, "the folder ") };
    return { ...around, folder: null, diagnostics: [told] };
  }
  if (input.input.kind === "file") return { ...around, folder: null, diagnostics: [noFolder(named)] };
  return { ...around, ...(await readPromptFolder(input.input, caps, files)) };
}

function noFolder(file: string): Diagnostic {
  const start = { line: 1, col: 1 };
  return diagnostic({
    code: "manifest-missing" satisfies FormatCode,
    message: "this is a file, and no artefact folder",
    at: { file, start, end: start },
    hint: "name the folder that holds manifest.json",
  });
}
