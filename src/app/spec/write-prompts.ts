// The prompts of an artefact folder, generated anew: all of them at once, or none.

import { randomUUID } from "node:crypto";
import { mkdir, rm, rmdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promptFiles } from "../../spec/prompt-files.ts";
import { OVERVIEW, type PromptFolder } from "../../spec/prompt-folder.ts";
import { generatedTime } from "../../spec/prompt-overview.ts";
import type { SpecFile } from "../../spec/spec-contents.ts";
import { type OrRefusal, refuse } from "../host.ts";
import { freeName, moveAll, NotTakenBack } from "./moves.ts";
import type { OpenedPrompts } from "./open-prompts.ts";
import { namesAt, whyNotMoved } from "./prompts-place.ts";

export type WrittenPrompts = {
  readonly files: readonly SpecFile[];
  /** Whether anything was written: what is there already stays, with its time. */
  readonly isNew: boolean;
  /** The folder beside them that the ones before were moved to, by its name. */
  readonly backup: string | null;
};

/** `now` is an ISO time. */
export async function writePrompts(
  folder: PromptFolder,
  opened: OpenedPrompts,
  now: string,
): Promise<OrRefusal<WrittenPrompts>> {
  const place = join(opened.at, "prompts");
  const found = await namesAt(place);
  if (!found.ok) return found;
  const names = found.names ?? [];
  const kept = await sameAsBefore(folder, opened, names);
  if (kept !== null) return { ok: true, files: kept, isNew: false, backup: null };
  const files = promptFiles(folder, now);
  const old = names.filter((name) => isPrompt(name, files));
  const others = names.filter((name) => !old.includes(name));
  const fresh = join(opened.at, `.prompts-${randomUUID().slice(0, 8)}`);
  const backup = await freeName(`${place}.backup-${now.replace(/[-:]|\.\d+/g, "")}`);
  try {
    await mkdir(fresh);
    for (const { path, text } of files) await writeFile(join(fresh, basename(path)), text, { flag: "wx" });
    await moveAll([
      ...(found.names === null ? [] : [{ from: place, to: backup }]),
      { from: fresh, to: place },
      // What is no prompt goes back to where it was.
      ...others.map((name) => ({ from: join(backup, name), to: join(place, name) })),
    ]);
  } catch (error) {
    // What could not be put back may be in it.
    if (!(error instanceof NotTakenBack))
      await rm(fresh, { recursive: true, force: true }).catch(() => undefined); // the error is what is told
    const message = `cannot write the prompts in ${place}: ${whyNotMoved(error)}`;
    return refuse("environment", message, "fix the folder, then generate them again");
  }
  if (found.names !== null && old.length === 0) await rmdir(backup).catch(() => undefined); // somebody uses it by now
  return { ok: true, files, isNew: true, backup: old.length === 0 ? null : basename(backup) };
}

/** Generated once, or about to be: everything else in the folder is the user's. */
function isPrompt(name: string, files: readonly SpecFile[]): boolean {
  return /^task-.*\.txt$/i.test(name) || files.some(({ path }) => path === `prompts/${name}`);
}

/** The files that are there, where they are what would be written but for the time; else null. */
async function sameAsBefore(
  folder: PromptFolder,
  { read }: OpenedPrompts,
  names: readonly string[],
): Promise<readonly SpecFile[] | null> {
  const overview = await read(`prompts/${OVERVIEW}`);
  const time = overview.ok ? generatedTime(overview.text) : null;
  if (time === null) return null;
  const files = promptFiles(folder, time);
  if (names.filter((name) => isPrompt(name, files)).length !== files.length) return null;
  for (const { path, text } of files) {
    const there = await read(path);
    if (!there.ok || there.text !== text) return null;
  }
  return files;
}
