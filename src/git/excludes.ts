// Files that were copied or prepared into a worktree must not become part of the work. They are hidden from the agent's git
// and from ours by a list of ignored files that is given to each, never by info/exclude, which all worktrees share.

import { join, resolve } from "node:path";
import { configValue } from "./config.ts";
import { readFileOrNull, replaceFile } from "./files.ts";
import type { Shadow } from "./shadow.ts";

/** Writes the user's own list and these paths to a file; a shadow and an agent are told of that. */
export async function writeExcludes(
  { repository }: Shadow,
  { file, hidden, env }: { file: string; hidden: readonly string[]; env: Readonly<Record<string, string>> },
): Promise<void> {
  const { HOME = "/", XDG_CONFIG_HOME = join(HOME, ".config") } = env;
  const asked = configValue(repository.config, "core.excludesfile");
  const standard = join(XDG_CONFIG_HOME, "git/ignore");
  const path = asked
    ? resolve(repository.workTree ?? repository.commonDir, asked.replace(/^~(?=\/)/, HOME))
    : standard;
  const users = (await readFileOrNull(path))?.toString("utf8") ?? "";
  const ours = hidden.map((name) => `/${name.replace(/[*?[\\!#]| +$/g, "\\$&")}\n`);
  await replaceFile(file, `${users.replace(/\n?$/, "\n")}${ours.join("")}`);
}
