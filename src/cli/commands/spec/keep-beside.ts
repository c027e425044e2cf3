import { relative } from "node:path";
import type { CheckedDesign } from "../../../app/spec/decompose/check-design.ts";
import { keepDesign } from "../../../app/spec/decompose/write-folder.ts";
import type { Command } from "../../../core/text/command.ts";
import { errorText } from "../../../spec/design/repair-prompt.ts";
import type { Making } from "./making.ts";

/** A design that holds, beside the folder that was not made of it. Paths are as people are told them; none where nothing can be kept. */
export function keepGood(making: Making, { text }: CheckedDesign, conversation: string | null) {
  return keep(making, { design: text, errorsOf: null }, conversation);
}

/** One that does not, with what is wrong with it. */
export function keepBad(making: Making, checked: CheckedDesign, conversation: string | null) {
  const errorsOf = (path: string) => {
    const { diagnostics } = renameFindings(checked, relative(making.host.cwd, path));
    return `${diagnostics.map(errorText).join("\n")}\n`;
  };
  return keep(making, { design: `${checked.text.trimEnd()}\n`, errorsOf }, conversation);
}

async function keep(
  { host, decomposition: { folder }, request: { output } }: Making,
  what: Parameters<typeof keepDesign>[1],
  conversation: string | null,
): Promise<string[]> {
  const kept = await keepDesign(folder, what);
  if (kept.ok) return kept.paths.map((path) => relative(host.cwd, path));
  const answered = conversation === null ? "" : ` The agent's answer is in ${conversation}.`;
  output.warn(`cannot save the design: ${kept.detail}.${answered}`);
  return [];
}

/** What to type to take a design that is kept, perhaps into another folder. */
export function listLater({ buildLater }: Making, [design]: readonly string[], into?: string): Command[] {
  return design === undefined ? [] : [buildLater(design, into)];
}

/** Its findings by the name that it is kept under: there people look for them. */
export function renameFindings({ file, diagnostics, sources }: CheckedDesign, name: string) {
  const renamed = (old: string) =>
    old === file ? name : old.startsWith(`${file}#`) ? name + old.slice(file.length) : old;
  const moved = <At extends { readonly file: string }>(at: At): At => ({ ...at, file: renamed(at.file) });
  return {
    diagnostics: diagnostics.map((one) => ({
      ...one,
      at: one.at === null ? null : moved(one.at),
      related: one.related.map((other) => ({ ...other, at: moved(other.at) })),
    })),
    sources: new Map(Array.from(sources, ([old, text]) => [renamed(old), text] as const)),
  };
}
