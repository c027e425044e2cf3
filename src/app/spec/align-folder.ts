// The dependencies of an artefact folder as pins: its manifest.json is read, aligned with the project around it, and written again
// with nothing changed but their lists.

import { basename, dirname, join, resolve } from "node:path";
import { startOf } from "../../core/analyze/findings.ts";
import type { Caps } from "../../core/caps.ts";
import type { Diagnostic } from "../../core/source.ts";
import { buildFormatFinding } from "../../formats/catalog.ts";
import { type Doc, textAt } from "../../formats/cpo/fields.ts";
import { parseManifest } from "../../formats/cpo/manifest.ts";
import { isPinned, parsePackageSpec } from "../../formats/packages/spec.ts";
import type { Alignment } from "../../spec/align/align.ts";
import { withDependencies } from "../../spec/align/edit.ts";
import { type Wish, wishesOfManifest } from "../../spec/align/wish.ts";
import type { Host, OrRefusal } from "../host.ts";
import { planFiles } from "../plan-files.ts";
import { readText } from "../read-text.ts";
import { replaceUnchanged } from "../safe-file.ts";
import { alignInProject } from "./align-project.ts";

export type AlignFolder = {
  /** As typed: the folder, or the manifest in it. */
  readonly folder: string;
  readonly caps: Caps;
  /** Only look. */
  readonly check: boolean;
  readonly signal?: AbortSignal;
};

export type AlignedFolder = {
  /** The manifest, as findings name it. */
  readonly file: string;
  readonly text: string;
  /** Null where the manifest cannot be used. */
  readonly alignment: Alignment | null;
  readonly diagnostics: readonly Diagnostic[];
  /** What the manifest wanted without a pin, before. */
  readonly unpinned: readonly string[];
  readonly isWritten: boolean;
};

const MANIFEST = "manifest.json";

export async function alignFolder(
  { cwd, env }: Pick<Host, "cwd" | "env">,
  { folder: typed, caps, check, signal }: AlignFolder,
): Promise<OrRefusal<AlignedFolder>> {
  const file = basename(typed) === MANIFEST ? typed : join(typed, MANIFEST);
  const path = resolve(cwd, file);
  const read = await readManifest(file, path, caps);
  const { doc, diagnostics, text } = read;
  const none = { file, text, alignment: null, diagnostics, unpinned: [], isWritten: false };
  if (doc === null) return { ok: true, ...none };

  const wishes = wishesOfManifest(doc);
  const root = await rootAround(dirname(path), caps);
  const python = textAt(doc, "python_version")?.value ?? null;
  const alignment = await alignInProject(wishes, { env, root, python, ...(signal && { signal }) });
  const found = { ...none, alignment, diagnostics: alignment.diagnostics, unpinned: unpinnedOf(wishes) };
  const edited = withDependencies(doc, alignment.dependencies);
  const mayWrite = !check && !alignment.diagnostics.some(isError) && signal?.aborted !== true;
  if (!mayWrite || edited === text) return { ok: true, ...found };
  const written = await replaceUnchanged({ name: file, path }, text, edited);
  return written.ok ? { ok: true, ...found, isWritten: true } : written;
}

type ReadManifest = {
  readonly doc: Doc | null;
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
};

/** A manifest with errors is not written again: nobody knows what it means. */
async function readManifest(file: string, path: string, caps: Caps): Promise<ReadManifest> {
  const read = await readText(path, caps.maxPlanBytes);
  if (!read.ok) {
    const missing = buildFormatFinding("manifest-missing", { problem: read.detail }, startOf(file));
    return { doc: null, text: "", diagnostics: [missing] };
  }
  const { text } = read;
  const { doc, diagnostics } = parseManifest({ file, text }, caps);
  const errors = diagnostics.filter(isError);
  return { doc: errors.length === 0 ? doc : null, text, diagnostics: errors };
}

const isError = ({ severity }: Diagnostic): boolean => severity === "error";

/** Where its packages are installed: the repository, or the folder above the artefact folders. */
async function rootAround(folder: string, caps: Caps): Promise<string> {
  const { repositoryAt } = planFiles({ named: folder, folder, cwd: folder, home: null, caps });
  return (await repositoryAt(folder)) ?? resolve(folder, "../..");
}

function unpinnedOf(wishes: readonly Wish[]): string[] {
  return wishes.flatMap(({ list, spec, ecosystem }) => {
    const parsed = parsePackageSpec(spec.value, ecosystem);
    const isOpen = list !== "remove" && parsed.ok && !isPinned(parsed.spec.source, ecosystem);
    return isOpen ? [spec.value] : [];
  });
}
