import type { Diagnostic } from "../../core/source.ts";
import { languageOf } from "../../syntax/language.ts";
import { checkApi } from "./api.ts";
import { fenceAround } from "./fence.ts";

/** The path decides what a contract is; `file` is how findings name it. */
export type ContractFile = { readonly path: string; readonly file: string; readonly text: string };

export function isCheckable(path: string): boolean {
  return languageOf(path) !== null || isData(path);
}

/** Whatever is wrong with contracts, each in its own words: source files by their syntax, API documents by the rules of OpenAPI 3. */
export async function checkContracts(files: readonly ContractFile[]): Promise<Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const contract of files) found.push(...[...(await checkContract(contract))].sort(byPlace));
  return found;
}

function byPlace({ at: a }: Diagnostic, { at: b }: Diagnostic): number {
  if (a === null || b === null) return 0; // what is found in a text has a place
  return a.start.line - b.start.line || a.start.col - b.start.col;
}

async function checkContract(contract: ContractFile): Promise<readonly Diagnostic[]> {
  const language = languageOf(contract.path);
  const fence = isCheckable(contract.path) ? fenceAround(contract) : null;
  if (fence !== null) return [fence];
  if (language === null) return isData(contract.path) ? checkApi(contract) : [];
  const { checkTypes } = await import("./types-file.ts"); // the parser is loaded by who needs it
  return checkTypes(contract, language);
}

function isData(path: string): boolean {
  return /\.(?:ya?ml|json)$/i.test(path);
}
