// Functions that only say that they are still to be written, and comments that say what is still to be done. A class that others are
// derived from may leave a method to them, so what is abstract is no stub.

import type { Language } from "../../../syntax/language.ts";
import { readSource } from "../../../syntax/read-source.ts";
import { type SyntaxNode, type SyntaxTree, visit } from "../../../syntax/tree.ts";
import { lineFinder } from "../../../util/lines.ts";

export type Stub = {
  /** `unwritten`: it fails when it is called; `empty`: it does nothing; `comment`: TODO, FIXME. */
  readonly kind: "unwritten" | "empty" | "comment";
  /** The function with what it is in, or the comment: the same before and after a change. */
  readonly name: string;
  /** The class that it is a method of; null where it is none. */
  readonly inClass: string | null;
  readonly line: number;
};

/** Whether a text may hold any: most do not, and need not be parsed. */
export function mayHaveStubs(text: string): boolean {
  return MARKS.test(text);
}

const MARKS =
  /NotImplemented|\b(?:not (?:yet )?implemented|unimplemented)\b|\b(?:TODO|FIXME)\b|\bpass\b|^\s*\.\.\.|:\s*\.\.\./im;

export async function stubsIn(language: Language, text: string): Promise<Stub[]> {
  const { tree } = await readSource(language, text);
  try {
    return stubsOf(tree);
  } finally {
    tree.free();
  }
}

function stubsOf(tree: SyntaxTree): Stub[] {
  const lineOf = lineFinder(tree.text);
  const found: Stub[] = [];
  const bodyKind = tree.language === "python" ? pythonBody : scriptBody;
  visit(tree, (at) => {
    if (COMMENT.test(at.nodeType)) {
      const comment = at.currentNode;
      const said = TODO.exec(comment.text)?.[1];
      if (said !== undefined)
        found.push({ kind: "comment", name: said.trim(), inClass: null, line: lineOf(comment.startIndex) });
      return false;
    }
    if (!FUNCTION.test(at.nodeType)) return true;
    const node = at.currentNode;
    const body = node.childForFieldName("body");
    const kind = isAbstract(node) || isLeftToOthers(node, body) ? null : bodyKind(body);
    const named = nameOf(node);
    if (kind !== null && named !== null) {
      const around = classOf(node);
      const inClass = around === null ? null : (nameOf(around) ?? "");
      const name = inClass === null ? named : `${inClass}.${named}`;
      found.push({ kind, name, inClass, line: lineOf(node.startIndex) });
    }
    return true;
  });
  return found;
}

const COMMENT = /^(?:comment|line_comment|block_comment)$/;
const TODO = /^(?:#|\/\/|\/\*|\*|\s)*((?:TODO|FIXME)\b[^\n]*)/;
const FUNCTION =
  /^(?:function_definition|function_declaration|generator_function_declaration|method_definition|method_declaration|arrow_function|function_expression)$/;

/** Null: it says something. A docstring alone says nothing. */
function pythonBody(body: SyntaxNode | null): Stub["kind"] | null {
  if (body === null) return null;
  const [first, ...more] = body.namedChildren.filter(({ type }) => !COMMENT.test(type) && !isString(type));
  const statements =
    first !== undefined && isDocstring(first) ? more : first === undefined ? [] : [first, ...more];
  const [only, ...others] = statements;
  if (only === undefined) return "empty";
  if (others.length > 0) return null;
  if (only.type === "raise_statement")
    return /^raise\s+NotImplementedError\b/.test(only.text) ? "unwritten" : null;
  return only.type === "pass_statement" || only.text === "..." ? "empty" : null;
}

const isString = (type: string): boolean => type === "string";
const isDocstring = ({ type, namedChildren }: SyntaxNode): boolean =>
  type === "expression_statement" && namedChildren.length === 1 && isString(namedChildren[0]?.type ?? "");

/** That a function does nothing is usual in these languages; only one that fails is a stub. */
function scriptBody(body: SyntaxNode | null): Stub["kind"] | null {
  if (body === null || body.endIndex - body.startIndex > 400) return null;
  const text = body.text.replaceAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "");
  return UNWRITTEN.some((pattern) => pattern.test(text)) ? "unwritten" : null;
}

const SAYS = "(?:not (?:yet )?implemented|unimplemented|to be implemented|TODO)";
const UNWRITTEN = [
  new RegExp(
    `^\\{\\s*throw\\s+new\\s+[\\w.]*Error\\(\\s*(["'\`])[^"'\`]*\\b${SAYS}\\b[^"'\`]*\\1\\s*\\)\\s*;?\\s*\\}$`,
    "i",
  ),
  /^\{\s*throw\s+new\s+[\w.]*NotImplemented\w*\([^()]*\)\s*;?\s*\}$/,
  new RegExp(`^\\{\\s*panic\\(\\s*(["\`])[^"\`]*\\b${SAYS}\\b[^"\`]*\\1\\s*\\)\\s*\\}$`, "i"),
];

function isAbstract(node: SyntaxNode): boolean {
  const decorators = node.parent?.type === "decorated_definition" ? node.parent.text.slice(0, 400) : "";
  if (/^(?:\s*@[^\n]*\n)*\s*@[\w.]*(?:abstract|overload|singledispatch)/m.test(decorators)) return true;
  const around = classOf(node);
  if (around === null) return false;
  const head = around.text.slice(0, 400).split(/[:{]\s*\n/)[0] ?? "";
  return (
    around.type === "abstract_class_declaration" ||
    /\b(?:ABC|ABCMeta|Protocol)\b/.test(head) ||
    /^(?:Abstract|Base)|(?:Abstract|Base|Interface|Protocol|Mixin|ABC)$/.test(nameOf(around) ?? "")
  );
}

/** A method that says that classes derived from its own have to write it. */
const isLeftToOthers = (node: SyntaxNode, body: SyntaxNode | null): boolean =>
  classOf(node) !== null &&
  /\b(?:sub-?class(?:es)?|overrid\w+|must implement)\b/i.test(body?.text.slice(0, 400) ?? "");

const CLASS = /^(?:class_definition|class_declaration|abstract_class_declaration|class)$/;

function classOf(node: SyntaxNode): SyntaxNode | null {
  for (let at = node.parent; at !== null; at = at.parent) {
    if (CLASS.test(at.type)) return at;
    if (FUNCTION.test(at.type)) return null;
  }
  return null;
}

/** Of a function without a name, what it is given to: `const f = () => …`. */
function nameOf(node: SyntaxNode): string | null {
  const own = node.childForFieldName("name");
  if (own !== null) return own.text;
  const { parent } = node;
  const target = parent?.childForFieldName("name") ?? parent?.childForFieldName("key") ?? null;
  return target?.text ?? null;
}

/** Whether the text of a task says that nothing may be left to be written. */
export function forbidsStubs(text: string): boolean {
  return FORBIDS.test(text);
}

const FORBIDS =
  /\b(?:[Nn]o|[Ww]ithout|[Nn]ever|[Aa]void|[Nn]ot|[Zz]ero|[Nn]othing)\b[^.\n]{0,60}(?:\bTODOs?\b|\bFIXMEs?\b|\b[Ss]tub(?:s|bed)?\b|NotImplementedError|\bunimplemented\b)/;
