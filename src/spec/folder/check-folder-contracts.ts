// All contracts of an artefact folder that can be checked, wherever they are below the folder of contracts. They are read one after
// another, and not all of somebody's disk: links to folders are not followed, and there is an end to how many files are looked at.

import { startOf } from "../../core/analyze/findings.ts";
import type { CodeParams } from "../../core/catalog.ts";
import type { Diagnostic } from "../../core/source.ts";
import { OUTSIDE, type PlanFiles } from "../../formats/format.ts";
import { buildContractFinding } from "../contracts/catalog.ts";
import { checkContracts, isCheckable } from "../contracts/check.ts";
import { buildFolderFinding, type folderCatalog } from "./catalog.ts";

const FOLDER = "contracts";
/** Nobody has contracts further down. */
const DEEPEST = 5;
const MOST_FILES = 200;

export async function checkFolderContracts(around: PlanFiles): Promise<Diagnostic[]> {
  const { files, links, isCut } = await findContractFiles(around);
  const found: Diagnostic[] = [];
  for (const path of files) {
    const read = await around.read(path);
    if (read.ok) found.push(...(await checkContracts([{ path, file: read.file, text: read.text }])));
    else {
      const params = { kind: "unreadable", path, problem: read.problem } as const;
      found.push(buildContractFinding("contract-syntax", params, startOf(read.file)));
    }
  }
  const report = async (path: string, params: CodeParams<typeof folderCatalog, "contract-unchecked">) =>
    found.push(buildFolderFinding("contract-unchecked", params, startOf((await around.read(path)).file)));
  const [link, ...others] = links;
  if (link !== undefined) {
    const reason = link === FOLDER ? OUTSIDE : "is a link to a folder";
    await report(link, { kind: "link", path: link, reason, more: others.length });
  }
  if (isCut) await report(FOLDER, { kind: "many", most: MOST_FILES });
  return found;
}

type Found = { readonly files: string[]; readonly links: string[]; isCut: boolean };

/** Paths from the folder of the manifest. */
export async function findContractFiles(around: PlanFiles): Promise<Found> {
  const found: Found = { files: [], links: [], isCut: false };
  if ((await around.lookAt(FOLDER))?.isOutside) found.links.push(FOLDER);
  else await collect(FOLDER, { around, found, depth: 1 });
  return found;
}

type Here = { readonly around: PlanFiles; readonly found: Found; readonly depth: number };

async function collect(folder: string, { around, found, depth }: Here): Promise<void> {
  for (const name of await around.names(folder)) {
    if (found.isCut) return;
    if (/^(?:\.|__pycache__$|node_modules$)/.test(name)) continue;
    const path = `${folder}/${name}`;
    const kind = await around.lookAt(path);
    if (kind?.isFolder && kind.isLink) found.links.push(path);
    else if (kind?.isFolder) {
      if (depth < DEEPEST) await collect(path, { around, found, depth: depth + 1 });
    } else if (isCheckable(name)) {
      if (found.files.length < MOST_FILES) found.files.push(path);
      else found.isCut = true;
    }
  }
}
