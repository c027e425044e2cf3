import { allCodes, explainCode } from "../../app/codes.ts";
import { exitCodes } from "../exit-codes.ts";
import { nextCommand } from "../render/diagnostics.ts";
import { bold, dim, type Line } from "../render/line.ts";
import { wrapWords } from "../render/width.ts";
import type { RunCommand } from "../request.ts";
import { RequestError } from "../request-error.ts";

type Code = (typeof allCodes)[number];

/** `plait explain [code]`: what a finding means, with an example of how it is right; without a code, all of them. */
export const explain: RunCommand = async ({ args: [word], options, output }) => {
  const found = word === undefined ? allCodes : [codeNamed(word)];
  if (options.json === true) {
    output.json({ v: 1, codes: found });
  } else if (word === undefined) {
    output.result(listOf(found, output.resultWidth));
  } else {
    output.result(found.flatMap((code) => fullText(code, output.resultWidth)));
  }
  return exitCodes.ok;
};

function codeNamed(word: string): Code {
  const found = explainCode(word);
  if ("code" in found) return found;
  const hint = found.nearest === null ? "all codes: plait explain" : `did you mean ${found.nearest}?`;
  throw new RequestError(`no finding has the code ${JSON.stringify(word)}`, hint);
}

/** Where a title has no room beside the code, it goes below. */
function listOf(codes: readonly Code[], width: number): Line[] {
  const left = Math.max(...codes.map(({ code }) => code.length)) + 2 + 9;
  const isNarrow = width - left < 24;
  const rows = codes.flatMap(({ code, severity, title }): Line[] => {
    const head: Line = [bold(code.padEnd(isNarrow ? 0 : left - 9)), isNarrow ? "  " : "", severity.padEnd(9)];
    if (isNarrow) return [head, ...wrapWords(title, width - 2).map((line): Line => ["  ", line])];
    return wrapWords(title, width - left).map(
      (line, index): Line => (index === 0 ? [...head, line] : [" ".repeat(left), line]),
    );
  });
  return [...rows, [], nextCommand(`plait explain ${codes[0]?.code}`)];
}

function fullText({ code, severity, title, explanation, example }: Code, width: number): Line[] {
  const shown = example?.split("\n").map((line): Line => [`  ${line}`]) ?? [];
  return [
    [bold(code), "  ", dim(severity)],
    ...wrapWords(title, width).map((line): Line => [line]),
    [],
    ...wrapWords(explanation, Math.min(width, 100)).map((line): Line => [line]),
    ...(shown.length === 0 ? [] : [[], [dim("example")], ...shown]),
  ];
}
