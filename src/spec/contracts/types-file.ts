import { basename } from "node:path";
import type { Diagnostic } from "../../core/source.ts";
import { indexText } from "../../formats/text-index.ts";
import { type DeclaredType, declaredTypes } from "../../syntax/declared-types.ts";
import { type Language, languageNames } from "../../syntax/language.ts";
import { readSource } from "../../syntax/read-source.ts";
import { buildContractFinding } from "./catalog.ts";
import type { ContractFile } from "./check.ts";
import { fenceAt } from "./fence.ts";

/** A contract in a programming language: it parses, and says each type once. */
export async function checkTypes(
  { path, file, text }: ContractFile,
  language: Language,
): Promise<Diagnostic[]> {
  const index = indexText(file, text);
  const { tree, errors } = await readSource(language, text);
  try {
    const fence = errors.map(({ start }) => fenceAt({ file, text }, start)).find((found) => found !== null);
    if (fence) return [fence];
    if (errors.length > 0) {
      const isDoubtful = mayBeValid(language, text);
      return errors.map(({ message, start, end }) => {
        const params = { kind: "parser", message, isDoubtful } as const;
        return buildContractFinding("contract-syntax", params, index.lineRange(start, end));
      });
    }
    const types = declaredTypes(tree);
    const place = ({ start, end }: DeclaredType) => index.range(start, end);
    if (types.length === 0 && /types/i.test(basename(path)) && !SOME_OTHER_TYPE.test(text)) {
      const params = { kind: "none", language: languageNames[language] } as const;
      return [buildContractFinding("contract-types", params, index.lineRange(0, text.length))];
    }
    return repeated(types).map(([first, again]) => {
      const params = { kind: "repeated", name: again.name } as const;
      return buildContractFinding("contract-types", params, place(again), {
        related: [{ at: place(first) }],
      });
    });
  } finally {
    tree.free();
  }
}

/** Of all grammars that of TypeScript is furthest behind its language. Brackets that do not match are wrong by any. */
function mayBeValid(language: Language, text: string): boolean {
  if (language !== "typescript" && language !== "tsx") return false;
  const code = text.replace(
    /\/\/.*|\/\*[^*]*\*+(?:[^*/][^*]*\*+)*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g,
    "",
  );
  const times = (sign: string) => code.split(sign).length;
  return !["{}", "[]", "()"].some(([open = "", close = ""]) => times(open) !== times(close));
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
    const kinds = [first?.kind ?? "", type.kind];
    const isJoined = kinds.every((kind) => JOINED.test(kind)) && kinds.includes("interface_declaration");
    return first === undefined || isJoined ? [] : [[first, type] as const];
  });
}
