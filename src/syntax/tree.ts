import type { Language } from "./language.ts";

/**
 * A text as a tree of its language, whatever is wrong with it: what cannot be read is a node that says so. Offsets count UTF-16
 * units from the start of the text. The names of nodes and fields are those of the grammars of tree-sitter; nothing else of that
 * library is known outside of this folder.
 */
export type SyntaxTree = {
  readonly language: Language;
  readonly text: string;
  readonly root: SyntaxNode;
  /** Where a walk over all nodes begins. It has memory of its own: see `visit`. */
  readonly cursor: () => SyntaxCursor;
  /** The memory of a tree is not of the kind that is collected. Neither tree nor nodes may be used after. */
  readonly free: () => void;
};

export type SyntaxNode = {
  readonly type: string;
  /** Not a mere sign or keyword. */
  readonly isNamed: boolean;
  /** Text that fits nowhere. */
  readonly isError: boolean;
  /** Not in the text, but needed there: it is empty. */
  readonly isMissing: boolean;
  /** Something below it, or itself, is an error or missing. */
  readonly hasError: boolean;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly text: string;
  readonly parent: SyntaxNode | null;
  readonly children: readonly SyntaxNode[];
  readonly namedChildren: readonly SyntaxNode[];
  readonly childForFieldName: (name: string) => SyntaxNode | null;
};

/** One node at a time, without an object for each: trees have many. */
export type SyntaxCursor = {
  readonly nodeType: string;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly currentNode: SyntaxNode;
  readonly gotoFirstChild: () => boolean;
  readonly gotoNextSibling: () => boolean;
  readonly gotoParent: () => boolean;
  readonly delete: () => void;
};

/** What is wrong with a text, as a sentence without a period, and where. */
export type SyntaxProblem = { readonly message: string; readonly start: number; readonly end: number };

/** What is inside of a node, without comments, which may stand anywhere. */
export const partsOf = (node: SyntaxNode | null | undefined): readonly SyntaxNode[] =>
  node?.namedChildren.filter(({ type }) => type !== "comment") ?? [];

/** Whether a word or sign stands right inside of a node. */
export const hasSign = (node: SyntaxNode, sign: string): boolean =>
  node.children.some(({ type }) => type === sign);

/**
 * Every node from the first to the last, parents before children. `enter` says whether to go into a node. There is no recursion,
 * since a hostile text is nested a million times.
 */
export function visit(tree: SyntaxTree, enter: (at: SyntaxCursor, depth: number) => boolean): void {
  const cursor = tree.cursor();
  try {
    for (let depth = 0; ; ) {
      if (enter(cursor, depth) && cursor.gotoFirstChild()) {
        depth += 1;
        continue;
      }
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) return;
        depth -= 1;
      }
    }
  } finally {
    cursor.delete();
  }
}
