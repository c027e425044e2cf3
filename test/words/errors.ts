// Errors and their hints, where they are written out in the code: an error of the command line, or a refusal of the
// library.
import { type Node, readSources, type SourceFile, walk } from "../arch/source.ts";

export type ErrorProblem = { readonly file: string; readonly line: number; readonly text: string };

/** Longer messages are not read. */
const MOST_CHARACTERS = 100;

export function findErrorProblems(root: string): {
  readonly seen: number;
  readonly problems: ErrorProblem[];
} {
  const errors = readSources(root)
    .filter(({ path, isTest }) => !isTest && !path.startsWith("src/cli/compat/"))
    .flatMap(listErrors);
  const problems = errors.flatMap(({ file, line, message, hint }) => [
    ...(isGoodMessage(message) ? [] : [{ file, line, text: message }]),
    ...(isGoodHint(hint) ? [] : [{ file, line, text: hint as string }]),
  ]);
  return { seen: errors.length, problems };
}

/** Lower case unless it is a name; no period; begins with the value and not with a pronoun. */
export function isGoodMessage(message: string): boolean {
  const isLower = /^(?:[a-z"`$-]|[A-Z]{2}|Claude|Codex|Git)/.test(message);
  return isLower && !/\.$|^(?:it|that|what|there)\b/.test(message) && message.length <= MOST_CHARACTERS;
}

/** Ends in a command, a flag or a value after a colon; a suggestion asks. */
export function isGoodHint(hint: string | null): boolean {
  return hint === null || /: \S|--[a-z]|^did you mean |^\$\{…\}$/.test(hint);
}

type FoundError = {
  readonly file: string;
  readonly line: number;
  readonly message: string;
  readonly hint: string | null;
};

function listErrors(file: SourceFile): FoundError[] {
  const found: FoundError[] = [];
  walk(file.program, (node) => {
    const given = findArguments(node);
    const message = given === null ? null : readText(given[0]);
    if (given === null || message === null) return;
    found.push({ file: file.path, line: file.lineOf(node.start), message, hint: readText(given[1]) });
  });
  return found;
}

function findArguments(node: Node): readonly (Node | undefined)[] | null {
  if (node.type === "NewExpression" && node.callee.type === "Identifier")
    return /^(?:Request|Usage|Environment)Error$/.test(node.callee.name) ? node.arguments : null;
  if (node.type === "CallExpression" && node.callee.type === "Identifier" && node.callee.name === "refuse")
    return node.arguments.slice(1);
  return null;
}

function readText(node: Node | undefined): string | null {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type !== "TemplateLiteral") return null;
  return node.quasis.map(({ value }) => value.cooked ?? "").join("${…}");
}
