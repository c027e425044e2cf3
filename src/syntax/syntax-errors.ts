import { languageNames } from "./language.ts";
import { partsOf, type SyntaxNode, type SyntaxProblem, type SyntaxTree, visit } from "./tree.ts";

/** Nobody reads more; most follow from the first. */
const MOST_ERRORS = 20;

/** Everything that is no text of its language, in the order of the text. Nothing is said twice about one place. */
export function syntaxErrors(tree: SyntaxTree): SyntaxProblem[] {
  const found = [...treeErrors(tree), ...rulesOf(tree)].sort((a, b) => a.start - b.start);
  return found.filter(({ start }, i) => start !== found[i - 1]?.start).slice(0, MOST_ERRORS);
}

function treeErrors(tree: SyntaxTree): SyntaxProblem[] {
  const found: SyntaxProblem[] = [];
  if (!tree.root.hasError) return found;
  visit(tree, ({ currentNode: node }) => {
    if (found.length >= MOST_ERRORS || !node.hasError) return false;
    if (node.isMissing) found.push(missing(node));
    if (!node.isError) return true;
    const told = bracketError(node);
    // Something inside that is wrong for itself says more than all of it together.
    if (told === null && node.children.some(({ hasError }) => hasError)) return true;
    found.push(told ?? unreadable(node, tree));
    return false;
  });
  return found;
}

/** What the grammars let pass, since they read more than one version of a language, and texts that are not finished. */
function rulesOf(tree: SyntaxTree): SyntaxProblem[] {
  if (tree.root.hasError) return [];
  if (tree.language === "python") return layoutErrors(tree);
  const first = partsOf(tree.root)[0];
  if (tree.language !== "go" || first === undefined || first.type === "package_clause") return [];
  const message = "a Go file must begin with a package clause";
  return [{ message, start: first.startIndex, end: first.endIndex }];
}

const WORDS: Readonly<Record<string, string>> = {
  ...{ identifier: "a name", type_identifier: "a type", property_identifier: "a name" },
};

function missing({ type, isNamed, startIndex, endIndex }: SyntaxNode): SyntaxProblem {
  const what = isNamed ? (WORDS[type] ?? `a ${type.replaceAll("_", " ")}`) : `\`${type}\``;
  return { message: `${what} is missing here`, start: startIndex, end: endIndex };
}

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
const QUOTES = /^(?:string_start|["'`])$/;

/** The usual cause of an error that goes on for long: something was opened, and the rest of the file is inside of it. */
function bracketError({ children }: SyntaxNode): SyntaxProblem | null {
  const open: SyntaxNode[] = [];
  for (const child of children) {
    if (Object.hasOwn(CLOSING, child.type) || QUOTES.test(child.type)) {
      const isEnd = QUOTES.test(child.type) && open.at(-1)?.type === child.type;
      if (isEnd) open.pop();
      else open.push(child);
    } else if (/^[)\]}]$/.test(child.type)) {
      if (CLOSING[open.at(-1)?.type ?? ""] !== child.type)
        return said(child, `\`${child.type}\` has no opening match`);
      open.pop();
    }
  }
  const last = open.at(-1);
  if (last === undefined) return null;
  const isText = QUOTES.test(last.type);
  return said(last, isText ? "this string is never closed" : `\`${last.type}\` is never closed`);
}

const LONGEST_QUOTE = 40;

/** From where it stops making sense to the end of that line. */
function unreadable(node: SyntaxNode, { text, language }: SyntaxTree): SyntaxProblem {
  const rest = text.slice(node.startIndex, node.startIndex + 4 * LONGEST_QUOTE).trimStart();
  const words = (rest.split(/[\r\n]/)[0] ?? "").trimEnd().replaceAll("`", "'");
  const quote = words.length > LONGEST_QUOTE ? `${words.slice(0, LONGEST_QUOTE - 1)}…` : words;
  return said(node, `invalid ${languageNames[language]}: \`${quote}\``);
}

function said({ startIndex, endIndex }: SyntaxNode, message: string): SyntaxProblem {
  return { message, start: startIndex, end: endIndex };
}

/**
 * Rules of Python that its grammar does not hold: lines of one body start in one column, a line goes on only inside of brackets, a
 * body is not empty. And statements that only Python 2 has. For texts that are right otherwise: an error moves everything below it.
 */
function layoutErrors(tree: SyntaxTree): SyntaxProblem[] {
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
