import { moduleResolver } from "../../src/spec/integrate/modules.ts";
import { checkTypes } from "../../src/spec/integrate/types/check-types.ts";
import { scriptTypes } from "../../src/spec/integrate/types/script.ts";
import { importsOf } from "../../src/syntax/imports.ts";
import { languageOf } from "../../src/syntax/language.ts";
import { readSource } from "../../src/syntax/read-source.ts";

/** Files by their paths. */
export type Texts = Readonly<Record<string, string>>;
const CONTRACT = "parallel/x/contracts/types.ts";

async function read(path: string, text: string) {
  const { tree, errors } = await readSource(languageOf(path) ?? "typescript", text);
  try {
    if (errors.length > 0) throw new Error(`${path}: ${JSON.stringify(errors)}`);
    return { path, types: scriptTypes(tree), imports: importsOf(tree) };
  } finally {
    tree.free();
  }
}

/** What is found, one line each; nothing where all is as the contract says. */
export async function checked(contract: string, files: Texts): Promise<string[]> {
  const all = Object.entries(files).filter(([path]) => languageOf(path) !== null);
  const modules = new Map<string, Awaited<ReturnType<typeof read>>>();
  for (const [path, text] of all) modules.set(path, await read(path, text));
  const resolve = moduleResolver([...modules.keys(), CONTRACT]);
  const verdicts = checkTypes({ contracts: [await read(CONTRACT, contract)], modules, resolve, unread: [] });
  return verdicts.flatMap(({ findings }) =>
    findings.map(({ about, weight, code, at, message }) => {
      const place = at === null ? "" : ` ${at.file}:${at.line}`;
      return `${about} ${weight} ${code}${place} ${message}`;
    }),
  );
}
