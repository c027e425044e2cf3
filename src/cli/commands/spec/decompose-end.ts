import type { Diagnostic } from "../../../core/source.ts";
import { type Command, formatCommand } from "../../../core/text/command.ts";
import { count, dollars, tokenCount } from "../../../core/text/figures.ts";
import { type ExitCode, exitCodes } from "../../exit-codes.ts";
import { errorLines, nextCommand } from "../../render/diagnostics.ts";
import { dim, type Line } from "../../render/line.ts";
import { shown } from "../../render/visible.ts";
import type { Request } from "../../request.ts";
import { EnvironmentError, RequestError } from "../../request-error.ts";
import type { Spent } from "./converse.ts";

/** How it ended: what was made, what is kept, who was asked and what that cost. */
export type DecomposeEnd = {
  readonly exit: ExitCode;
  /** The artefact folder; null where none was made. Paths are as people are told them. */
  readonly folder: string | null;
  /** Below the folder. */
  readonly files: readonly string[];
  /** Beside it: a design that was not taken, and what is wrong with it. */
  readonly kept: readonly string[];
  readonly asked: Asked | null;
  /** For programs. */
  readonly overview: unknown;
  /** Why there is no folder. */
  readonly problem: { readonly message: string; readonly hint: string | null } | null;
  /** What to type now. */
  readonly next: readonly Command[];
  readonly findings: readonly Diagnostic[];
};

export type Asked = Spent & { readonly rounds: number };

export const NO_END: DecomposeEnd = {
  exit: exitCodes.badRequest,
  folder: null,
  files: [],
  kept: [],
  asked: null,
  overview: null,
  problem: null,
  next: [],
  findings: [],
};

/** A refusal as the document that programs wait for; null of a mistake of our own. */
export function refusedEnd(error: unknown): DecomposeEnd | null {
  if (!(error instanceof RequestError || error instanceof EnvironmentError)) return null;
  const { message, hint } = error;
  const exit = error instanceof RequestError ? exitCodes.badRequest : exitCodes.badEnvironment;
  return { ...NO_END, exit, problem: { message, hint } };
}

export function printEnd(end: DecomposeEnd, { options, output }: Request): ExitCode {
  const { exit, problem } = end;
  if (options.json === true) {
    output.json({ v: 1, ok: exit === exitCodes.ok, ...end, next: end.next.map((one) => formatCommand(one)) });
    return exit;
  }
  const { glyphs, sayWidth: width } = output;
  const lines = linesOf(end, (text) => shown(text, glyphs));
  if (exit === exitCodes.ok) output.result(lines);
  else {
    const error = problem === null ? [] : errorLines(problem.message, problem.hint, { width, glyphs });
    output.say([...error, ...lines]);
  }
  return exit;
}

function linesOf({ folder, files, kept, asked, next }: DecomposeEnd, text: (one: string) => string): Line[] {
  return [
    ...(folder === null ? [] : [[`${text(folder)}: ${count(files.length, "file")} written`]]),
    ...kept.map((path): Line => [dim("kept"), `  ${text(path)}`]),
    ...(asked === null
      ? []
      : [
          [dim("cost"), `  ${text(costText(asked))}`],
          [dim("log "), `  ${text(asked.conversation)}`],
        ]),
    ...next.map((one) => nextCommand(one)),
  ];
}

/** `claude, asked 2 times, $0.31, 180k tokens in, 12k out`. */
function costText({ agent, rounds, usage }: Asked): string {
  const { costUsd, inputTokens, outputTokens } = usage;
  return [
    agent,
    rounds === 1 ? "asked once" : `asked ${rounds} times`,
    costUsd === null ? "cost not reported" : dollars(costUsd),
    ...(inputTokens === null ? [] : [`${tokenCount(inputTokens)} tokens in`]),
    ...(outputTokens === null ? [] : [`${tokenCount(outputTokens)} out`]),
  ].join(", ");
}
