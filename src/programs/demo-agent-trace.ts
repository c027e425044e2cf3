import { appendFile, readFile, stat, writeFile } from "node:fs/promises";
import { extname } from "node:path";
import { putFile } from "./demo-agent-verbs.ts";

/** Where a trace is left: at a symbol of the file, such as `Cart.total`, or at the end of the file. */
export type TracePlace = { readonly path: string; readonly symbol: string | null };

/** A comment of its language, so that gates have a chance to stay green. */
export async function leaveTrace({ path, symbol }: TracePlace, task: string): Promise<void> {
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
