import { join } from "node:path";
import { quoted } from "../../core/analyze/words.ts";
import { type Diagnostic, diagnostic } from "../../core/source.ts";
import type { PlanFiles } from "../../formats/format.ts";
import { type ContractFile, isCheckable } from "../contracts/check.ts";
import type { ContractCode } from "../contracts/codes.ts";

type ReadContracts = { readonly files: readonly ContractFile[]; readonly diagnostics: readonly Diagnostic[] };

/** Nobody has contracts further down. */
const DEEPEST = 5;

/** All contracts that can be checked, wherever they are below the folder of contracts. */
export async function readContracts(
  around: PlanFiles,
  folder = "contracts",
  depth = 1,
): Promise<ReadContracts> {
  const files: ContractFile[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const name of (await around.names(folder)).filter(
    (one) => !/^(?:\.|__pycache__$|node_modules$)/.test(one),
  )) {
    const path = `${folder}/${name}`;
    if (depth < DEEPEST && (await around.isFolder(join(around.folder, path)))) {
      const below = await readContracts(around, path, depth + 1);
      files.push(...below.files);
      diagnostics.push(...below.diagnostics);
    } else if (isCheckable(name)) {
      const read = await around.read(path);
      if (read.ok) files.push({ path, file: read.file, text: read.text });
      else diagnostics.push(unreadable(path, read.file, read.problem));
    }
  }
  return { files, diagnostics };
}

function unreadable(path: string, file: string, problem: string): Diagnostic {
  const start = { line: 1, col: 1 };
  return diagnostic({
    code: "contract-syntax" satisfies ContractCode,
    message: `the contract ${quoted(path)} ${problem}`,
    at: { file, start, end: start },
  });
}
