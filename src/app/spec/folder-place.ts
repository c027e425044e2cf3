import { relative } from "node:path";
import { repositoryAt } from "../plan-files.ts";

/** Where a folder lies in its repository, with slashes, also before it is made; undefined outside of one. */
export async function placeOf(folder: string): Promise<string | undefined> {
  const repository = await repositoryAt(folder);
  return repository === null ? undefined : relative(repository, folder).replaceAll("\\", "/");
}
