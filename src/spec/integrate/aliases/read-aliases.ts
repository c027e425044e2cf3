// Which names of modules mean files of the project itself, by what its compilers and package managers are told.

import { posix } from "node:path";
import { isImplementation, type SourceProject } from "../project.ts";
import { type Alias, inOrder } from "./alias.ts";
import { compilerAliases, folderOf } from "./compiler.ts";
import { type Fields, fieldsIn, fieldsOf, textsIn } from "./json.ts";
import { packageAliases } from "./packages.ts";

const SETTINGS = /(?:^|\/)(?:(?:ts|js)config(?:\.[\w.-]+)?\.json|package\.json|deno\.jsonc?)$/;

/** Whether a file may say what names mean. */
export function saysNames(path: string): boolean {
  return SETTINGS.test(path) && isImplementation(path);
}

export async function readAliases({ paths, read }: SourceProject): Promise<readonly Alias[]> {
  const settings = new Map<string, Fields>();
  for (const path of paths.filter(saysNames)) {
    const text = await read(path);
    const fields = text === null ? null : fieldsIn(text);
    if (fields !== null) settings.set(path, fields);
  }
  return inOrder([...settings].flatMap(([path, said]) => aliasesIn(path, said, settings)));
}

function aliasesIn(path: string, said: Fields, settings: ReadonlyMap<string, Fields>): Alias[] {
  const name = posix.basename(path);
  if (name === "package.json") return packageAliases(path, said);
  return name.startsWith("deno") ? denoAliases(path, said) : compilerAliases(path, settings);
}

/** `"@/": "./src/"` is for all that begins so. */
function denoAliases(path: string, said: Fields): Alias[] {
  const below = folderOf(path);
  return [...(fieldsOf(said.get("imports")) ?? [])].map(([name, target]) => {
    const end = name.endsWith("/") ? "*" : "";
    const targets = textsIn(target).filter((one) => one.startsWith("."));
    const paths = targets.map((one) => posix.join(below, one) + end);
    return { below, pattern: name + end, targets: paths, isPackage: false };
  });
}
