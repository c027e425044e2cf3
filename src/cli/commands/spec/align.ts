import { alignFolder } from "../../../app/spec/align-folder.ts"; // not by the index, which brings the engine along
import { defaultCaps } from "../../../config/caps.ts";
import { type ExitCode, exitCodes } from "../../exit-codes.ts";
import { granted, hostOf } from "../../host.ts";
import { alignTable } from "../../render/align.ts";
import { nextCommand, renderDiagnostics, summary } from "../../render/diagnostics.ts";
import { shown } from "../../render/visible.ts";
import type { Request, RunCommand } from "../../request.ts";
import { leaveOnSignals } from "../../signals.ts";

/** `plait spec align <folder>`: every package of its manifest at one version, as far as the project's tools know one. */
export const align: RunCommand = async (request) => {
  const { args, options, env, output } = request;
  const folder = args[0] as string;
  const check = options.check ?? false;
  const stopping = new AbortController();
  let ended: ExitCode | null = null;
  const stay = leaveOnSignals((code) => {
    ended ??= code;
    stopping.abort();
  });
  const caps = { ...defaultCaps, ...env.caps };
  const about = { folder, caps, check, signal: stopping.signal };
  const aligned = granted(
    await alignFolder(hostOf(request, `plait spec align ${folder}`), about).finally(stay),
  );
  if (ended !== null) return ended;

  const { alignment, diagnostics, unpinned, isWritten, file } = aligned;
  const isBad = diagnostics.some(({ severity }) => severity === "error");
  const exit = isBad
    ? exitCodes.badRequest
    : check && unpinned.length > 0
      ? exitCodes.incomplete
      : exitCodes.ok;
  if (options.json === true) {
    const { packages = [], notes = [] } = alignment ?? {};
    output.json({
      v: 1,
      ok: exit === exitCodes.ok,
      exit,
      file,
      written: isWritten,
      packages,
      notes,
      findings: diagnostics,
    });
    return exit;
  }
  tell(request, aligned);
  if (exit === exitCodes.incomplete) output.say([nextCommand(`plait spec align ${folder}`)]);
  return exit;
};

function tell({ output }: Request, { alignment, diagnostics, ...about }: Aligned): void {
  const { file, text, unpinned, isWritten } = about;
  const { glyphs } = output;
  if (diagnostics.length > 0) {
    const view = { sources: new Map([[file, text]]), glyphs, width: output.sayWidth };
    const failed = diagnostics.find(({ severity }) => severity === "error");
    output.say([
      ...renderDiagnostics(diagnostics, view),
      summary(diagnostics, file, glyphs),
      ...(failed === undefined ? [] : [nextCommand(`plait explain ${failed.code}`)]),
    ]);
  }
  if (alignment === null || diagnostics.some(({ severity }) => severity === "error")) return;
  const { packages, notes } = alignment;
  const rows = alignTable(packages, { width: output.resultWidth, glyphs });
  const state =
    packages.length === 0
      ? "no dependencies"
      : isWritten
        ? "written"
        : unpinned.length > 0
          ? `not pinned: ${unpinned.join(", ")}`
          : "nothing to change";
  output.result([
    ...rows,
    ...notes.map((note) => [shown(note, glyphs)]),
    [shown(`${file}: ${state}`, glyphs)],
  ]);
}

type Aligned = Extract<Awaited<ReturnType<typeof alignFolder>>, { ok: true }>;
