import { languageOf } from "../../syntax/language.ts";
import { operationsOf } from "../integrate/routes/operations.ts";
import type { SpecFile } from "../spec-contents.ts";

/** What a contract agrees on, by name: the types that it declares, or the operations of an API. */
export type ContractNames = { readonly path: string; readonly names: readonly string[] };

/** Of contracts that hold; any other file has no names. */
export async function listContractNames(contracts: readonly SpecFile[]): Promise<ContractNames[]> {
  return Promise.all(contracts.map(async ({ path, text }) => ({ path, names: await readNames(path, text) })));
}

async function readNames(path: string, text: string): Promise<readonly string[]> {
  const language = languageOf(path);
  if (language === null)
    return operationsOf({ path, file: path, text }).operations.map(
      ({ method, route }) => `${method} ${route}`,
    );
  // The parser is loaded by who needs it.
  const [{ parseSource }, { declaredTypes }] = await Promise.all([
    import("../../syntax/parse.ts"),
    import("../../syntax/declared-types.ts"),
  ]);
  return declaredTypes(await parseSource(language, text)).map(({ name }) => name);
}
