import { appendFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import { say, useTool } from "./demo-agent-output.ts";
import { pathFor } from "./demo-agent-path.ts";
import { putFile } from "./demo-agent-verbs.ts";

export type DefaultWork = {
  readonly task: string;
  readonly access: string;
  /** The patterns that the task owns. */
  readonly owns: readonly string[];
};

/** What it does without a script: a small file, or a harmless line, for each claim of its task. It commits nothing. */
export async function defaultWork({ task, access, owns }: DefaultWork): Promise<void> {
  if (access === "read-only") {
    return say(`Report of ${task}: the demo agent looked and found nothing to say.`);
  }
  const paths = await Promise.all(owns.map((pattern) => pathFor(pattern, task, isFolder)));
  const unique = paths.length === 0 ? [`notes/${task}.md`] : [...new Set(paths)];
  for (const path of unique) await useTool("Write", path, () => leaveTrace(path, task));
  await say(`Done: ${task} left a trace in ${unique.join(", ")}.`);
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false; // not there: a file to be made
}

/** A comment of its language, so that gates have a chance to stay green. */
async function leaveTrace(path: string, task: string): Promise<void> {
  const exists = (await stat(path).catch(() => null)) !== null; // not there: made now
  const extension = extname(path);
  if (extension === ".json")
    return exists ? appendFile(path, "\n") : putFile(path, `{ "demo": "${task}" }\n`);
  const [before, after] = COMMENTS.find(({ of }) => of.test(extension))?.marks ?? ["# ", ""];
  const line = `${before}${task}: the demo agent was here${after}\n`;
  return exists ? appendFile(path, line) : putFile(path, line);
}

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
