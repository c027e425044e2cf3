// A person sees a design and decides: it is taken, refused, edited by hand, or changed by the architect.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { readText } from "../../../app/index.ts";
import { type CheckedDesign, checkedDesign } from "../../../app/spec/decompose/check-design.ts";
import {
  folderContents,
  type GoodDesign,
  isGood,
  overviewFor,
  writeFolder,
} from "../../../app/spec/decompose/write-folder.ts";
import { editFile } from "../../../app/user-programs.ts";
import { defaultPolicy } from "../../../config/settings.ts";
import { type PlanPreview, preview } from "../../../core/select/preview/preview.ts";
import { count } from "../../../core/text/figures.ts";
import { listContractNames } from "../../../spec/design/contract-names.ts";
import type { SpecContents } from "../../../spec/spec-contents.ts";
import { askPerson, canConfirm } from "../../confirm.ts";
import { printDiagnostics, readPlan } from "../../plan-file.ts";
import type { Line } from "../../render/line.ts";
import { graphLines, timeLine } from "../../render/plan.ts";
import { costText } from "../../render/plan-sections.ts";
import { renderOverview } from "../../render/spec-overview.ts";
import { names, type Room, section } from "../../render/table.ts";
import type { Decision, Making } from "./making.ts";

export type ReviewOptions = {
  /** Whether a sentence can be sent to an architect. */
  readonly mayCorrect: boolean;
  readonly signal?: AbortSignal;
};

export async function reviewDesign(
  making: Making,
  first: GoodDesign,
  { mayCorrect, signal }: ReviewOptions,
): Promise<Decision> {
  const { request, question } = making;
  const { options } = request;
  let checked: CheckedDesign = first;
  let isEdited = false;
  await showDesign(making, first);
  if (options.yes === true) return { kind: "yes", checked: first, isEdited };
  if (options.json === true || !canConfirm()) return { kind: "unasked", checked, isEdited };
  const sentenceFor = mayCorrect ? "the architect" : null;
  for (;;) {
    const reply = await askPerson({ text: question, sentenceFor, signal });
    if (reply.kind === "sentence") return { kind: "correct", sentence: reply.text, checked, isEdited };
    if (reply.kind === "no" || reply.kind === "interrupted") return { kind: reply.kind, checked, isEdited };
    if (reply.kind === "yes" && isGood(checked)) return { kind: "yes", checked, isEdited };
    if (reply.kind === "yes") {
      const errors = count(checked.errors.length, "error");
      request.output.warn(`the design has ${errors}: edit it again, or answer n`);
      continue;
    }
    const edited = await editDesign(making, checked);
    if (edited === null) continue;
    isEdited = true;
    checked = edited;
    if (isGood(edited)) await showDesign(making, edited);
    else printDiagnostics(edited.diagnostics, edited.sources, request, edited.file);
  }
}

/** Null where nothing was changed. */
async function editDesign({ host, request, wanted, decomposition }: Making, before: CheckedDesign) {
  const folder = await mkdtemp(join(tmpdir(), "plait-design-"));
  const path = join(folder, "design.json");
  const { output } = request;
  try {
    await writeFile(path, before.text, { mode: 0o600 });
    const problem = await editFile(host, path);
    if (problem !== null) output.warn(`${problem}; the design is unchanged`);
    const read = await readText(path, wanted.caps.maxPlanBytes);
    if (!read.ok) output.warn(`the design ${read.detail}`);
    if (problem !== null || !read.ok || read.text === before.text) return null;
    const check = { decomposition, caps: wanted.caps, isAsked: false };
    return await checkedDesign(host, { file: before.file, text: read.text }, check);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a person should have seen who takes a design: its tasks and their order, who owns what, the contracts, time and cost. */
async function showDesign(making: Making, checked: GoodDesign): Promise<void> {
  const { host, request, decomposition } = making;
  const { options, output } = request;
  const { file, diagnostics, sources } = checked;
  if (options.json !== true) {
    const { look: room } = output;
    const contents = folderContents(host, decomposition, checked);
    const overview = await overviewFor(host, decomposition, contents);
    const seen = await previewDesign(making, checked, contents);
    const contracts = await listContractNames(contents.contracts);
    const rows = contracts.map((one) => {
      const file = basename(one.path);
      return [file, names(one.names, Math.max(LEAST, room.width - file.length - LABEL), room.glyphs)];
    });
    output.result([
      ...renderOverview(overview, room),
      ...section("contract", rows, room),
      ...(seen === null ? [] : planLines(seen, room)),
      [],
    ]);
  }
  printDiagnostics(diagnostics, sources, request, file);
}

const LABEL = 11;
const LEAST = 20;

function planLines(seen: PlanPreview, room: Room): Line[] {
  return [
    ...section("time", [[timeLine(seen)]], room),
    ...section("cost", [[costText(seen)]], room),
    [],
    ...graphLines(seen, room),
  ];
}

/** As `plait plan` would see the folder, which is not written before somebody wants it. */
async function previewDesign(
  { request, decomposition }: Making,
  { text }: GoodDesign,
  contents: SpecContents,
): Promise<PlanPreview | null> {
  const top = await mkdtemp(join(tmpdir(), "plait-plan-"));
  try {
    const folder = join(top, basename(decomposition.folder));
    const made = await writeFolder({ ...decomposition, folder }, contents, text);
    if (!made.ok) return null;
    const { concurrency } = request.options;
    const options = concurrency === undefined ? {} : { concurrency };
    const { plan } = await readPlan({ ...request, args: [folder], options }, { runCommands: false });
    return plan === null ? null : preview(plan, { slots: plan.slots ?? defaultPolicy.slots });
  } finally {
    await rm(top, { recursive: true, force: true });
  }
}
