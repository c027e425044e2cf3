import { readdir } from "node:fs/promises";
import { type Caps, capFlags } from "../core/caps.ts";
import type { TextHash } from "../core/ids.ts";
import { type Diagnostic, diagnostic } from "../core/source.ts";
import type { PlanInput } from "../formats/format.ts";
import type { AppCode } from "./codes.ts";
import { readText, type TextFailure } from "./read-text.ts";
import { textCodes } from "./text-codes.ts";

export type InputResult =
  /** The hash is that of the text. A folder has none of its own: it is known by the texts that its format reads. */
  | { readonly ok: true; readonly input: PlanInput; readonly hash: TextHash | null }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

/** What the path leads to: a text, or a folder by the names in it. `path` is as typed, `absolute` where to look. */
export async function readInput(path: string, absolute: string, caps: Caps): Promise<InputResult> {
  if (path.trim() === "") return { ok: false, diagnostic: noPlan() };
  const read = await readText(absolute, caps.maxPlanBytes);
  if (read.ok) return { ok: true, input: { kind: "file", path, text: read.text }, hash: read.hash };
  if (read.reason === "folder") return readFolder(path, absolute);
  return { ok: false, diagnostic: inputDiagnostic(path, read.reason, read.detail) };
}

function noPlan(): Diagnostic {
  const code: AppCode = "file-missing";
  return diagnostic({
    code,
    message: "no plan is named",
    at: null,
    hint: "name the plan file, such as plan.yaml",
  });
}

async function readFolder(path: string, absolute: string): Promise<InputResult> {
  try {
    const names = (await readdir(absolute)).sort();
    return { ok: true, input: { kind: "folder", path, names }, hash: null };
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return { ok: false, diagnostic: inputDiagnostic(path, "unreadable", `cannot be read (${error.code})`) };
  }
}

const codeOf: { readonly [Reason in TextFailure]: AppCode } = {
  ...textCodes,
  "too-large": "plan-too-large",
};

const hints: { readonly [Reason in TextFailure]: string | null } = {
  missing: "check the path; it is taken from the folder you are in",
  unreadable: "check the permissions of the file",
  "link-loop": "check where the links point, or name the file itself",
  folder: null,
  special: "save the plan in a file and name that",
  "too-large": `long texts can go into files (prompt-file); ${capFlags.maxPlanBytes} raises the limit`,
  "not-text": "a plan is text in UTF-8; save it so",
};

function inputDiagnostic(path: string, reason: TextFailure, detail: string): Diagnostic {
  const start = { line: 1, col: 1 };
  const at = { file: path, start, end: start };
  return diagnostic({ code: codeOf[reason], message: `the plan ${detail}`, at, hint: hints[reason] });
}
