import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Alignment, alignDependencies } from "../../spec/align/align.ts";
import { type Project, projectFiles, readProject } from "../../spec/align/project.ts";
import type { Wish } from "../../spec/align/wish.ts";
import { readText } from "../read-text.ts";
import { openToolAsk, type ToolPlace } from "./ask-tools.ts";

/** Aligns wishes with the project whose repository has this root, by its own tools. Nothing is written. */
export async function alignInProject(
  wishes: readonly Wish[],
  place: ToolPlace & { readonly python: string | null },
): Promise<Alignment> {
  const project = await lookAtProject(place.root);
  const { ask, close } = openToolAsk(place);
  return alignDependencies(wishes, { ask, project, python: place.python }).finally(close);
}

/** Lock files of large projects have some megabytes. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A file that cannot be read says nothing, as one that is not there. */
async function lookAtProject(root: string): Promise<Project> {
  const names = await readdir(root).catch((): string[] => []); // not there: nothing is in it
  const texts = new Map<string, string>();
  for (const name of projectFiles.filter((one) => names.includes(one))) {
    const read = await readText(join(root, name), MOST_BYTES);
    if (read.ok) texts.set(name, read.text);
  }
  return readProject(names, texts);
}
