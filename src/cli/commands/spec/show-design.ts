import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import {
  folderContents,
  type GoodDesign,
  overviewFor,
  writeFolder,
} from "../../../app/spec/decompose/write-folder.ts";
import { defaultPolicy } from "../../../config/settings.ts";
import { type PlanPreview, preview } from "../../../core/select/preview/preview.ts";
import { listContractNames } from "../../../spec/design/contract-names.ts";
import type { SpecContents } from "../../../spec/spec-contents.ts";
import { printDiagnostics, readPlan } from "../../plan-file.ts";
import type { Line } from "../../render/line.ts";
import { graphLines, timeLine } from "../../render/plan.ts";
import { costText } from "../../render/plan-sections.ts";
import { renderOverview } from "../../render/spec-overview.ts";
import { names, type Room, section } from "../../render/table.ts";
import type { Making } from "./making.ts";

/** What a person should have seen who takes a design: its tasks and their order, who owns what, the contracts, time and cost. */
export async function showDesign(making: Making, checked: GoodDesign): Promise<void> {
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
  printDiagnostics(diagnostics, sources, { request, file });
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
