import { basename, relative } from "node:path";
import { PARALLEL } from "../../spec/setup-files.ts";
import { repositoryAt } from "../plan-files.ts";

/** Where a folder lies in its repository, with slashes, also before it is made. Outside of one: where such folders usually lie. */
export async function placeOf(folder: string): Promise<string> {
  const repository = await repositoryAt(folder);
  return repository === null
    ? `${PARALLEL}/${basename(folder)}`
    : relative(repository, folder).replaceAll("\\", "/");
}
