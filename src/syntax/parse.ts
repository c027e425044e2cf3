import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Language as Grammar, Parser } from "web-tree-sitter";
import type { Language } from "./language.ts";
import type { SyntaxTree } from "./tree.ts";

/**
 * The tree of a text. Whoever asks frees it. The parser and its grammars are loaded by the first who asks, some milliseconds each;
 * this module is to be imported where a tree is needed, not before.
 */
export async function parseSource(language: Language, text: string): Promise<SyntaxTree> {
  const grammar = await grammarOf(language);
  const parser = new Parser();
  try {
    parser.setLanguage(grammar);
    const tree = parser.parse(text);
    if (tree === null) throw new Error("the parser stopped unexpectedly");
    return { language, text, root: tree.rootNode, cursor: () => tree.walk(), free: () => tree.delete() };
  } finally {
    parser.delete();
  }
}

let started: Promise<void> | null = null;
const grammars = new Map<Language, Promise<Grammar>>();

function grammarOf(language: Language): Promise<Grammar> {
  const known = grammars.get(language) ?? loadGrammar(language);
  grammars.set(language, known);
  return known;
}

async function loadGrammar(language: Language): Promise<Grammar> {
  started ??= readWasm("web-tree-sitter.wasm").then((wasmBinary) => Parser.init({ wasmBinary }));
  await started;
  return Grammar.load(await readWasm(`tree-sitter-${language}.wasm`));
}

/**
 * The build puts these files into dist/grammars, which is two folders up from here both in dist/lib and in the chunks of dist/cli.
 * Where plait runs from its sources, they are in the packages that they come from.
 */
const PLACES = ["grammars", "node_modules/@vscode/tree-sitter-wasm/wasm", "node_modules/web-tree-sitter"];

async function readWasm(name: string): Promise<Uint8Array> {
  const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
  for (const place of PLACES) {
    try {
      return await readFile(join(root, place, name));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
  }
  throw new Error(`${name} is missing in this plait installation; reinstall plait`);
}
