// After the decision about a design: writes the artifact folder, or keeps the design beside it.

import {
  folderContents,
  isGood,
  overviewFor,
  takeBack,
  writeFolder,
} from "../../../app/spec/decompose/write-folder.ts";
import { plait } from "../../../core/text/command.ts";
import { plainText } from "../../../core/text/sentence.ts";
import { exitCodes } from "../../exit-codes.ts";
import { printFindings, readPlan } from "../../plan-file.ts";
import { type DecomposeEnd, NO_END } from "./decompose-end.ts";
import { keepBad, keepGood, listLater } from "./keep-beside.ts";
import type { Making, Settled } from "./making.ts";

export async function makeDesignFolder(
  making: Making,
  settled: Settled | DecomposeEnd,
): Promise<DecomposeEnd> {
  if (!("checked" in settled)) return settled;
  const { checked, asked } = settled;
  const { host, decomposition } = making;
  const overview = isGood(checked)
    ? await overviewFor(host, decomposition, folderContents(host, decomposition, checked))
    : null;
  if (settled.kind === "yes") return { ...(await write(making, settled)), overview };
  const said = { ...NO_END, asked, overview, findings: checked.diagnostics };
  const exit = settled.kind === "interrupted" ? exitCodes.interrupted : exitCodes.incomplete;
  const isNew = asked !== null || settled.isEdited;
  if (!isNew && making.kept.length === 0)
    return { ...said, exit, problem: { message: "nothing was written", hint: null } };
  const keep = isGood(checked) ? keepGood : keepBad;
  const kept = isNew ? await keep(making, checked, asked?.conversation ?? null) : making.kept;
  const later = { kept, next: listLater(making, kept) };
  if (settled.kind !== "unasked")
    return { ...said, ...later, exit, problem: { message: "the design was not accepted", hint: null } };
  const message = "the design was not accepted: no terminal to ask";
  return {
    ...said,
    ...later,
    problem: { message, hint: "read the design, then accept it with the command below" },
  };
}

type Taken = Extract<Settled, { readonly kind: "yes" }>;

async function write(making: Making, { checked, asked, isEdited }: Taken): Promise<DecomposeEnd> {
  const { host, request, decomposition } = making;
  const { shownFolder } = decomposition;
  const keep = async () =>
    asked === null && !isEdited ? [] : await keepGood(making, checked, asked?.conversation ?? null);
  const made = await writeFolder(decomposition, folderContents(host, decomposition, checked), checked.text);
  if (!made.ok) {
    const { kind, message, hint } = made.refusal;
    const exit = kind === "request" ? exitCodes.badRequest : exitCodes.badEnvironment;
    const kept = await keep();
    const later = { kept, next: listLater(making, kept, `${shownFolder}-2`) };
    return {
      ...NO_END,
      ...later,
      exit,
      asked,
      problem: { message, hint: plainText(hint) },
      findings: checked.diagnostics,
    };
  }
  // Read the folder as a run would read it.
  const asPlan = { ...request, args: [shownFolder] };
  const loaded = await readPlan(asPlan, { runCommands: false, inspect: true });
  const told = new Set(checked.diagnostics.map(({ code }) => code));
  const news = loaded.diagnostics.filter(({ code, severity }) => severity === "error" || !told.has(code));
  printFindings({ ...loaded, diagnostics: news }, asPlan);
  const findings = [...checked.diagnostics, ...news];
  if (loaded.plan === null) {
    await takeBack(decomposition);
    const kept = await keep();
    const message = "bug in plait: the design produced an invalid plan, which was removed";
    return { ...NO_END, exit: exitCodes.incomplete, asked, kept, findings, problem: { message, hint: null } };
  }
  return {
    ...NO_END,
    ...{ exit: exitCodes.ok, folder: shownFolder, files: made.files, asked, findings },
    next: (["validate", "plan", "run"] as const).map((verb) => plait(verb, shownFolder)),
  };
}
