// Names in code: a search for one must find one thing. Counted over the sources without tests.
import { readSources, walk } from "../arch/source.ts";

export type NameCounts = {
  /** Functions whose name ends in `Of`, each declaration. */
  readonly endInOf: number;
  /** Function names that more than one file declares. */
  readonly inSeveralFiles: number;
  /** Types that are named by a bare participle or preposition. */
  readonly bannedTypes: number;
};

const BANNED: ReadonlySet<string> = new Set(
  "Told Found Known Asked Around Inside Here Of At Place ToTake Said Heard Given Seen".split(" "),
);

export function countNames(root: string): NameCounts {
  const files = new Map<string, Set<string>>();
  let [endInOf, bannedTypes] = [0, 0];
  for (const { path, isTest, program } of readSources(root)) {
    if (isTest) continue;
    walk(program, (node) => {
      if (node.type === "TSTypeAliasDeclaration" || node.type === "TSInterfaceDeclaration")
        bannedTypes += BANNED.has(node.id.name) ? 1 : 0;
      const isFunction =
        node.type === "FunctionDeclaration" ||
        (node.type === "VariableDeclarator" && node.init?.type === "ArrowFunctionExpression");
      if (!isFunction || node.id?.type !== "Identifier") return;
      const { name } = node.id;
      endInOf += /[a-z]Of$/.test(name) ? 1 : 0;
      files.set(name, (files.get(name) ?? new Set()).add(path));
    });
  }
  const inSeveralFiles = [...files.values()].filter((declared) => declared.size > 1).length;
  return { endInOf, inSeveralFiles, bannedTypes };
}
