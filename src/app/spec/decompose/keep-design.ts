import { dirname } from "node:path";
import { errnoOf } from "../../../util/errno.ts";
import { makeFolders } from "../../folders.ts";
import { writeNewFile } from "../../new-file.ts";

/** The files, or why there are none. */
export type Kept =
  | { readonly ok: true; readonly paths: readonly string[] }
  | { readonly ok: false; readonly detail: string };

/**
 * A design beside the folder that was not made of it, so that nothing that was paid for is lost: `<folder>.design.json`, with what is
 * wrong with it in `<folder>.errors.txt`. Nothing is overwritten: names that are taken get a number.
 */
export async function keepDesign(
  folder: string,
  { design, errorsOf }: { readonly design: string; readonly errorsOf: ((path: string) => string) | null },
): Promise<Kept> {
  const problem = await makeFolders(dirname(folder)).then(() => null, errnoOf);
  if (problem !== null) return { ok: false, detail: `${dirname(folder)} cannot be created (${problem})` };
  for (let n = 1; n <= MOST; n += 1) {
    const stem = n === 1 ? folder : `${folder}-${n}`;
    const path = `${stem}.design.json`;
    const written = await writeNewFile(path, design);
    if (!written.ok && written.reason === "exists") continue;
    if (!written.ok) return { ok: false, detail: `${path} cannot be written (${written.detail})` };
    if (errorsOf === null) return { ok: true, paths: [path] };
    const beside = `${stem}.errors.txt`;
    const told = await writeNewFile(beside, errorsOf(path));
    return { ok: true, paths: told.ok ? [path, beside] : [path] };
  }
  return { ok: false, detail: `there are ${MOST} designs beside ${folder}` };
}

const MOST = 1_000;
