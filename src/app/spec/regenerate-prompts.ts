// Prompts that do not hold, generated again: all of them at once, or none. Whatever was there stays beside, under a name that nothing has.

import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promptFor } from "../../spec/prompt-files.ts";
import { type FolderTask, OVERVIEW, type PromptFolder } from "../../spec/prompt-folder.ts";
import { generatedTime, promptOverview } from "../../spec/prompt-overview.ts";
import { hashPromptSources } from "../../spec/sections.ts";
import type { SpecFile } from "../../spec/spec-contents.ts";
import { type OrRefusal, refuse } from "../host.ts";
import type { CheckedPrompt } from "./check-prompts.ts";
import { freeName, type Move, moveAll } from "./moves.ts";
import type { OpenedPrompts } from "./open-prompts.ts";
import { namesAt, whyNotMoved } from "./prompts-place.ts";

/** `backup` is from the folder; null where there was nothing to keep. */
export type RegeneratedPrompt = { readonly path: string; readonly backup: string | null };

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
