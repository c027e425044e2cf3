// The file by which an agent says that it is done. It is looked for when the agent has ended, and taken away before anything is
// saved: it is a word to plait, not work. One that lies there from before says nothing.

import { lstat, realpath, rm } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import type { Task } from "../../../core/plan.ts";
import type { EndedBody } from "./conduct.ts";

/** Takes it away, and tells whether it was there. `folder` is where the agent works. */
export async function takeDoneFile(folder: string, { doneFile }: Task): Promise<boolean> {
  if (doneFile === null) return false;
  const path = await placeIn(folder, doneFile);
  const found = path === null ? null : await lstat(path).catch(() => null); // not there
  if (path === null || found === null || found.isDirectory()) return false;
  await rm(path, { force: true });
  return true;
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
  const detail = `it did not leave ${doneFile}, by which it says that it is done`;
  return { ...ended, failure: { reason: "agent-error", detail } };
}
