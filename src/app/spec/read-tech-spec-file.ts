import type { Caps } from "../../core/caps.ts";
import { type Diagnostic, diagnostic } from "../../core/source.ts";
import { type ReadTechSpec, readTechSpec } from "../../spec/tech-spec/tech-spec.ts";
import type { AppCode } from "../codes.ts";
import { readText, type TextFailure } from "../read-text.ts";
import { textCodes } from "../text-codes.ts";

/** A tech spec as it lies on the disk. */
export type ReadSpecFile = ReadTechSpec & {
  /** Null where it could not be read. */
  readonly text: string | null;
};

/** `file` is what findings call it, `path` where it is. */
export async function readTechSpecFile(
  { file, path }: { readonly file: string; readonly path: string },
  caps: Caps,
): Promise<ReadSpecFile> {
  const found = await readText(path, caps.maxPlanBytes);
  if (!found.ok) {
    const diagnostics = [unreadable(file, found)];
    return { spec: null, said: { id: null, title: null }, diagnostics, text: null };
  }
  const { text } = found;
  return { ...readTechSpec({ file, text }, caps), text };
}

const codeOf: { readonly [Reason in TextFailure]: AppCode } = {
  ...textCodes,
  "too-large": "tech-spec-too-large",
};

const hints: { readonly [Reason in TextFailure]: string } = {
  missing: "check the path; plait spec list names those that there are",
  unreadable: "check the permissions of the file",
  "link-loop": "check where the links point, or name the file itself",
  folder: "name the file in it",
  special: "save it in a file and name that",
  "too-large": "move what is no design into files of their own, and name them",
  "not-text": "a tech spec is text in UTF-8; save it so",
};

function unreadable(file: string, { reason, detail }: { reason: TextFailure; detail: string }): Diagnostic {
  const start = { line: 1, col: 1 };
  const at = { file, start, end: start };
  return diagnostic({ code: codeOf[reason], message: `the tech spec ${detail}`, at, hint: hints[reason] });
}
