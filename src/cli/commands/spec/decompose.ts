import { type Config, type Host, readText } from "../../../app/index.ts";
import { checkedDesign } from "../../../app/spec/decompose/check-design.ts";
import { type Decomposition, prepareDecompose } from "../../../app/spec/decompose/prepare.ts";
import {
  folderContents,
  type GoodDesign,
  isGood,
  overviewFor,
  takeBack,
  writeFolder,
} from "../../../app/spec/decompose/write-folder.ts";
import { shellWord } from "../../../core/select/preview/commands.ts";
import type { SpecContents } from "../../../spec/spec-contents.ts";
import { canConfirm, confirm } from "../../confirm.ts";
import { exitCodes } from "../../exit-codes.ts";
import { granted, hostOf, neededConfig } from "../../host.ts";
import { readPlan, tellDiagnostics, tellFindings } from "../../plan-file.ts";
import { renderOverview } from "../../render/spec-overview.ts";
import type { Request, RunCommand } from "../../request.ts";
import { RequestError } from "../../request-error.ts";
import { askArchitect } from "./ask-architect.ts";
import { type DecomposeEnd, NO_END, refusedEnd, tellEnd } from "./decompose-end.ts";
import { takeLater, type Wanted, wantedOf } from "./decompose-words.ts";
import { keepGood } from "./keep-beside.ts";

export type Making = {
  readonly host: Host;
  readonly request: Request;
  readonly wanted: Wanted;
  readonly decomposition: Decomposition;
  readonly config: Config;
};

/** A design that holds, and who was asked for it. */
export type Designed = { readonly checked: GoodDesign; readonly asked: DecomposeEnd["asked"] };

/** `plait spec decompose <tech-spec>`: an agent designs, plait checks and writes; a folder with all of it, or none. */
export const decompose: RunCommand = async (request) => {
  try {
    return tellEnd(await endOfDecompose(request), request);
  } catch (error) {
    const end = request.options.json === true ? refusedEnd(error) : null;
    if (end === null) throw error;
    return tellEnd(end, request);
  }
};

async function endOfDecompose(request: Request): Promise<DecomposeEnd> {
  const [problem] = request.env.problems;
  if (problem !== undefined) throw new RequestError(problem.message, problem.hint);
  const wanted = wantedOf(request);
  const command = "plait spec decompose";
  const config = await neededConfig(request, command);
  const host = { ...hostOf(request, command), agents: config.agents };
  const { decomposition, diagnostics, sources } = granted(await prepareDecompose(host, wanted));
  tellDiagnostics(diagnostics, sources, { request, file: wanted.spec ?? "" });
  if (decomposition === null) return { ...NO_END, findings: diagnostics };
  const making = { host, request, wanted, decomposition, config };
  const { fromFile } = wanted;
  const designed = fromFile === null ? await askArchitect(making) : await fromDesign(making, fromFile);
  const end = "checked" in designed ? await accept(making, designed) : designed;
  return { ...end, findings: [...diagnostics, ...end.findings] };
}

async function fromDesign(making: Making, file: string): Promise<Designed | DecomposeEnd> {
  const { host, request, wanted, decomposition } = making;
  const read = await readText(file, wanted.caps.maxPlanBytes);
  if (!read.ok) throw new RequestError(`${file} ${read.detail}`, "check the path of --from-file");
  const check = { decomposition, caps: wanted.caps };
  const checked = await checkedDesign(host, { file, text: read.text }, check);
  if (isGood(checked)) return { checked, asked: null };
  const { diagnostics, sources } = checked;
  tellDiagnostics(diagnostics, sources, { request, file });
  return { ...NO_END, findings: diagnostics };
}

/** The design is shown, and taken or kept beside. */
async function accept(making: Making, { checked, asked }: Designed): Promise<DecomposeEnd> {
  const { host, request, decomposition } = making;
  const { options, output } = request;
  const { file, diagnostics: findings, sources } = checked;
  const contents = folderContents(host, decomposition, checked);
  const overview = await overviewFor(host, decomposition, contents);
  if (options.json !== true) {
    const { resultWidth: width, glyphs } = output;
    output.result([...renderOverview(overview, { width, glyphs }), []]);
  }
  tellDiagnostics(findings, sources, { request, file });
  const said = { ...NO_END, asked, overview, findings };
  const answer = await isTaken(making);
  if (answer === true) return { ...(await write(making, { checked, asked }, contents)), overview };
  const isInterrupted = answer === null;
  const exit = isInterrupted ? exitCodes.interrupted : exitCodes.incomplete;
  if (asked === null) return { ...said, exit, problem: { message: "nothing was written", hint: null } };
  const later = laterOf(request, await keepGood(making, checked, asked));
  if (answer === false || isInterrupted)
    return { ...said, ...later, exit, problem: { message: "the design is not taken", hint: null } };
  const message = "the design is not taken: there is nobody to ask";
  return { ...said, ...later, problem: { message, hint: "look at it and take it as below, or say -y" } };
}

/** How a design that is kept can be taken, perhaps to another place. */
function laterOf({ args, options }: Request, kept: readonly string[], into?: string) {
  const [design] = kept;
  if (design === undefined) return { kept, next: [] };
  const flags = into === undefined ? options : { ...options, into };
  return { kept, next: [takeLater({ args, options: flags }, design)] };
}

/** Where nobody can be asked, who names a design has seen it. */
async function isTaken({ request: { options }, wanted, decomposition }: Making) {
  if (options.yes === true) return true;
  if (options.json !== true && canConfirm()) return confirm(`write ${decomposition.shownFolder}?`);
  return wanted.fromFile !== null ? true : "unasked";
}

async function write(
  making: Making,
  { checked, asked }: Designed,
  contents: SpecContents,
): Promise<DecomposeEnd> {
  const { request, decomposition } = making;
  const { shownFolder } = decomposition;
  const made = await writeFolder(decomposition, contents, checked.text);
  if (!made.ok) {
    const { kind, message, hint } = made.refusal;
    const exit = kind === "request" ? exitCodes.badRequest : exitCodes.badEnvironment;
    const kept = asked === null ? [] : await keepGood(making, checked, asked);
    const later = laterOf(request, kept, `${shownFolder}-2`);
    return { ...NO_END, ...later, exit, asked, problem: { message, hint }, findings: checked.diagnostics };
  }
  // What was written is what will be run: it is read as a run would read it.
  const asPlan = { ...request, args: [shownFolder] };
  const loaded = await readPlan(asPlan, { runCommands: false, inspect: true });
  const told = new Set(checked.diagnostics.map(({ code }) => code));
  const news = loaded.diagnostics.filter(({ code, severity }) => severity === "error" || !told.has(code));
  tellFindings({ ...loaded, diagnostics: news }, asPlan);
  const findings = [...checked.diagnostics, ...news];
  if (loaded.plan === null) {
    await takeBack(decomposition);
    const kept = asked === null ? [] : await keepGood(making, checked, asked);
    const message = "what was made of the design is no plan, so it was taken away again: a mistake in plait";
    return { ...NO_END, exit: exitCodes.incomplete, asked, kept, findings, problem: { message, hint: null } };
  }
  return {
    ...NO_END,
    ...{ exit: exitCodes.ok, folder: shownFolder, files: made.files, asked, findings },
    next: ["validate", "plan", "run"].map((verb) => `plait ${verb} ${shellWord(shownFolder)}`),
  };
}
