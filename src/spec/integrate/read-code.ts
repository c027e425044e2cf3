// The code of a project, read once: each file is parsed, asked for all that anybody wants to know of it, and its tree is freed. What
// stays are plain values, so that a project of any size fits.

import { type Import, importsOf } from "../../syntax/imports.ts";
import { type Language, languageOf } from "../../syntax/language.ts";
import type { SyntaxTree } from "../../syntax/tree.ts";
import { lineFinder } from "../../util/lines.ts";
import type { UnreadFile } from "./finding.ts";
import { isImplementation, type SourceProject } from "./project.ts";
import { reasons } from "./reasons.ts";
import { type PythonRouteFacts, pythonRouteFacts } from "./routes/python.ts";
import { type ScriptRouteFacts, scriptRouteFacts } from "./routes/script.ts";
import { pythonTypes } from "./types/python.ts";
import { scriptTypes } from "./types/script.ts";
import type { ModuleTypes } from "./types/shape.ts";

/** Languages that import each other. */
export type CodeFamily = "python" | "script";

export type ReadModule<Facts> = {
  readonly types: ModuleTypes;
  readonly facts: Facts;
  readonly imports: readonly Import[];
};

export type ReadFamily<Facts> = {
  readonly modules: ReadonlyMap<string, ReadModule<Facts>>;
  readonly unread: readonly UnreadFile[];
};

export type ReadCode = {
  readonly python: ReadFamily<PythonRouteFacts>;
  readonly script: ReadFamily<ScriptRouteFacts>;
};

/** Only what somebody asks for is read. */
export async function readCode(
  project: SourceProject,
  wanted: ReadonlySet<CodeFamily>,
  signal?: AbortSignal,
): Promise<ReadCode> {
  const python = family((tree) => ({ types: pythonTypes(tree), facts: pythonRouteFacts(tree) }));
  const script = family((tree) => ({ types: scriptTypes(tree), facts: scriptRouteFacts(tree) }));
  for (const path of project.paths) {
    const language = languageOf(path);
    const of = language === null ? null : familyOf(language);
    if (language === null || of === null || !wanted.has(of) || !isImplementation(path)) continue;
    if (signal?.aborted) break;
    await (of === "python" ? python : script).read(path, language, await project.read(path));
  }
  return { python: python.found, script: script.found };
}

export function familyOf(language: Language): CodeFamily | null {
  return language === "python" ? "python" : language === "go" ? null : "script";
}

function family<Facts>(look: (tree: SyntaxTree) => Omit<ReadModule<Facts>, "imports">) {
  const modules = new Map<string, ReadModule<Facts>>();
  const unread: UnreadFile[] = [];
  return {
    found: { modules, unread },
    read: async (path: string, language: Language, text: string | null): Promise<void> => {
      const read = text === null ? { why: reasons.notText } : await parsed(language, text, look);
      if ("why" in read) unread.push({ path, why: read.why });
      else modules.set(path, read);
    },
  };
}

/** A file that is wrong somewhere says nothing: what stands below the mistake may be read as something else. */
async function parsed<Facts>(
  language: Language,
  text: string,
  look: (tree: SyntaxTree) => Omit<ReadModule<Facts>, "imports">,
): Promise<ReadModule<Facts> | { readonly why: string }> {
  const { readSource } = await import("../../syntax/read-source.ts"); // the parser is loaded by who needs it
  const { tree, errors } = await readSource(language, text);
  try {
    const [first] = errors;
    if (first !== undefined) return { why: `${first.message} (line ${lineFinder(text)(first.start)})` };
    return { ...look(tree), imports: importsOf(tree) };
  } finally {
    tree.free();
  }
}

/** What one contract declares, and takes from others; null where it cannot be read. */
export async function readContractTypes(
  path: string,
  text: string,
): Promise<Pick<ReadModule<null>, "types" | "imports"> | null> {
  const language = languageOf(path);
  const of = language === null ? null : familyOf(language);
  if (language === null || of === null) return null;
  const types = of === "python" ? pythonTypes : scriptTypes;
  const read = await parsed(language, text, (tree) => ({ types: types(tree), facts: null }));
  return "why" in read ? null : read;
}
