import type { Caps } from "../../core/caps.ts";
import { type Diagnostic, diagnostic, type SourceRange } from "../../core/source.ts";
import type { FormatCode } from "../../formats/codes.ts";
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
  if (part === null)
    return {
      tree: null,
      at,
      bodyStart: 0,
      diagnostics: [notThere("a tech spec begins with front matter", at)],
    };
  const bodyStart = endOfLine(text, part.end);
  if (!part.isClosed)
    return { tree: null, at, bodyStart, diagnostics: [notThere("the front matter is never closed", at)] };
  const { tree, diagnostics } = parseYaml(index, { part, caps, json: false });
  const said = diagnostics.map(inOtherWords);
  if (tree?.kind === "map") return { tree, at, bodyStart, diagnostics: said };
  const empty = notThere("the front matter says nothing", at);
  return { tree: null, at, bodyStart, diagnostics: said.length > 0 ? said : [empty] };
}

function notThere(message: string, at: SourceRange): Diagnostic {
  const hint = 'at the very top: a line "---", then tech_spec_id: TS-0042 and status: DRAFT, then "---"';
  return diagnostic({ code: "front-matter" satisfies FormatCode, message, at, hint });
}

/** The reader of YAML speaks of plans and of flags that these commands have not. */
function inOtherWords(found: Diagnostic): Diagnostic {
  if (found.code === "too-deep") return { ...found, hint: "front matter of a tech spec needs one level" };
  return { ...found, message: found.message.replace(/\b(?:in|of) (?:a plan|plans)\b/, "in front matter") };
}

function endOfLine(text: string, from: number): number {
  const feed = text.indexOf("\n", from);
  return feed === -1 ? text.length : feed + 1;
}
