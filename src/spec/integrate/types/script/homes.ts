import type { SyntaxTree } from "../../../../syntax/tree.ts";

/** Which file a comment before a place names, as contracts say where their types are to be; null where none does. */
export function homesIn({ root, text }: SyntaxTree): (at: number) => string | null {
  const homes = root.namedChildren.flatMap((node) => {
    const written = node.type === "comment" ? text.slice(node.startIndex, node.endIndex) : "";
    const path = HOME.exec(written)?.[1];
    return path === undefined ? [] : [{ at: node.startIndex, path }];
  });
  return (at) => homes.findLast((home) => home.at < at)?.path ?? null;
}

/** `// src/domain/orders.ts`, alone or with words behind it. */
const HOME = /^\/[/*][\s=*/-]*([\w.@/-]+\.[cm]?[jt]sx?)(?![\w/])/;
