// The prompts of an artefact folder, generated anew: all of them at once, or none. Whatever was there stays beside, under a name that
// nothing has.

import { randomUUID } from "node:crypto";
import { mkdir, rm, rmdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promptFiles, promptFor } from "../../spec/prompt-files.ts";
import { type FolderTask, OVERVIEW, type PromptFolder } from "../../spec/prompt-folder.ts";
import { generatedTime, promptOverview } from "../../spec/prompt-overview.ts";
import { hashPromptSources } from "../../spec/sections.ts";
import type { SpecFile } from "../../spec/spec-contents.ts";
import { type OrRefusal, refuse } from "../host.ts";
import { freeName, type Move, moveAll, NotTakenBack, namesAt, whyNotMoved } from "./moves.ts";
import {
  type CheckedPrompt,
  checkPrompts,
  type FolderPlace,
  type OpenedPrompts,
  openPrompts,
} from "./open-folder.ts";

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

/** Generates the prompts of a folder that has none, as in a clone: how many, 0 where some exist or task files are invalid. */
export async function restorePrompts(
  named: string,
  place: FolderPlace,
): Promise<OrRefusal<{ readonly made: number }>> {
  const opened = await openPrompts(named, place);
  if (opened.folder === null) return { ok: true, made: 0 };
  const checked = await checkPrompts(opened.folder, opened);
  if (checked.some(({ isThere }) => isThere)) return { ok: true, made: 0 };
  const written = await writePrompts(opened.folder, opened, new Date().toISOString());
  return written.ok ? { ok: true, made: checked.length } : written;
}

/** `backup` is from the folder; null where there was nothing to keep. */
type RegeneratedPrompt = { readonly path: string; readonly backup: string | null };

export type Mended = {
  readonly mended: readonly RegeneratedPrompt[];
  /** Null where it says what is true already. */
  readonly overview: RegeneratedPrompt | null;
};

type Fresh = SpecFile & { readonly isThere: boolean };

/** All that are not valid, and the overview where it says something else now. `now` is an ISO time. */
export async function regeneratePrompts(
  folder: PromptFolder,
  opened: OpenedPrompts,
  { checked, now }: { readonly checked: readonly CheckedPrompt[]; readonly now: string },
): Promise<OrRefusal<Mended>> {
  const place = await namesAt(join(opened.at, "prompts"));
  if (!place.ok) return place;
  const prompts = checked
    .filter(({ isValid }) => !isValid)
    .map(
      (one): Fresh => ({
        ...placeFor(one, folder, checked),
        text: promptFor(ofTask(folder, one.task), folder),
      }),
    );
  const overview = await overviewWith(prompts, { folder, opened, checked, now });
  const fresh = join(opened.at, `.prompts-${randomUUID().slice(0, 8)}`);
  try {
    await mkdir(fresh);
    await mkdir(join(opened.at, "prompts"), { recursive: true });
    const moves: Move[] = [];
    const replace = async ({ path, text, isThere }: Fresh): Promise<RegeneratedPrompt> => {
      const [from, to] = [join(fresh, basename(path)), join(opened.at, path)];
      await writeFile(from, text, { flag: "wx" });
      const backup = isThere ? await freeName(`${to}.backup`) : null;
      moves.push(...(backup === null ? [] : [{ from: to, to: backup }]), { from, to });
      return { path, backup: backup && join(dirname(path), basename(backup)) };
    };
    const mended: RegeneratedPrompt[] = [];
    for (const prompt of prompts) mended.push(await replace(prompt));
    const told = overview === null ? null : await replace(overview);
    await moveAll(moves);
    return { ok: true, mended, overview: told };
  } catch (error) {
    const message = `cannot write the prompts in ${opened.at}: ${whyNotMoved(error)}`;
    return refuse("environment", message, "fix the folder, then run the command again");
  } finally {
    await rm(fresh, { recursive: true, force: true }).catch(() => undefined); // an empty folder is all that can be left
  }
}

/** Where it is, unless another task has the same one: then each gets its own. */
function placeFor(
  { task, path, isThere }: CheckedPrompt,
  folder: PromptFolder,
  checked: readonly CheckedPrompt[],
) {
  const isShared = checked.some((other) => other.path === path && other.task !== task);
  return isShared ? { path: ofTask(folder, task).path, isThere: false } : { path, isThere };
}

const ofTask = (folder: PromptFolder, id: string): FolderTask =>
  folder.tasks.find(({ task }) => task.id === id) as FolderTask;

type Around = {
  readonly folder: PromptFolder;
  readonly opened: OpenedPrompts;
  readonly checked: readonly CheckedPrompt[];
  readonly now: string;
};

/** With the prompts as they will be: those that hold are told of as they are. */
async function overviewWith(
  fresh: readonly SpecFile[],
  { folder, opened, checked, now }: Around,
): Promise<Fresh | null> {
  const prompts = await Promise.all(
    checked.map(async ({ task, path, isValid }) => {
      const read = isValid ? await opened.read(path) : null;
      const text = read?.ok ? read.text : (fresh.find((one) => one.path === path)?.text ?? "");
      const { task: source } = ofTask(folder, task);
      return { path, text, task: source, sources: hashPromptSources(source, folder.context) };
    }),
  );
  const { techSpecId, place } = folder;
  const text = (generatedAt: string) => promptOverview({ techSpecId, generatedAt, folder: place }, prompts);
  const path = `prompts/${OVERVIEW}`;
  const there = await opened.read(path);
  const time = there.ok ? generatedTime(there.text) : null;
  if (there.ok && time !== null && there.text === text(time)) return null;
  return { path, text: text(now), isThere: there.ok || !there.isMissing };
}
