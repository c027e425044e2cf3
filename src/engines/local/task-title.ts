// What a task is called where its id says nothing: in commits and pull requests.

import type { Task } from "../../core/plan.ts";
import type { RunFolder } from "./run-folder.ts";

export type TitleSource = {
  readonly folder: Pick<RunFolder, "text">;
  readonly mask: (text: string) => string;
};

/** As the plan calls it, else the first line of its prompt. Prompts may hold what must not be shown; plans without titles have nothing else to say (I13). */
export async function readTaskTitle(
  { folder, mask }: TitleSource,
  { id, title, work }: Pick<Task, "id" | "title" | "work">,
): Promise<string> {
  const isNamed = title !== id && (work.kind !== "agent" || title !== work.prompt.file);
  if (isNamed) return mask(title);
  if (work.kind === "command") {
    const { run } = work;
    return mask(`Run ${run.kind === "shell" ? run.line : run.argv.join(" ")}`);
  }
  const prompt = (await folder.text(work.prompt.hash)) ?? "";
  const line = prompt
    .split("\n")
    .map(plainLine)
    .find((one) => /\p{L}/u.test(one));
  return line === undefined ? `Do ${id}` : mask(line);
}

/** A heading or an item is as good as a sentence. */
function plainLine(line: string): string {
  return line
    .replace(/^\s*(?:#{1,6}|[-*+>]|\d+[.)])\s+/, "")
    .replaceAll(/\*\*|__|\s+/g, (found) => (/\s/.test(found) ? " " : ""))
    .replace(/^(?:task|goal)\s*:\s*/i, "")
    .trim();
}
