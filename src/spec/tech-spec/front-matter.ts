import type { Caps } from "../../core/caps.ts";
import type { Diagnostic, SourceRange } from "../../core/source.ts";
import { buildFormatFinding } from "../../formats/catalog.ts";
import { openedFrontMatter } from "../../formats/front-matter.ts";
import type { TextIndex } from "../../formats/text-index.ts";
import { parseYaml } from "../../formats/yaml/parse.ts";
import type { Tree } from "../../formats/yaml/tree.ts";

type Map = Extract<Tree, { kind: "map" }>;

/** The front matter of a tech spec with the places of what it says, or why there is none. */
export type FrontMatter = {
  /** Null where nothing can be read from it. */
  readonly tree: Map | null;
  /** Its first line. */
  readonly at: SourceRange;
  /** Where the text below it starts. */
  readonly bodyStart: number;
  readonly diagnostics: readonly Diagnostic[];
};

export function readFrontMatter(index: TextIndex, caps: Caps): FrontMatter {
  const { text } = index;
  const part = openedFrontMatter(text);
  const at = index.lineRange(0, text.length);
  if (part === null) return { tree: null, at, bodyStart: 0, diagnostics: [notThere("missing", at)] };
  const bodyStart = endOfLine(text, part.end);
  if (!part.isClosed) return { tree: null, at, bodyStart, diagnostics: [notThere("open", at)] };
  const { tree, diagnostics } = parseYaml(index, { part, caps, json: false });
  if (tree?.kind === "map") return { tree, at, bodyStart, diagnostics };
  return {
    tree: null,
    at,
    bodyStart,
    diagnostics: diagnostics.length > 0 ? diagnostics : [notThere("missing", at)],
  };
}

function notThere(problem: "missing" | "open", at: SourceRange): Diagnostic {
  return buildFormatFinding("front-matter", { problem, noun: "tech spec" }, at);
}

function endOfLine(text: string, from: number): number {
  const feed = text.indexOf("\n", from);
  return feed === -1 ? text.length : feed + 1;
}
