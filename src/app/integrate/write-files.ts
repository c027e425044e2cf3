// Writes the report beside the plan: two files, and a key of the manifest. Each file is written whole or not at all.

import { join } from "node:path";
import type { Caps } from "../../core/caps.ts";
import { sentence } from "../../core/text/sentence.ts";
import type { IntegrationReport } from "../../spec/integrate/report.ts";
import { buildIntegrationBlock, buildReportJson, withIntegration } from "../../spec/integrate/report-json.ts";
import { renderReport } from "../../spec/integrate/report-markdown.ts";
import { errnoOrThrow } from "../../util/errno.ts";
import { makeFolders } from "../folders.ts";
import { type OrRefusal, refuse } from "../host.ts";
import { replaceFile, replaceUnchanged } from "../safe-file.ts";
import { kindAt } from "../spec/place.ts";
import { type ArtifactFolder, readManifest } from "./artifact-folder.ts";

const MARKDOWN = "integration-report.md";
const JSON_FILE = "integration-report.json";

export type WriteInput = {
  readonly report: IntegrationReport;
  /** Absolute. */
  readonly into: string;
  /** Its manifest gets the result; null: none. */
  readonly folder: ArtifactFolder | null;
  readonly caps: Caps;
};

/** Absolute paths of what was written. */
export async function writeIntegration(
  input: WriteInput,
): Promise<OrRefusal<{ readonly written: readonly string[] }>> {
  const { report, into, folder, caps } = input;
  const paths = [MARKDOWN, JSON_FILE].map((name) => join(into, name));
  for (const path of paths) {
    if ((await kindAt(path)) === "folder")
      return refuse("request", `${path} is a folder`, "write the report elsewhere: --out <folder>");
  }
  try {
    await makeFolders(into);
    const updated = folder === null ? null : await updateManifest(report, folder, caps);
    if (updated !== null && !updated.ok) return updated;
    const texts = [renderReport(report), `${JSON.stringify(buildReportJson(report), null, 2)}\n`];
    for (const [i, path] of paths.entries()) await replaceFile(path, texts[i] ?? "", 0o644);
    return { ok: true, written: [...paths, ...(folder === null ? [] : [folder.manifest.path])] };
  } catch (error) {
    const code = errnoOrThrow(error);
    const hint = "check its permissions, or choose another folder: --out <folder>";
    return refuse("environment", `cannot write the report to ${into} (${code})`, hint);
  }
}

/** Another process may write it at the same time. */
const MOST_WRITES = 3;

/** Read again: it may have changed during the checks. */
async function updateManifest(
  report: IntegrationReport,
  { place, manifest: { file, path } }: ArtifactFolder,
  caps: Caps,
): Promise<OrRefusal<object>> {
  const block = buildIntegrationBlock(report, join(place, MARKDOWN));
  for (let writes = 1; ; writes += 1) {
    const now = await readManifest({ file, path }, caps);
    if (!now.ok) return now;
    const { text, doc } = now.manifest;
    const told = await replaceUnchanged({ name: file, path }, text, withIntegration(doc, block));
    if (told.ok) return told;
    const { kind, message, hint } = told.refusal;
    if (kind !== "request")
      return refuse(kind, message, sentence`${hint}, or choose another folder: --out <folder>`);
    if (writes === MOST_WRITES) return told;
  }
}
