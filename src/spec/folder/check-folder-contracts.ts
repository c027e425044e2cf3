// All contracts of an artefact folder that can be checked, wherever they are below the folder of contracts. They are read one after
// another, and not all of somebody's disk: links to folders are not followed, and there is an end to how many files are looked at.

import { quoted } from "../../core/analyze/words.ts";
import { type Diagnostic, diagnostic } from "../../core/source.ts";
import { OUTSIDE, type PlanFiles } from "../../formats/format.ts";
import { checkContracts, isCheckable } from "../contracts/check.ts";
import type { ContractCode } from "../contracts/codes.ts";
import type { FolderCode } from "./codes.ts";

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
    else found.push(unreadable(path, read.file, read.problem));
  }
  const tell = async (path: string, message: string, hint: string) =>
    found.push(unchecked((await around.read(path)).file, message, hint));
  const [link, ...others] = links;
  if (link !== undefined) {
    const more = others.length === 0 ? "" : `, nor those in ${others.length} more`;
    const why = link === FOLDER ? OUTSIDE : "is a link to a folder";
    const message = `the contracts in ${quoted(link)}, which ${why}, are not checked${more}`;
    await tell(link, message, "put the files themselves there");
  }
  if (isCut) {
    const message = `there are more than ${MOST_FILES} contracts, and only ${MOST_FILES} of them are checked`;
    await tell(FOLDER, message, "keep there what tasks agree on, and no more");
  }
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

function unreadable(path: string, file: string, problem: string): Diagnostic {
  const start = { line: 1, col: 1 };
  return diagnostic({
    code: "contract-syntax" satisfies ContractCode,
    message: `the contract ${quoted(path)} ${problem}`,
    at: { file, start, end: start },
  });
}

function unchecked(file: string, message: string, hint: string): Diagnostic {
  const start = { line: 1, col: 1 };
  const code: FolderCode = "contract-unchecked";
  return diagnostic({ code, severity: "warning", message, at: { file, start, end: start }, hint });
}
