import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Caps } from "../../../core/caps.ts";
import { findResumeReason } from "../../../core/select/run-status.ts";
import { plait } from "../../../core/text/command.ts";
import { fix } from "../../../core/text/sentence.ts";
import { textAt } from "../../../formats/cpo/fields.ts";
import { PARALLEL } from "../../../spec/setup-files.ts";
import { runsOfFolder } from "../../cpo/go-on.ts";
import { type Host, type OrRefusal, refuse } from "../../host.ts";
import { readManifest } from "../../integrate/artifact-folder.ts";
import type { KnownRun } from "../../runs.ts";

export type FolderAsked = {
  readonly root: string;
  readonly techSpecId: string;
  /** The name of the folder, behind the id; null: any. */
  readonly name: string | null;
  readonly caps: Caps;
};

/** The artefact folder of a tech spec, absolute; null where there is none yet. */
export async function findFolder(asked: FolderAsked): Promise<OrRefusal<{ readonly folder: string | null }>> {
  const { root, techSpecId, name, caps } = asked;
  const top = join(root, PARALLEL);
  const all = await readdir(top, { withFileTypes: true }).catch(() => []); // not there: none
  const wanted = (one: string) =>
    name === null ? one.startsWith(techSpecId) : one === `${techSpecId}-${name}`;
  const named = all.filter((one) => one.isDirectory() && wanted(one.name)).map((one) => one.name);
  const found: string[] = [];
  for (const one of named.sort()) {
    const folder = join(top, one);
    const read = await readManifest({ file: join(PARALLEL, one), path: join(folder, "manifest.json") }, caps);
    const id = read.ok ? textAt(read.manifest.doc, "tech_spec_id")?.value : null;
    if (id === techSpecId) found.push(folder);
  }
  const [only = null, ...others] = found;
  if (others.length === 0) return { ok: true, folder: only };
  const names = found.map((one) => one.slice(top.length + 1));
  return refuse(
    "request",
    `${techSpecId} has ${names.length} folders: ${names.join(", ")}`,
    fix("choose one", plait("spec go", techSpecId, { name: names[0]?.slice(techSpecId.length + 1) })),
  );
}

/** Designs beside a folder that was not made, the latest first: `<folder>.design.json`, `<folder>-2.design.json`. */
export async function listKeptDesigns(folder: string): Promise<string[]> {
  const at = folder.lastIndexOf("/");
  const [top, name] = [folder.slice(0, at), folder.slice(at + 1)];
  const files = await readdir(top).catch(() => []); // not there: none
  const numbered = files.flatMap((file) => {
    const rest =
      file.startsWith(name) && file.endsWith(ENDING) ? file.slice(name.length, -ENDING.length) : null;
    const n = rest === "" ? 1 : Number(/^-(\d{1,4})$/.exec(rest ?? "")?.[1] ?? Number.NaN);
    return Number.isNaN(n) ? [] : [{ n, path: join(top, file) }];
  });
  return numbered.sort((a, b) => b.n - a.n).map(({ path }) => path);
}

const ENDING = ".design.json";

/** The latest run of the folder as it is now: runs from before it was generated are of another plan. Null where there is none. */
export async function findRunOfFolder(
  host: Host,
  folder: string,
  caps: Caps,
): Promise<OrRefusal<{ readonly known: KnownRun | null }>> {
  const found = await runsOfFolder(host, folder);
  if (!found.ok) return found;
  const path = join(folder, "manifest.json");
  const read = await readManifest({ file: path, path }, caps);
  if (!read.ok) return read;
  // A run that stopped at a red base has started nothing.
  const generated = Date.parse(textAt(read.manifest.doc, "metadata", "generated_at")?.value ?? "");
  const isOfThis = ({ state, driver }: KnownRun) =>
    driver !== null || !(state.startedAt < generated || findResumeReason(state) === "red-base");
  return { ok: true, known: found.runs.find(isOfThis) ?? null };
}
