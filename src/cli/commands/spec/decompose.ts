import { readText } from "../../../app/index.ts";
import { checkedDesign } from "../../../app/spec/decompose/check-design.ts";
import { prepareDecompose } from "../../../app/spec/decompose/prepare.ts";
import { isGood } from "../../../app/spec/decompose/write-folder.ts";
import { plait } from "../../../core/text/command.ts";
import { createHost, granted, requireConfig } from "../../host.ts";
import { printDiagnostics } from "../../plan-file.ts";
import type { Request, RunCommand } from "../../request.ts";
import { RequestError } from "../../request-error.ts";
import { type DecomposeEnd, NO_END, printEnd, refusedEnd } from "./decompose-end.ts";
import { makeDesignFolder } from "./make-design-folder.ts";
import { buildDecompose, type Making, readDecomposeFlags, type Settled } from "./making.ts";
import { settleDesign } from "./settle-design.ts";

/** `plait spec decompose <tech-spec>`: an agent designs, plait checks and writes the whole folder or nothing. */
export const decompose: RunCommand = async (request) => {
  try {
    return printEnd(await endOfDecompose(request), request);
  } catch (error) {
    const end = request.options.json === true ? refusedEnd(error) : null;
    if (end === null) throw error;
    return printEnd(end, request);
  }
};

async function endOfDecompose(request: Request): Promise<DecomposeEnd> {
  const [problem] = request.env.problems;
  if (problem !== undefined) throw new RequestError(problem.message, problem.hint);
  const wanted = readDecomposeFlags(request);
  const command = plait("spec decompose");
  const config = await requireConfig(request, command);
  const host = { ...createHost(request, command), agents: config.agents };
  const { decomposition, diagnostics, sources } = granted(await prepareDecompose(host, wanted));
  printDiagnostics(diagnostics, sources, request, wanted.spec ?? "");
  if (decomposition === null) return { ...NO_END, findings: diagnostics };
  const making: Making = {
    ...{ host, request, wanted, decomposition, config },
    kept: [],
    question: `Write ${decomposition.shownFolder}?`,
    buildLater: (design, into) =>
      buildDecompose(
        { args: request.args, options: into === undefined ? request.options : { ...request.options, into } },
        design,
      ),
  };
  const end = await makeDesignFolder(making, await settle(making));
  return { ...end, findings: [...diagnostics, ...end.findings] };
}

async function settle(making: Making): Promise<Settled | DecomposeEnd> {
  const { host, request, wanted, decomposition } = making;
  const { fromFile: file } = wanted;
  if (file === null) return settleDesign(making, null);
  const read = await readText(file, wanted.caps.maxPlanBytes);
  if (!read.ok) throw new RequestError(`${file} ${read.detail}`, "check the path: --from-file");
  const check = { decomposition, caps: wanted.caps, isAsked: false };
  const checked = await checkedDesign(host, { file, text: read.text }, check);
  if (!isGood(checked)) {
    const { diagnostics, sources } = checked;
    printDiagnostics(diagnostics, sources, request, file);
    return { ...NO_END, findings: diagnostics };
  }
  const settled = await settleDesign(making, checked);
  // Who names a design has seen it.
  return "kind" in settled && settled.kind === "unasked" ? { ...settled, kind: "yes", checked } : settled;
}
