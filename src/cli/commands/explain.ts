import { allCodes, findCode } from "../../app/codes.ts";
import { formatSuggestion } from "../../core/select/suggestion.ts";
import { formatCommand, plait } from "../../core/text/command.ts";
import { fix } from "../../core/text/sentence.ts";
import { exitCodes } from "../exit-codes.ts";
import { joinParts, measureTerms, renderRows } from "../help-layout.ts";
import { bold, dim, type Line } from "../render/line.ts";
import { wrapWords } from "../render/width.ts";
import type { RunCommand } from "../request.ts";
import { RequestError } from "../request-error.ts";

type Code = (typeof allCodes)[number];

/** `plait explain [code]`: a finding with a correct example, or the list of all codes. */
export const explain: RunCommand = async ({ args: [word], options, output }) => {
  const found = word === undefined ? allCodes : [requireCode(word)];
  if (options.json === true) {
    output.json({ v: 1, codes: found });
  } else if (word === undefined) {
    output.raw(renderList(found, output.look.width));
  } else {
    output.result(found.flatMap((code) => renderCode(code, output.look.width)));
  }
  return exitCodes.ok;
};

function requireCode(word: string): Code {
  const found = findCode(word);
  if (found !== null) return found;
  const codes = allCodes.map(({ code }) => code);
  const hint = formatSuggestion(word, codes) ?? fix("list all codes", plait("explain"));
  throw new RequestError(`unknown code ${JSON.stringify(word)}`, hint);
}

const sections = [
  ["Errors", "error"],
  ["Warnings", "warning"],
  ["Notes", "note"],
] as const;

/** All codes in the layout of help, by severity and name. */
function renderList(codes: readonly Code[], width: number): string {
  const left = measureTerms(codes.map(({ code }) => code));
  const sorted = [...codes].sort((a, b) => (a.code < b.code ? -1 : 1));
  return joinParts([
    ...sections.map(([title, wanted]) =>
      renderRows(
        title,
        sorted.flatMap(({ code, severity, title }) => (severity === wanted ? [[code, title] as const] : [])),
        { left, width },
      ),
    ),
    [`More: ${formatCommand(plait("explain", { placeholder: "code" }))}`],
  ]);
}

function renderCode({ code, severity, title, explanation, example }: Code, width: number): Line[] {
  const shown = example?.split("\n").map((line): Line => [`  ${line}`]) ?? [];
  return [
    [bold(code), "  ", dim(severity)],
    ...wrapWords(title, width).map((line): Line => [line]),
    [],
    ...wrapWords(explanation, Math.min(width, 100)).map((line): Line => [line]),
    ...(shown.length === 0 ? [] : [[], [dim("example")], ...shown]),
  ];
}
