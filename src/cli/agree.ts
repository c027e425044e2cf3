import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { findUnagreed, keepAgreed, type TrustQuestion, type Unagreed } from "../app/index.ts";
import type { Command } from "../core/plan.ts";
import { commandText } from "../core/select/preview/commands.ts";
import { formatCommand, plait, shellWord } from "../core/text/command.ts";
import { canConfirm, confirm } from "./confirm.ts";
import { createHost } from "./host.ts";
import { bold, type Line } from "./render/line.ts";
import { shown } from "./render/visible.ts";
import { pad } from "./render/width.ts";
import type { Request } from "./request.ts";
import { RequestError } from "./request-error.ts";

type AgreementQuestion = TrustQuestion & {
  /** How to type it with `--yes`; null where the command line has no such flag. */
  readonly words?: readonly string[] | null;
};

/**
 * Throws unless everything that files from somewhere else would have the run execute was agreed to: before, by `--yes`, or by the
 * person at the terminal. In CI whoever wrote the pipeline did. Without anybody to ask, only what was received is refused: naming any
 * other file is agreement.
 */
export async function requireAgreed(request: Request, { words, ...asked }: AgreementQuestion): Promise<void> {
  const { options, env, output } = request;
  if (env.ci && options.yes !== true) return;
  const host = createHost(request, plait("run"));
  const isAsked = canConfirm() && options.json !== true;
  const found = await findUnagreed(host, asked);
  const unagreed = isAsked || options.yes === true ? found : found.filter(({ isReceived }) => isReceived);
  if (unagreed.length === 0) return;
  if (options.yes === true) return keepAgreed(host, unagreed);
  output.say(listUnagreed(unagreed, request));
  if (isAsked && (await confirm("Agree and run?")) === true) return keepAgreed(host, unagreed);
  const names = unagreed.map(({ name }) => name).join(", ");
  throw new RequestError(`${names} ${unagreed.length === 1 ? "needs" : "need"} your agreement`, hint(words));
}

/** Before a plan's own command lists its tasks: nothing else of the plan is known yet. */
export async function requireAgreedCommand(request: Request, name: string, command: Command): Promise<void> {
  const absolute = await realpath(resolve(name)).catch(() => resolve(name));
  const executions = [{ what: "each", text: commandText(command) }];
  await requireAgreed(request, {
    plan: null,
    project: null,
    besides: [{ name, path: absolute, executions }],
  });
}

function hint(words: readonly string[] | null = process.argv.slice(2)): string {
  const typed =
    words === null
      ? formatCommand(plait("plan", { placeholder: "plan" }, { yes: true }))
      : ["plait", ...words, "--yes"].map((word) => shellWord(word)).join(" ");
  return `check the commands above, then agree: ${typed}`;
}

function listUnagreed(unagreed: readonly Unagreed[], { output }: Pick<Request, "output">): Line[] {
  const { glyphs } = output;
  return unagreed.flatMap(({ name, executions, isReceived }) => {
    const origin = isReceived ? "came with the repository" : "is from outside the repository";
    const width = Math.min(24, Math.max(...executions.map(({ what }) => what.length)));
    return [
      [bold(shown(name, glyphs)), ` ${origin} and runs as you:`],
      ...executions.map(
        ({ what, text }): Line => [`  ${pad(shown(what, glyphs), width)}  ${shown(text, glyphs)}`],
      ),
    ];
  });
}
