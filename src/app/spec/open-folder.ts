import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { Caps } from "../../core/caps.ts";
import { type Diagnostic, diagnostic } from "../../core/source.ts";
import type { FormatCode } from "../../formats/codes.ts";
import type { PlanFiles, PlanInput } from "../../formats/format.ts";
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
  const read = await readInput(named, at, caps);
  if (!read.ok) {
    const { message } = read.diagnostic;
    const told = { ...read.diagnostic, message: message.replace(/^the plan /, "the folder ") };
    return { at, files, input: null, diagnostics: [told] };
  }
  const { input } = read;
  if (input.kind === "file") return { at, files, input: null, diagnostics: [noFolder(named)] };
  return { at, files, input, diagnostics: [] };
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
