import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Caps } from "../core/caps.ts";
import type { TextHash } from "../core/ids.ts";
import type { Diagnostic } from "../core/source.ts";
import { nearest } from "../core/suggest.ts";
import type { PlanInput } from "../formats/format.ts";
import { buildTextFinding, CURRENT_FOLDER, readText, type TextSubject } from "./read-text.ts";

export type InputResult =
  /** The hash is that of the text. A folder has none of its own: it is known by the texts that its format reads. */
  | { readonly ok: true; readonly input: PlanInput; readonly hash: TextHash | null }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

/** What the path leads to: a text, or a folder by the names in it. `path` is as typed, `absolute` where to look. */
export async function readInput(
  asked: { readonly path: string; readonly absolute: string; readonly noun?: string },
  caps: Caps,
): Promise<InputResult> {
  const { path, absolute, noun = "plan" } = asked;
  const about: TextSubject = { noun, tooLarge: "plan-too-large", from: CURRENT_FOLDER };
  if (path.trim() === "") {
    const failure = { reason: "missing", detail: "has no name", suggestion: "plan.yaml" } as const;
    return { ok: false, diagnostic: { ...buildTextFinding(failure, about, path), at: null } };
  }
  const read = await readText(absolute, caps.maxPlanBytes);
  if (read.ok) return { ok: true, input: { kind: "file", path, text: read.text }, hash: read.hash };
  if (read.reason === "folder") return readFolder(path, absolute, about);
  const suggestion = read.reason === "missing" ? await findNearName(path, absolute) : null;
  return { ok: false, diagnostic: buildTextFinding({ ...read, suggestion }, about, path) };
}

/** What is beside it under almost the same name, as the user would type it; files come before folders. */
async function findNearName(path: string, absolute: string): Promise<string | null> {
  const listed = await readdir(dirname(absolute), { withFileTypes: true }).catch(() => []); // no such folder
  const seen = listed.filter(({ name }) => !name.startsWith("."));
  const findNear = (isFolder: boolean) => {
    const names = seen.flatMap((one) => (one.isDirectory() === isFolder ? one.name : []));
    return nearest(basename(absolute), names.sort());
  };
  const near = findNear(false) ?? findNear(true);
  return near === null ? null : join(dirname(path), near);
}

async function readFolder(path: string, absolute: string, about: TextSubject): Promise<InputResult> {
  try {
    const names = (await readdir(absolute)).sort();
    return { ok: true, input: { kind: "folder", path, names }, hash: null };
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    const failure = { reason: "unreadable", detail: `cannot be read (${error.code})` } as const;
    return { ok: false, diagnostic: buildTextFinding(failure, about, path) };
  }
}
