import { appendFile, readFile, stat, writeFile } from "node:fs/promises";
import { extname } from "node:path";
import { expandBraces } from "../core/ownership/braces.ts";
import { say, useTool } from "./demo-agent-output.ts";
import { putFile } from "./demo-agent-verbs.ts";

export type DefaultWork = {
  readonly task: string;
  readonly access: string;
  /** What the task owns: patterns, some with `::symbol` behind them. */
  readonly owns: readonly string[];
};

/** What it does without a script: a small file, or a harmless comment, for each claim of its task. It commits nothing. */
export async function defaultWork({ task, access, owns }: DefaultWork): Promise<void> {
  if (access === "read-only") {
    return say(`Report of ${task}: the demo agent found nothing to report.`);
  }
  const places = await Promise.all(owns.map((claim) => placeFor(claim, task)));
  const asked = places.length === 0 ? [{ path: `notes/${task}.md`, symbol: null }] : places;
  const unique = [...new Map(asked.map((place) => [JSON.stringify(place), place])).values()];
  for (const place of unique) await useTool("Write", place.path, () => leaveTrace(place, task));
  await say(`Done: ${task} changed ${[...new Set(unique.map(({ path }) => path))].join(", ")}.`);
}

async function placeFor(claim: string, task: string): Promise<TracePlace> {
  const [pattern = claim, symbol = null] = claim.split("::");
  return { path: await pathFor(pattern, task, isFolder), symbol };
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false; // not there: a file to be made
}

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

/** Where a trace is left: at a symbol of the file, such as `Cart.total`, or at the end of the file. */
type TracePlace = { readonly path: string; readonly symbol: string | null };

/** A comment of its language, so that gates have a chance to stay green. */
async function leaveTrace({ path, symbol }: TracePlace, task: string): Promise<void> {
  const exists = (await stat(path).catch(() => null)) !== null; // not there: made now
  const extension = extname(path);
  if (extension === ".json")
    return exists ? appendFile(path, "\n") : putFile(path, `{ "demo": "${task}" }\n`);
  const [before, after] = COMMENTS.find(({ of }) => of.test(extension))?.marks ?? ["# ", ""];
  const comment = `${before}${task}: the demo agent was here${after}`;
  if (!exists) return putFile(path, `${comment}\n`);
  const text = symbol === null ? null : atSymbol(await readFile(path, "utf8"), symbol, comment);
  return text === null ? appendFile(path, `${comment}\n`) : writeFile(path, text);
}

/** Tasks that own different symbols of a file do not meet: each writes where its own begins. Null where there is none yet. */
function atSymbol(text: string, symbol: string, comment: string): string | null {
  const lines = text.split("\n");
  let at = -1;
  for (const name of symbol.split(".")) {
    const after = at;
    const find = (begins: RegExp) => lines.findIndex((line, i) => i > after && begins.test(line));
    const word = `${name.replaceAll("$", "\\$")}(?![\\w$])`;
    const defined = find(new RegExp(`(?:^|\\s)${DEFINES}\\s+${word}`));
    // A method in a class, a name that is assigned.
    at = defined === -1 ? find(new RegExp(`(?:^|\\s)${word}\\s*[(:=]`)) : defined;
    if (at === -1) return null;
  }
  return lines.map((line, i) => (i === at ? `${line.trimEnd()}  ${comment}` : line)).join("\n");
}

const DEFINES =
  "(?:class|def|function\\*?|interface|type|enum|const|let|var|func|fn|struct|trait|module|object|record)";

const COMMENTS: readonly { readonly of: RegExp; readonly marks: readonly [string, string] }[] = [
  {
    of: /^\.(?:[cm]?[jt]sx?|java|kt|go|rs|c|h|cc|cpp|hpp|cs|swift|scala|php|dart|proto|jsonc)$/,
    marks: ["// ", ""],
  },
  { of: /^\.(?:css|scss|less)$/, marks: ["/* ", " */"] },
  { of: /^\.(?:html?|xml|svg|vue|svelte)$/, marks: ["<!-- ", " -->"] },
  { of: /^\.(?:sql|lua|hs|elm)$/, marks: ["-- ", ""] },
  { of: /^\.(?:md|mdx|txt|rst|adoc)$/, marks: ["", ""] },
];
