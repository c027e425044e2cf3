import { dirname } from "node:path";
import { makeFolders } from "../../folders.ts";
import { writeNewFile } from "../../new-file.ts";

/**
 * A design beside the folder that was not made of it, so that nothing that was paid for is lost: `<folder>.design.json`, with what is
 * wrong with it in `<folder>.errors.txt`. Nothing is overwritten: names that are taken get a number.
 */
export async function keepDesign(
  folder: string,
  { design, errorsOf }: { readonly design: string; readonly errorsOf: ((path: string) => string) | null },
): Promise<readonly string[]> {
  await makeFolders(dirname(folder));
  for (let n = 1; n <= MOST; n += 1) {
    const stem = n === 1 ? folder : `${folder}-${n}`;
    const path = `${stem}.design.json`;
    const written = await writeNewFile(path, design);
    if (!written.ok && written.reason === "exists") continue;
    if (!written.ok) throw new Error(`${path} cannot be written (${written.detail})`);
    if (errorsOf === null) return [path];
    const beside = `${stem}.errors.txt`;
    const told = await writeNewFile(beside, errorsOf(path));
    if (told.ok) return [path, beside];
    if (told.reason !== "exists") throw new Error(`${beside} cannot be written (${told.detail})`);
    return [path];
  }
  throw new Error(`there are ${MOST} designs beside ${folder}`);
}

const MOST = 1_000;
