import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";

/** The program that a name leads to: by the path of the environment, or from the folder that the user is in. Null: nowhere. */
export async function findProgram(name: string, path: string): Promise<string | null> {
  if (name.includes("/")) return (await isProgram(resolve(name))) ? resolve(name) : null;
  for (const folder of path.split(delimiter)) {
    const program = resolve(join(folder === "" ? "." : folder, name));
    if (await isProgram(program)) return program;
  }
  return null;
}

async function isProgram(path: string): Promise<boolean> {
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false, // not there, or not to be reached
  );
  if (!isFile) return false;
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
