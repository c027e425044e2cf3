import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { probeRepository, userName } from "../../git/index.ts";
import { ifMissing } from "../../util/errno.ts";
import { gitFor, type Host, type OrRefusal, type Refusal, refuse } from "../host.ts";

/** Where `parallel/` and `tech-specs/` belong: the root of the repository, and outside of any the folder itself. */
export async function specRoot(host: Host): Promise<OrRefusal<{ readonly root: string }>> {
  const around = await probeRepository(gitFor(host), host.cwd);
  switch (around.kind) {
    case "work-tree":
      return { ok: true, root: around.root };
    case "outside":
      return { ok: true, root: host.cwd };
    case "no-files":
      return refuse("environment", `${host.cwd} is inside a repository but not part of its work tree`, HINT);
    case "unusable":
      return refuse(
        "environment",
        `git cannot read the repository that contains ${host.cwd}: ${around.said}`,
        HINT,
      );
  }
}

const HINT = "run it in a checkout, or in a folder outside any repository";

/** Who writes: the name that git knows. */
export const authorOf = (host: Host): Promise<string | null> => userName(gitFor(host), host.cwd);

/**
 * Why nothing is made in a folder below the root: a file has its name, or a link, which may lead anywhere. Null where it is a folder
 * or can become one. The path has slashes.
 */
export async function folderInTheWay(root: string, folder: string): Promise<Refusal | null> {
  const parts = folder.split("/");
  for (let length = 1; length <= parts.length; length += 1) {
    const way = parts.slice(0, length).join("/");
    const kind = await kindAt(join(root, way));
    if (kind === null) return null;
    if (kind === "folder") continue;
    const message = `${way} is ${kind === "file" ? "a file" : "a link"}, not a folder`;
    return { kind: "request", message, hint: "move or delete it; nothing was changed" };
  }
  return null;
}

/** What is there, links not followed; null where nothing is. */
export async function kindAt(path: string): Promise<"folder" | "file" | "link" | null> {
  const found = await lstat(path).catch(ifMissing(null));
  if (found === null) return null;
  return found.isSymbolicLink() ? "link" : found.isDirectory() ? "folder" : "file";
}
