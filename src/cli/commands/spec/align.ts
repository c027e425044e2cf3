import { type AlignedFolder, alignFolder } from "../../../app/spec/align-folder.ts"; // not by the index, which brings the engine along
import { plait } from "../../../core/text/command.ts";
import type { AlignedPackage } from "../../../spec/align/settle.ts";
import { type ExitCode, exitCodes } from "../../exit-codes.ts";
import { createHost, granted } from "../../host.ts";
import type { Output } from "../../output.ts";
import { printDiagnostics, resolveCaps } from "../../plan-file.ts";
import { nextCommand } from "../../render/diagnostics.ts";
import { dim, type Line } from "../../render/line.ts";
import { NARROW, type Room } from "../../render/table.ts";
import { shown } from "../../render/visible.ts";
import { cells, cutEnd, pad } from "../../render/width.ts";
import type { RunCommand } from "../../request.ts";
import { leaveOnSignals } from "../../signals.ts";

/** `plait spec align <folder>`: pins every package of the manifest to a version that the project's tools know. */
export const align: RunCommand = async (request) => {
  const { args, options, output } = request;
  const folder = args[0] as string;
  const check = options.check ?? false;
  const stopping = new AbortController();
  let ended: ExitCode | null = null;
  const stay = leaveOnSignals((code) => {
    ended ??= code;
    stopping.abort();
  });
  const about = { folder, caps: resolveCaps(request), check, signal: stopping.signal };
  const aligned = granted(
    await alignFolder(createHost(request, plait("spec align", folder)), about).finally(stay),
  );
  if (ended !== null) return ended;

  const { alignment, diagnostics, unpinned, isWritten: written, file, text } = aligned;
  const isBad = diagnostics.some(({ severity }) => severity === "error");
  const lacksPin = check && unpinned.length > 0;
  const exit = isBad ? exitCodes.badRequest : lacksPin ? exitCodes.incomplete : exitCodes.ok;
  printDiagnostics(diagnostics, new Map([[file, text]]), request, file);
  if (options.json === true) {
    const { packages = [], notes = [] } = alignment ?? {};
    const ok = exit === exitCodes.ok;
    output.json({ v: 1, ok, exit, file, written, packages, notes, findings: diagnostics });
    return exit;
  }
  if (alignment !== null && !isBad) output.result(resultOf({ ...aligned, alignment }, output));
  if (exit === exitCodes.incomplete) output.say([nextCommand(plait("spec align", folder))]);
  return exit;
};

type Aligned = AlignedFolder & { readonly alignment: NonNullable<AlignedFolder["alignment"]> };

function resultOf({ alignment, file, unpinned, isWritten }: Aligned, { glyphs, look }: Output): Line[] {
  const { packages, notes } = alignment;
  const unchanged = unpinned.length > 0 ? `not pinned: ${unpinned.join(", ")}` : "nothing to change";
  const state = packages.length === 0 ? "no dependencies" : isWritten ? "written" : unchanged;
  return [
    ...alignTable(packages, look),
    ...notes.map((note): Line => [shown(note, glyphs)]),
    [shown(`${file}: ${state}`, glyphs)],
  ];
}

const HEAD = ["package", "asked by", "range", "pinned", "from"] as const;
/** Of one cell beside others. */
const WIDEST = 28;

/** One row a package: who wants which range of it, and what became of that. */
function alignTable(packages: readonly AlignedPackage[], { width, glyphs }: Room): Line[] {
  if (packages.length === 0) return [];
  const rows = packages.map((one) =>
    [one.name, one.askedBy.join(", "), one.range || "any", pinOf(one), fromOf(one)].map((text) =>
      cutEnd(shown(text, glyphs), WIDEST, glyphs.cut),
    ),
  );
  if (width < NARROW) return rows.map((row): Line => [[row[0], row[3], row[4]].filter(Boolean).join("  ")]);
  const widths = HEAD.map((head, i) => Math.max(cells(head), ...rows.map((row) => cells(row[i] ?? ""))) + 2);
  const line = (row: readonly string[]) =>
    row
      .map((text, i) => pad(text, widths[i] ?? 0))
      .join("")
      .trimEnd();
  return [[dim(line(HEAD))], ...rows.map((row): Line => [line(row)])];
}

function pinOf({ list, pin, from }: AlignedPackage): string {
  if (pin !== null) return pin;
  if (list === "remove") return "goes";
  return from === "written" ? "commit" : "-";
}

function fromOf({ list, from, source, installed }: AlignedPackage): string {
  const words =
    from === "written" ? "as written" : from === "lock" ? (source ?? "the project") : (source ?? "");
  return list === "upgrade" && installed !== null && from !== null
    ? `${words}, instead of ${installed}`
    : words;
}
