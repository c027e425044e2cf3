// The report beside the plan: two files, and what the manifest says of them. Everything is looked at before anything is written, and
// each file is there whole or not at all.

import { join } from "node:path";
import type { Caps } from "../../core/caps.ts";
import { withIntegration } from "../../spec/integrate/edit-manifest.ts";
import type { IntegrationReport } from "../../spec/integrate/report.ts";
import { integrationBlock, reportJson } from "../../spec/integrate/report-json.ts";
import { reportMarkdown } from "../../spec/integrate/report-markdown.ts";
import { errnoOf } from "../../util/errno.ts";
import { makeFolders } from "../folders.ts";
import { type OrRefusal, refuse } from "../host.ts";
import { replaceFile, replaceUnchanged } from "../safe-file.ts";
import { kindAt } from "../spec/place.ts";
import { type ArtefactFolder, readManifest } from "./artefact-folder.ts";

const MARKDOWN = "integration-report.md";
const JSON_FILE = "integration-report.json";

export type WriteInput = {
  readonly report: IntegrationReport;
  /** Absolute. */
  readonly into: string;
  /** Whose manifest is told of it; null: none. */
  readonly folder: ArtefactFolder | null;
  readonly caps: Caps;
};

/** Absolute paths of what was written. */
export async function writeIntegration({
  report,
  into,
  folder,
  caps,
}: WriteInput): Promise<OrRefusal<{ readonly written: readonly string[] }>> {
  const paths = [MARKDOWN, JSON_FILE].map((name) => join(into, name));
  for (const path of paths) {
    if ((await kindAt(path)) === "folder")
      return refuse("request", `${path} is a folder, and the report is to be written there`, "move it away");
  }
  try {
    await makeFolders(into);
    const told = folder === null ? null : await tellManifest(report, folder, caps);
    if (told !== null && !told.ok) return told;
    const texts = [reportMarkdown(report), `${JSON.stringify(reportJson(report), null, 2)}\n`];
    for (const [i, path] of paths.entries()) await replaceFile(path, texts[i] ?? "", 0o644);
    return { ok: true, written: [...paths, ...(folder === null ? [] : [folder.manifest.path])] };
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    return refuse(
      "environment",
      `the report cannot be written into ${into} (${code})`,
      "check its permissions, or name another place: --out <folder>",
    );
  }
}

/** Somebody may write it at the same moment, as another integration does. */
const MOST_TRIES = 3;

/** Read anew: checks may have taken long, and what was changed meanwhile stays. */
async function tellManifest(
  report: IntegrationReport,
  { place, manifest: { file, path } }: ArtefactFolder,
  caps: Caps,
): Promise<OrRefusal<object>> {
  const block = integrationBlock(report, join(place, MARKDOWN));
  for (let tries = 1; ; tries += 1) {
    const now = await readManifest({ file, path }, caps);
    if (!now.ok) return now;
    const { text, doc } = now.manifest;
    const told = await replaceUnchanged({ name: file, path }, text, withIntegration(doc, block));
    if (told.ok) return told;
    const { kind, message, hint } = told.refusal;
    if (kind !== "request") return refuse(kind, message, `${hint}, or name another place: --out <folder>`);
    if (tries === MOST_TRIES) return told;
  }
}
