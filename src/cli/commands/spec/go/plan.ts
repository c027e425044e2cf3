import { type Command, plait, withFlags } from "../../../../core/text/command.ts";
import { fix } from "../../../../core/text/sentence.ts";
// The second step: the artefact folder of the tech spec, from a design that a person has taken. A design that was kept beside is taken up
// again.

import { readFile, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { type Host, readText } from "../../../../app/index.ts";
import { checkedDesign, type DesignCheck } from "../../../../app/spec/decompose/check-design.ts";
import { prepareDecompose } from "../../../../app/spec/decompose/prepare.ts";
import { type GoodDesign, isGood } from "../../../../app/spec/decompose/write-folder.ts";
import { findFolder, listKeptDesigns } from "../../../../app/spec/go/find-folder.ts";
import { branchName, findSaveProblem } from "../../../../app/spec/go/plan-changes.ts";
import { exitCodes } from "../../../exit-codes.ts";
import { granted } from "../../../host.ts";
import { printDiagnostics } from "../../../plan-file.ts";
import type { DecomposeEnd } from "../decompose-end.ts";
import { makeDesignFolder } from "../make-design-folder.ts";
import { DEFAULT_ROUNDS, type Making } from "../making.ts";
import { settleDesign } from "../settle-design.ts";
import { buildGo, type Going, type GoodSpec, type GoStop, stopGoing } from "./going.ts";

export type GoPlan = {
  /** The artefact folder: absolute, and as people are told it. */
  readonly folder: string;
  readonly shownFolder: string;
  /** Whether a person has just said that it is to be run. */
  readonly isAgreed: boolean;
};

export async function settlePlan(going: Going, known: GoodSpec): Promise<GoPlan | GoStop> {
  const { host, request, question } = going;
  const { root, caps } = question;
  const asked = { root, techSpecId: known.spec.id, name: request.options.name ?? null, caps };
  const { folder } = granted(await findFolder(asked));
  if (folder !== null) return { folder, shownFolder: relative(host.cwd, folder) || ".", isAgreed: false };
  if (known.spec.status !== "reference") return designPlan(going, known);
  const { id } = known.spec;
  const message = `${id} is a reference without an artifact folder`;
  const hint = fix("build it again", plait("spec status", id, { set: "approved" }));
  return stopGoing(exitCodes.badRequest, { message, hint });
}

async function designPlan(going: Going, known: GoodSpec): Promise<GoPlan | GoStop> {
  const { host, request, config, question } = going;
  const { name, tech, rounds } = request.options;
  const wanted = {
    ...{ spec: known.path, prd: null, techSpecId: null, name: name ?? null, technology: tech ?? null },
    ...{ into: null, asksAgent: true, caps: question.caps, fromFile: null, rounds: rounds ?? DEFAULT_ROUNDS },
  };
  const { decomposition, diagnostics, sources } = granted(await prepareDecompose(host, wanted));
  printDiagnostics(diagnostics, sources, request, known.file);
  if (decomposition === null) return { exit: exitCodes.badRequest, problem: null, next: [] };
  const { folder, shownFolder, repository } = decomposition;
  if (repository === null) throw new Error("the agent needs a repository to read");
  const problem = await findSaveProblem(repository, { folder, known });
  const go = buildGo(going, known);
  if (problem !== null) {
    const hint = "resolve this, then continue with the command below";
    return stopGoing(exitCodes.badRequest, { message: `cannot commit the plan: ${problem}`, hint }, go);
  }
  const check = { decomposition, caps: question.caps, isAsked: false };
  const given = await findKept(host, folder, check);
  const settling: Making = {
    ...{ host, request, wanted, decomposition, config },
    kept: given === null ? [] : [given.file],
    question: `Write ${shownFolder}, commit it and ${known.file} to ${branchName(repository)}, run it and land it?`,
    buildLater: () => go,
  };
  const end = await makeDesignFolder(settling, await settleDesign(settling, given));
  const { exit, kept, asked } = end;
  if (exit !== exitCodes.ok)
    return { exit, problem: end.problem, kept, asked, next: listNext(going, known, end) };
  await removeTaken(folder);
  return { folder, shownFolder, isAgreed: true };
}

/** A question that nobody could answer is skipped the next time. */
function listNext(going: Going, known: GoodSpec, { exit, kept }: DecomposeEnd): Command[] {
  if (kept.length === 0) return [];
  return [withFlags(buildGo(going, known), { yes: exit === exitCodes.badRequest })];
}

/** The latest design that was kept and holds; one that does not is asked for again. */
async function findKept(host: Host, folder: string, check: DesignCheck): Promise<GoodDesign | null> {
  for (const path of await listKeptDesigns(folder)) {
    const read = await readText(path, check.caps.maxPlanBytes);
    if (!read.ok) continue;
    const checked = await checkedDesign(host, { file: relative(host.cwd, path), text: read.text }, check);
    if (isGood(checked)) return checked;
  }
  return null;
}

/** A design that was kept is in the folder now, and its errors are fixed. Others stay: they were paid for. */
async function removeTaken(folder: string): Promise<void> {
  const taken = (await readFile(join(folder, "design.json"), "utf8")).trim();
  for (const path of await listKeptDesigns(folder)) {
    const text = await readFile(path, "utf8").catch(() => null); // gone meanwhile
    if (text?.trim() !== taken) continue;
    await rm(path, { force: true });
    await rm(path.replace(/\.design\.json$/, ".errors.txt"), { force: true });
  }
}
