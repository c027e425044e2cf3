import { basename } from "node:path";
import { quoted } from "../../core/analyze/words.ts";
import { type Diagnostic, diagnostic } from "../../core/source.ts";
import { indexText } from "../../formats/text-index.ts";
import { type DeclaredType, declaredTypes } from "../../syntax/declared-types.ts";
import { type Language, languageNames } from "../../syntax/language.ts";
import { readSource } from "../../syntax/read-source.ts";
import type { ContractFile } from "./check.ts";
import type { ContractCode } from "./codes.ts";
import { fenceAt } from "./fence.ts";

/** A contract in a programming language: it parses, and says each type once. */
export async function checkTypes(
  { path, file, text }: ContractFile,
  language: Language,
): Promise<Diagnostic[]> {
  const index = indexText(file, text);
  const { tree, errors } = await readSource(language, text);
  try {
    const code: ContractCode = "contract-syntax";
    const fence = errors.map(({ start }) => fenceAt({ file, text }, start)).find((found) => found !== null);
    if (fence) return [fence];
    if (errors.length > 0)
      return errors.map(({ message, start, end }) =>
        diagnostic({ code, message, at: index.lineRange(start, end), hint: doubtOn(language, text) }),
      );
    const types = declaredTypes(tree);
    const place = ({ start, end }: DeclaredType) => index.range(start, end);
    if (types.length === 0 && isNamedAfterTypes(path) && !SOME_OTHER_TYPE.test(text)) {
      const message = `there is no type in this ${languageNames[language]}`;
      const hint = "declare what tasks share, or delete the file";
      return [typesDiagnostic({ message, at: index.lineRange(0, text.length), hint })];
    }
    return repeated(types).map(([first, again]) => {
      const message = `the type ${quoted(again.name)} is declared twice`;
      const related = [{ at: place(first), message: "it is first declared here" }];
      return typesDiagnostic({ message, at: place(again), hint: "keep one", related });
    });
  } finally {
    tree.free();
  }
}

/** Of all grammars that of TypeScript is furthest behind its language. Brackets that do not match are wrong by any. */
function doubtOn(language: Language, text: string): string | null {
  if (language !== "typescript" && language !== "tsx") return null;
  const code = text.replace(
    /\/\/.*|\/\*[^*]*\*+(?:[^*/][^*]*\*+)*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g,
    "",
  );
  const times = (sign: string) => code.split(sign).length;
  if (["{}", "[]", "()"].some(([open = "", close = ""]) => times(open) !== times(close))) return null;
  return "if the compiler takes it, write it in a plainer way: plait does not know all of TypeScript";
}

function typesDiagnostic(about: Omit<Parameters<typeof diagnostic>[0], "code">): Diagnostic {
  return diagnostic({ code: "contract-types" satisfies ContractCode, severity: "warning", ...about });
}

function isNamedAfterTypes(path: string): boolean {
  return /types/i.test(basename(path));
}

/** `UserId = NewType("UserId", int)`, `export const Order = z.object({ … })`, and what JavaScript has in comments. */
const SOME_OTHER_TYPE = /^(?:export\s+)?(?:const\s+)?[A-Z]\w*\s*(?::[^=\n]*)?=[^=]|@typedef|^export\s*[*{]/m;

/** What TypeScript joins to one type: interfaces, and an interface with a class. */
const JOINED = /^(?:interface|(?:abstract_)?class)_declaration$/;

/** Each that has been before, with its first. */
function repeated(types: readonly DeclaredType[]): (readonly [DeclaredType, DeclaredType])[] {
  const known = new Map<string, DeclaredType>();
  return types.flatMap((type) => {
    const first = known.get(type.name);
    if (first === undefined) known.set(type.name, type);
    if (
      first === undefined ||
      (JOINED.test(first.kind) && JOINED.test(type.kind) && isInterface(first, type))
    )
      return [];
    return [[first, type] as const];
  });
}

function isInterface(...types: readonly DeclaredType[]): boolean {
  return types.some(({ kind }) => kind === "interface_declaration");
}
