import { fix } from "../../core/text/sentence.ts";
// The artifact folder to check: the named one, or the only one.

import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { Caps } from "../../core/caps.ts";
import { formatCommand, plait } from "../../core/text/command.ts";
import { readManifestSources } from "../../formats/cpo/coverage.ts";
import { type Doc, textAt } from "../../formats/cpo/fields.ts";
import { parseManifest } from "../../formats/cpo/manifest.ts";
import { findSpecFile } from "../../spec/folder/find-spec-file.ts";
import { PARALLEL } from "../../spec/setup-files.ts";
import { type Host, type OrRefusal, refuse } from "../host.ts";
import { planFiles } from "../plan-files.ts";
import { readText } from "../read-text.ts";
import { specRoot } from "../spec/place.ts";

const MANIFEST = "manifest.json";

/** Relative to the current folder. */
export async function findArtifactFolder(
  host: Host,
  typed: string | null,
): Promise<OrRefusal<{ readonly named: string }>> {
  if (typed !== null) return namedFolder(host, typed);
  const listed = await listArtifactFolders(host);
  if (!listed.ok) return listed;
  const { found, top } = listed;
  const [only, ...others] = found;
  if (only === undefined) {
    const message = `no artifact folder below ${relative(host.cwd, top) || PARALLEL}`;
    const file = plait("integrate", "plan.yaml");
    const hint = fix("pass a folder: --parallel-dir <folder>, or check a plan file", file);
    return refuse("request", message, hint);
  }
  if (others.length === 0) return { ok: true, named: only };
  const hint = fix("choose one", plait("spec integrate", [], { "parallel-dir": only }));
  return refuse("request", `${found.length} artifact folders found: ${found.join(", ")}`, hint);
}

/** The current folder, or all below parallel/, relative to the current folder. */
export async function listArtifactFolders(
  host: Host,
): Promise<OrRefusal<{ readonly found: readonly string[]; readonly top: string }>> {
  const place = await specRoot(host);
  if (!place.ok) return place;
  const top = join(place.root, PARALLEL);
  if (await isFile(join(host.cwd, MANIFEST))) return { ok: true, found: ["."], top };
  const names = (await readdir(top).catch((): string[] => [])).filter((name) => !name.startsWith(".")).sort(); // not there: none
  const isOne = await Promise.all(names.map((name) => isFile(join(top, name, MANIFEST))));
  return {
    ok: true,
    found: names.filter((_, i) => isOne[i]).map((name) => relative(host.cwd, join(top, name))),
    top,
  };
}

async function namedFolder({ cwd }: Host, typed: string): Promise<OrRefusal<{ readonly named: string }>> {
  const named = basename(typed) === MANIFEST ? dirname(typed) : typed;
  if (await isFile(resolve(cwd, named, MANIFEST))) return { ok: true, named };
  const found = await stat(resolve(cwd, named)).catch(() => null); // not there, or not for us to see
  const what =
    found === null
      ? "does not exist"
      : found.isDirectory()
        ? `has no ${MANIFEST}`
        : "is a file, not an artifact folder";
  return refuse("request", `${named} ${what}`, `pass the folder that contains ${MANIFEST}`);
}

export async function isArtifactFolder({ cwd }: Host, typed: string): Promise<boolean> {
  return basename(typed) === MANIFEST || isFile(resolve(cwd, typed, MANIFEST));
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null); // not there, or not for us to see
  return found?.isFile() ?? false;
}

export type ArtifactFolder = {
  /** Absolute, links followed. */
  readonly path: string;
  /** From the root of the repository, with slashes. */
  readonly place: string;
  readonly manifest: Manifest;
};

export type Manifest = {
  /** As it is called in messages. */
  readonly file: string;
  readonly path: string;
  readonly text: string;
  readonly doc: Doc;
};

export async function openArtifactFolder(
  { cwd }: Host,
  { named, root, caps }: { readonly named: string; readonly root: string; readonly caps: Caps },
): Promise<OrRefusal<{ readonly folder: ArtifactFolder }>> {
  const path = await realpath(resolve(cwd, named)).catch(() => resolve(cwd, named)); // gone: reading reports it
  const manifest = await readManifest({ file: join(named, MANIFEST), path: join(path, MANIFEST) }, caps);
  if (!manifest.ok) return manifest;
  const place = relative(root, path).split(sep).join("/");
  if (place.startsWith(".."))
    return refuse("request", `${named} is outside the repository ${root}`, "pass a folder in the repository");
  return { ok: true, folder: { path, place, manifest: manifest.manifest } };
}

export async function readManifest(
  { file, path }: Pick<Manifest, "file" | "path">,
  caps: Caps,
): Promise<OrRefusal<{ readonly manifest: Manifest }>> {
  const read = await readText(path, caps.maxPlanBytes);
  if (!read.ok)
    return refuse("request", `${file} ${read.detail}`, `pass the folder that contains ${MANIFEST}`);
  const { text } = read;
  const { doc } = parseManifest({ file, text }, caps);
  if (doc !== null) return { ok: true, manifest: { file, path, text, doc } };
  const hint = `see its errors: ${formatCommand(plait("validate", dirname(file)))}`;
  return refuse("request", `${file} is not valid`, hint);
}

export type SpecSources = {
  readonly prd: string | null;
  readonly techSpecId: string | null;
  /** From the root of the repository; null where it is not found. */
  readonly techSpec: string | null;
};

/** The documents that the folder was made from. */
export async function readSpecSources(
  { path, place, manifest: { doc } }: ArtifactFolder,
  caps: Caps,
): Promise<SpecSources> {
  const techSpecId = (textAt(doc, "tech_spec_id") ?? textAt(doc, "tech_spec", "id"))?.value ?? null;
  const sources = readManifestSources(doc);
  const around = planFiles({ named: place, folder: path, cwd: path, home: null, caps });
  const found = await findSpecFile({ sources, techSpecId }, around);
  return { prd: sources.prd, techSpecId, techSpec: found?.path ?? null };
}
