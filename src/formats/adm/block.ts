// The JSON of the one ```json dispatch block of a Markdown file, with every offset one in the file.

import type { Caps } from "../../core/caps.ts";
import type { Diagnostic } from "../../core/source.ts";
import { buildFormatFinding } from "../catalog.ts";
import { indexText, type TextIndex } from "../text-index.ts";
import { parseYaml } from "../yaml/parse.ts";
import type { Tree } from "../yaml/tree.ts";
import { type Block, dispatchBlocks, tooMuchAt } from "./blocks.ts";
import { hasDispatch } from "./detect.ts";

/** The tree is null where there is no one block, or no JSON in it. */
export type ReadBlock = {
  readonly index: TextIndex;
  readonly tree: Tree | null;
  readonly diagnostics: readonly Diagnostic[];
};

type MarkdownFile = { readonly path: string; readonly text: string };

export function readBlock(file: MarkdownFile, caps: Caps): ReadBlock {
  const found = findBlock(file);
  if (found.ok) return parseBlock(file, found.block, caps);
  return { index: indexText(file.path, file.text), tree: null, diagnostics: found.diagnostics };
}

type Found =
  | { readonly ok: true; readonly block: Block }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

function findBlock({ path, text }: MarkdownFile): Found {
  const index = indexText(path, text);
  const none = () => buildFormatFinding("no-dispatch", {}, index.range(0, 0));
  if (!hasDispatch(path, text)) return { ok: false, diagnostics: [none()] };
  const tooMuch = tooMuchAt(text);
  if (tooMuch !== null) {
    const at = index.lineRange(tooMuch, tooMuch + 1);
    return { ok: false, diagnostics: [buildFormatFinding("markdown-too-long", {}, at)] };
  }
  const [block, ...others] = dispatchBlocks(path, text);
  if (!block) return { ok: false, diagnostics: [none()] };
  const fenceAt = ({ fence }: Block) => index.lineRange(fence.start, fence.end);
  const noun = "dispatch block";
  const related = [{ at: fenceAt(block), noun }];
  const diagnostics = others.map((other) =>
    buildFormatFinding("two-plans", { noun }, fenceAt(other), { related }),
  );
  const open = [block, ...others].find(({ isClosed }) => !isClosed);
  if (open) {
    const fence = text.slice(open.fence.start).match(/^(?:`+|~+)/)?.[0] ?? "```";
    diagnostics.push(buildFormatFinding("open-fence", { fence }, fenceAt(open)));
  }
  return diagnostics.length > 0 ? { ok: false, diagnostics } : { ok: true, block };
}

/**
 * The JSON of a block. It is read in the place where it stands, with blanks for all else, so that every offset is one in the
 * file, whatever stands in front of its lines.
 */
function parseBlock({ path, text }: MarkdownFile, block: Block, caps: Caps): ReadBlock {
  const index = indexText(path, onlyLines(text, block.lines), "manifest");
  const part = { start: block.lines[0]?.start ?? 0, end: block.lines.at(-1)?.end ?? 0 };
  if (index.text.trim() !== "") {
    return { index, ...parseYaml(index, { part, caps, json: true }) };
  }
  const params = { noun: "dispatch block", start: '{ "plan_id": …, "batches": [ … ] }' };
  const empty = buildFormatFinding("plan-empty", params, index.lineRange(block.fence.start, block.fence.end));
  return { index, tree: null, diagnostics: [empty] };
}

function onlyLines(text: string, lines: Block["lines"]): string {
  let result = "";
  let done = 0;
  for (const { start, end } of [...lines, { start: text.length, end: text.length }]) {
    result += text.slice(done, start).replace(/[^\r\n]/g, " ") + text.slice(start, end);
    done = end;
  }
  return result;
}
