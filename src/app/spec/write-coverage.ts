// coverage.md of an artifact folder, written again from its manifest, its task files and the documents behind them.

import { join } from "node:path";
import type { Diagnostic } from "../../core/source.ts";
import { plait } from "../../core/text/command.ts";
import { fix } from "../../core/text/sentence.ts";
import { readTasks } from "../../formats/cpo/folder.ts";
import type { CoverageRow } from "../../spec/coverage/coverage-table.ts";
import { COVERAGE_FILE, formatCoverage, tabulateCoverage } from "../../spec/coverage/coverage-text.ts";
import { checkFolderCoverage } from "../../spec/folder/check-coverage.ts";
import { readFolderCoverage } from "../../spec/folder/folder-coverage.ts";
import { errnoOrThrow } from "../../util/errno.ts";
import { type OrRefusal, refuse } from "../host.ts";
import { replaceFile } from "../safe-file.ts";
import { type FolderPlace, openFolder } from "./open-folder.ts";

export type WrittenCoverage = {
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, string>;
  /** Null: nothing was written, for what the diagnostics say. */
  readonly rows: readonly CoverageRow[] | null;
  /** False: it was right already. */
  readonly isNew: boolean;
};

/** `named` is the folder as typed. */
export async function writeCoverage(named: string, place: FolderPlace): Promise<OrRefusal<WrittenCoverage>> {
  const { at, files: around, input, diagnostics: unopened } = await openFolder(named, place);
  const nothing = (diagnostics: readonly Diagnostic[]): OrRefusal<WrittenCoverage> => ({
    ...{ ok: true, diagnostics, sources: around.texts(), rows: null, isNew: false },
  });
  if (input === null) return nothing(unopened);
  const read = await readTasks(input, place.caps, around);
  if (read.manifest === null) return nothing(read.diagnostics);
  const { manifest, planned } = read;
  const { tasks } = planned;
  const coverage = await readFolderCoverage({ manifest, tasks }, around);
  if (coverage !== null && !("set" in coverage)) {
    const hint = "fix its path under metadata in manifest.json";
    return refuse("request", `the document ${coverage.path} ${coverage.problem}`, hint);
  }
  if (coverage === null || coverage.contents.requirements.length === 0) return noRequirements(named);
  const text = formatCoverage(coverage.contents);
  const before = await around.read(COVERAGE_FILE);
  const isNew = !before.ok || before.text !== text;
  try {
    if (isNew) await replaceFile(join(at, COVERAGE_FILE), text, 0o644);
  } catch (error) {
    const code = errnoOrThrow(error);
    const file = join(named, COVERAGE_FILE);
    return refuse("environment", `cannot write ${file} (${code})`, `check permissions: ls -l ${named}`);
  }
  const found = await checkFolderCoverage({ manifest, tasks }, around);
  const sources = around.texts();
  return { ok: true, diagnostics: found, sources, rows: tabulateCoverage(coverage.contents), isNew };
}

function noRequirements(named: string) {
  return refuse(
    "request",
    `no requirements in the documents of ${named}`,
    fix(
      "name them in manifest.json and give requirements ids, as explained by",
      plait("explain", "requirement-uncovered"),
    ),
  );
}
