import type { OrRefusal } from "../../host.ts";
import { checkPrompts } from "../check-prompts.ts";
import type { FolderPlace } from "../open-folder.ts";
import { openPrompts } from "../open-prompts.ts";
import { writePrompts } from "../write-prompts.ts";

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
