import { expandBraces } from "../core/ownership/braces.ts";

/**
 * One file that a pattern covers, named after the task where the pattern leaves the name open. `isFolder` says whether a path
 * is a folder now: a plain path covers itself and all below it.
 */
export async function pathFor(
  pattern: string,
  task: string,
  isFolder: (path: string) => Promise<boolean>,
): Promise<string> {
  const expansion = expandBraces(pattern);
  const [text = pattern] = expansion.kind === "texts" ? expansion.texts : [];
  const isOpen = text.endsWith("/") || text.split("/").at(-1) === "**";
  // Without wildcards every character stands for itself, as in app/[slug]/page.tsx.
  const path = isOpen || /[*?]/.test(text) ? concrete(text, task) : text;
  const isInside = isOpen || (await isFolder(path));
  return isInside ? [path, `${task}.md`].filter((part) => part !== "").join("/") : path;
}

function concrete(text: string, task: string): string {
  return text
    .split("/")
    .filter((segment) => segment !== "**" && segment !== "")
    .map((segment) =>
      segment
        .replace(/\[(?![!^])(.)[^\]]*\]/g, "$1")
        .replaceAll("?", "x")
        .replace(/\*+/g, task),
    )
    .join("/");
}
