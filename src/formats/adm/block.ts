// The JSON of the one ```json dispatch block of a Markdown file, with every offset one in the file.

import type { Caps } from "../../core/caps.ts";
import { type Diagnostic, diagnostic } from "../../core/source.ts";
import type { FormatCode } from "../codes.ts";
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

/** The block, and no other. */
function findBlock({ path, text }: MarkdownFile): Found {
  const index = indexText(path, text);
  const say = (code: FormatCode, words: { message: string; hint: string }, at = index.range(0, 0)) =>
    diagnostic({ code, ...words, at });
  const none = () =>
    say("no-dispatch", {
      message: "there is no ```json dispatch block in this file",
      hint: "the manifest stands between a line ```json dispatch and a line ```",
    });
  if (!hasDispatch(path, text)) return { ok: false, diagnostics: [none()] };
  const tooMuch = tooMuchAt(text);
  if (tooMuch !== null) {
    const words = {
      message: "there is too much Markdown up to here to look for the dispatch block",
      hint: "keep only the block and what belongs to it in the file",
    };
    return {
      ok: false,
      diagnostics: [say("markdown-too-long", words, index.lineRange(tooMuch, tooMuch + 1))],
    };
  }
  const [block, ...others] = dispatchBlocks(path, text);
  if (!block) return { ok: false, diagnostics: [none()] };
  const fenceAt = ({ fence }: Block) => index.lineRange(fence.start, fence.end);
  const related = [{ at: fenceAt(block), message: "the first is here" }];
  const diagnostics = others.map((other) => ({
    ...say(
      "two-plans",
      {
        message: "this is another dispatch block; a file holds one",
        hint: "put each into a file of its own",
      },
      fenceAt(other),
    ),
    related,
  }));
  const open = [block, ...others].find(({ isClosed }) => !isClosed);
  if (open) {
    const sign = text.slice(open.fence.start).match(/^(?:`+|~+)/)?.[0] ?? "```";
    const hint = `write ${sign} below it, on a line of its own`;
    diagnostics.push({
      ...say("open-fence", { message: "this block is never closed", hint }, fenceAt(open)),
      related: [],
    });
  }
  return diagnostics.length > 0 ? { ok: false, diagnostics } : { ok: true, block };
}

/**
 * The JSON of a block. It is read in the place where it stands, with blanks for all else, so that every offset is one in the
 * file, whatever stands in front of its lines.
 */
function parseBlock({ path, text }: MarkdownFile, block: Block, caps: Caps): ReadBlock {
  const index = indexText(path, onlyLines(text, block.lines));
  const part = { start: block.lines[0]?.start ?? 0, end: block.lines.at(-1)?.end ?? 0 };
  if (index.text.trim() !== "") {
    const { tree, diagnostics } = parseYaml(index, { part, caps, json: true });
    return { index, tree, diagnostics: diagnostics.map(asInBlock) };
  }
  const empty = diagnostic({
    code: "plan-empty" satisfies FormatCode,
    message: "there is nothing in the dispatch block",
    at: index.lineRange(block.fence.start, block.fence.end),
    hint: 'it holds { "plan_id": …, "batches": [ … ] }',
  });
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

/** A block cannot be made YAML by another name. */
function asInBlock(said: Diagnostic): Diagnostic {
  const hint = said.hint?.replace(/, or write the plan as YAML$|^name the file \.yaml, or /, "") ?? null;
  return { ...said, hint };
}
