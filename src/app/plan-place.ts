import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { otherCommand } from "../core/text/command.ts";
import { fix } from "../core/text/sentence.ts";
import { isInside } from "./folders.ts";
import { findRepository, type Host, type Refused, refuse } from "./host.ts";

/**
 * Programs start only plans that lie in the repository, links followed: a file from somewhere else may be anybody's, and the
 * program that names it may have been told to. A file that does not exist is left to whoever reads it.
 */
export async function refusePlanOutside(host: Host, path: string): Promise<Refused | null> {
  const file = await realpath(resolve(host.cwd, path)).catch(() => null);
  if (file === null) return null;
  const found = await findRepository(host);
  const workTree = found.ok ? found.repository.workTree : null;
  const root = await realpath(workTree ?? host.cwd);
  if (isInside(root, file)) return null;
  return refuse(
    "request",
    `the plan ${path} is outside the repository`,
    fix("copy it into the repository", otherCommand("cp", path, ".")),
  );
}
