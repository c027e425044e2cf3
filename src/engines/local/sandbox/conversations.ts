// Conversations that an agent had in the sandbox, brought to where the user's own are, so that a person can continue them. Only new text
// is taken, from regular files, and nothing that is there is replaced.

import { constants } from "node:fs";
import { copyFile, lstat, mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ifMissing } from "../../../util/errno.ts";

export type ConversationFolder = {
  /** Where the agent, and the user's own, looks for them. */
  readonly path: string;
  /** Where they are kept during the run. */
  readonly by: string;
};

const MOST_BYTES = 64 * 1024 * 1024;
const MOST_FILES = 2_000;

export async function copyConversations({ path, by }: ConversationFolder): Promise<void> {
  let left = MOST_FILES;
  const copyBelow = async (below: string): Promise<void> => {
    const entries = await readdir(join(by, below), { withFileTypes: true }).catch(ifMissing([]));
    for (const entry of entries) {
      const name = join(below, entry.name);
      if (entry.isDirectory()) await copyBelow(name);
      else if (entry.isFile() && entry.name.endsWith(".jsonl") && left-- > 0)
        await copyOne(join(by, name), join(path, name));
    }
  };
  // A full disk costs the conversation, not the work.
  await copyBelow("").catch(() => undefined);
}

async function copyOne(from: string, to: string): Promise<void> {
  const { nlink, size } = await lstat(from);
  if (nlink !== 1 || size > MOST_BYTES) return;
  const known = await lstat(to).catch(ifMissing(null));
  // A conversation only grows: a longer one is the same with more.
  if (known !== null && (!known.isFile() || known.size >= size)) return;
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await copyFile(from, to, known === null ? constants.COPYFILE_EXCL : 0);
}
