// What was asked and answered, kept below the git folder of the repository for its user alone: prompts, what the agent printed, what
// it did. All of it masked (I13). The last few questions are kept, older ones go.

import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Repository } from "../../git/index.ts";
import type { Masker } from "../../process/mask/masker.ts";
import { errnoOrThrow } from "../../util/errno.ts";
import { type OrRefusal, refuse } from "../host.ts";

export type TalkRecord = {
  readonly folder: string;
  /** Of the n-th question. */
  readonly prompt: (n: number) => string;
  readonly log: (n: number) => string;
  readonly transcript: (n: number) => string;
  readonly answer: (n: number) => string;
  /** The form of the answer, for programs that want a file. */
  readonly schema: (n: number) => string;
  /** Under a name that is not taken yet. */
  readonly put: (path: string, text: string) => Promise<void>;
};

const KEPT = 20;

/** `now` is ISO time; `about` is what questions of this kind are called, `spec` for one. */
export async function openRecord(
  { commonDir }: Repository,
  { about, now, masker, id }: { about: string; now: string; masker: Masker; id: string },
): Promise<OrRefusal<{ readonly record: TalkRecord }>> {
  const top = talksFolder(commonDir, about);
  const time = now.replace(/\.\d+Z$/, "").replaceAll(":", "-");
  const folder = join(top, `${time}-${endOf(id)}`);
  try {
    await makeRoom(top);
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const errno = errnoOrThrow(error);
    const hint = `check its permissions: ls -ld ${top}`;
    return refuse("environment", `cannot save the conversation in ${top} (${errno})`, hint);
  }
  const record: TalkRecord = {
    folder,
    prompt: (n) => join(folder, `${n}.prompt.md`),
    log: (n) => join(folder, `${n}.log`),
    transcript: (n) => join(folder, `${n}.ndjson`),
    answer: (n) => join(folder, `${n}.answer.txt`),
    schema: (n) => join(folder, `${n}.schema.json`),
    put: (path, text) => writeFile(path, masker.text(text), { flag: "wx", mode: 0o600 }),
  };
  return { ok: true, record };
}

async function makeRoom(top: string): Promise<void> {
  await mkdir(top, { recursive: true, mode: 0o700 });
  const older = (await readdir(top))
    .sort()
    .reverse()
    .slice(KEPT - 1);
  for (const name of older) await rm(join(top, name), { recursive: true, force: true });
}

export const talksFolder = (commonDir: string, about: string): string => join(commonDir, "plait", about);

export const isOfQuestion = (name: string, id: string): boolean => name.endsWith(`-${endOf(id)}`);

const endOf = (id: string): string => id.slice(-8);
