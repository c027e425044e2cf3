import { type SyntaxProblem, type SyntaxTree, visit } from "./tree.ts";

/**
 * Rules of Python that its grammar does not hold: lines of one body start in one column, a line goes on only inside of brackets, a
 * body is not empty. And statements that only Python 2 has. For texts that are right otherwise: an error moves everything below it.
 */
export function layoutErrors(tree: SyntaxTree): SyntaxProblem[] {
  const { text } = tree;
  const found: SyntaxProblem[] = [];
  const tokens = tokenRules(text, found);
  /** By depth: of what kind the node is, and in which column its lines start. */
  const types: string[] = [];
  const columns: (number | null)[] = [];
  visit(tree, ({ nodeType: type, startIndex: start, endIndex: end }, depth) => {
    const parent = types[depth - 1] ?? "";
    if (type === "comment") return false;
    types[depth] = type;
    columns[depth] = type === "module" ? 0 : null;
    tokens.enter({ type, start, end, depth });
    if (type.endsWith("_clause") || HOLDS_LINES.has(parent)) tokens.lineMayStart(start);
    if (parent === "module" || parent === "block") {
      const column = columnOf(text, start);
      const wanted = columns[depth - 1] ?? column;
      if (column !== null && column !== wanted)
        found.push({ message: "this line has the wrong indentation", start, end });
      columns[depth - 1] = wanted;
    }
    if (type === "block" && start === end)
      found.push({ message: "expected an indented block below this line", start, end });
    if (type === "print_statement" || type === "exec_statement")
      found.push({ message: "this is Python 2; Python 3 needs parentheses", start, end });
    return type !== "string";
  });
  tokens.enter(null);
  return found;
}

const HOLDS_LINES: ReadonlySet<string> = new Set(["module", "block", "decorated_definition"]);

/** How far a line is indented that starts with this; null where something stands before it. */
function columnOf(text: string, offset: number): number | null {
  let at = offset;
  while (at > 0 && /[ \t\f]/.test(text[at - 1] as string)) at -= 1;
  return at === 0 || text[at - 1] === "\n" ? offset - at : null;
}

type Token = { readonly type: string; readonly start: number; readonly end: number; readonly depth: number };

/** A node is a token when the next one is not inside of it, so each is judged when the next is entered. */
function tokenRules(text: string, found: SyntaxProblem[]) {
  let last: Token | null = null;
  let end = 0;
  let brackets = 0;
  let lineStart = 0;
  const judge = (token: Token) => {
    if (token.start === token.end) return;
    if (brackets === 0 && token.start !== lineStart && isCut(text.slice(end, token.start)))
      found.push({ message: "the line is incomplete", start: Math.max(0, end - 1), end });
    if (/^[([{]$/.test(token.type)) brackets += 1;
    if (/^[)\]}]$/.test(token.type)) brackets -= 1;
    end = token.end;
  };
  return {
    enter: (next: Token | null) => {
      if (last !== null && (next === null || next.depth <= last.depth)) judge(last);
      last = next;
    },
    lineMayStart: (offset: number) => {
      lineStart = offset;
    },
  };
}

/** In front of a string, the backslash that makes a line go on is no token. */
function isCut(between: string): boolean {
  return between.includes("\n") && !/\\\r?\n/.test(between);
}
