// The file by which an agent says that it is done. It is looked for when the agent has ended, and taken away before anything is
// saved: it is a word to plait, not work. One that lies there from before says nothing.

import { lstat, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import type { Task } from "../../../core/plan.ts";
import type { EndedBody } from "./start-attempt.ts";

/** Takes it away, and gives what was in it; null where there is none. `folder` is where the agent works. */
export async function takeDoneFile(folder: string, { doneFile }: Task): Promise<Buffer | null> {
  if (doneFile === null) return null;
  const path = await placeIn(folder, doneFile);
  const found = path === null ? null : await lstat(path).catch(() => null); // not there
  if (path === null || found === null || found.isDirectory()) return null;
  const text = found.isFile() && found.size <= MOST_BYTES ? await readFile(path) : Buffer.alloc(0);
  await rm(path, { force: true });
  return text;
}

/** Nobody writes a book into it. */
const MOST_BYTES = 65_536;

/** One that was there from the start is a file like any other: that it is gone would pass for work. */
export async function putBackDoneFile(folder: string, { doneFile }: Task, text: Buffer): Promise<void> {
  const path = doneFile === null ? null : await placeIn(folder, doneFile);
  if (path !== null) await writeFile(path, text, { flag: "wx" }).catch(() => undefined); // the disk, which the save tells of
}

/** Null where a folder on the way is missing, or a link that leads elsewhere: what lies there is not ours. */
async function placeIn(start: string, file: string): Promise<string | null> {
  try {
    const [root, folder] = await Promise.all([realpath(start), realpath(dirname(join(start, file)))]);
    return folder === root || folder.startsWith(`${root}${sep}`) ? join(folder, basename(file)) : null;
  } catch {
    return null;
  }
}

/** An agent that ended well and did not say so has not finished: it may have been asked too much, or lost its way. */
export function withDoneFile(ended: EndedBody, { doneFile }: Task, wasThere: boolean): EndedBody {
  if (doneFile === null || wasThere || ended.failure !== null) return ended;
  const detail = `the agent did not create its done-file ${doneFile}`;
  return { ...ended, failure: { reason: "agent-error", detail } };
}
