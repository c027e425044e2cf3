import { languageNames } from "./language.ts";
import { layoutErrors } from "./python-layout.ts";
import { type SyntaxNode, type SyntaxProblem, type SyntaxTree, visit } from "./tree.ts";

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
    if (told === null && hasExacter(node)) return true;
    found.push(told ?? unreadable(node, tree));
    return false;
  });
  return found;
}

/** What the grammars let pass, since they read more than one version of a language, and texts that are not finished. */
function rulesOf(tree: SyntaxTree): SyntaxProblem[] {
  if (tree.root.hasError) return [];
  if (tree.language === "python") return layoutErrors(tree);
  const first = tree.root.namedChildren.find(({ type }) => type !== "comment");
  if (tree.language !== "go" || first === undefined || first.type === "package_clause") return [];
  const message = "a Go file must begin with a package clause";
  return [{ message, start: first.startIndex, end: first.endIndex }];
}

const WORDS: Readonly<Record<string, string>> = {
  identifier: "a name",
  type_identifier: "a type",
  property_identifier: "a name",
};

function missing({ type, isNamed, startIndex, endIndex }: SyntaxNode): SyntaxProblem {
  const what = isNamed ? (WORDS[type] ?? `a ${type.replaceAll("_", " ")}`) : `\`${type}\``;
  return { message: `${what} is missing here`, start: startIndex, end: endIndex };
}

/** Something inside that is wrong for itself says more than all of it together. */
function hasExacter({ children }: SyntaxNode): boolean {
  return children.some(({ hasError }) => hasError);
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
