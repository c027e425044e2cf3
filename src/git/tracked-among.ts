import { relative, sep } from "node:path";
import { rawFields, shown } from "./raw-path.ts";
import type { Repository } from "./repository.ts";

/** Which of these absolute paths are files of the user's index; a folder stands for what is below it. */
export async function trackedAmong(
  { git, workTree }: Pick<Repository, "git" | "workTree">,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  if (workTree === null) return new Set();
  const inside = new Map(
    paths.flatMap((path): [string, string][] => {
      const way = relative(workTree, path).split(sep).join("/");
      return way === "" || way === ".." || way.startsWith("../") ? [] : [[way, path]];
    }),
  );
  if (inside.size === 0) return new Set();
  const args = ["ls-files", "-z", "--", ...inside.keys()];
  const { stdout } = await git({ args, cwd: workTree });
  const listed = rawFields(stdout).map(shown);
  const isTracked = (way: string): boolean => listed.some((one) => one === way || one.startsWith(`${way}/`));
  return new Set([...inside].flatMap(([way, path]) => (isTracked(way) ? [path] : [])));
}
