// Text for people is made once and never read again, and commands in it are data. Both are found in the code, not in what it prints.
import { type Node, nameOfKey, readSources, type SourceFile, walk } from "./source.ts";

export type Hit = { readonly file: string; readonly line: number };

/** Names of values that hold a text for people. `text` is not among them: here that is the content of a file. */
const TEXTS = new Set(
  "message detail hint reason why summary title note refusal says problem description".split(" "),
);
const READS = new Set(
  "startsWith endsWith includes match matchAll test exec replace replaceAll split indexOf lastIndexOf search slice".split(
    " ",
  ),
);

/** Where texts of others are read: plans, sources, agents' output, and lines that are fitted to a width. */
const FOREIGN = [
  ...["src/formats/", "src/syntax/", "src/spec/", "src/config/", "src/util/", "src/process/mask/"],
  ...["src/agents/", "src/cli/render/", "src/cli/compat/", "src/ui/", "src/core/text/", "src/programs/"],
];

/** `detail.startsWith(…)`, `/x/.test(error.message)`. */
export function findTextReads(root: string): Hit[] {
  return sources(root, FOREIGN).flatMap((file) =>
    hits(file, (node) => {
      if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return false;
      const { object, property, computed } = node.callee;
      const verb = nameOfKey(property, computed) ?? "";
      if (!READS.has(verb)) return false;
      const read = verb === "test" || verb === "exec" ? node.arguments[0] : object;
      return read !== undefined && TEXTS.has(lastName(read as Node) ?? "");
    }),
  );
}

const VERBS =
  "run resume stop demo status watch ui logs diff report runs retry approve open submit accept drop land undo rescue validate plan convert integrate explain mcp schema clean restore compat spec";
/** With an argument, a flag or at the end of the text: `plait runs agents` is a sentence. */
const TYPED = new RegExp(`\\bplait (?:${VERBS.replaceAll(" ", "|")})(?: (?:--?\\w|<|"|…)|\\0|$)`);

/** Prompts, documents and the command line's own help name commands in prose. */
const PROSE = ["src/cli/", "src/agents/prompt", "src/report/", "src/ui/", "src/core/text/", "src/spec/"];

/** `plait resume ${run}` in a string or a template, outside of the command line itself. */
export function findTypedCommands(root: string): Hit[] {
  return sources(root, PROSE).flatMap((file) =>
    hits(file, (node) => {
      if (node.type === "Literal") return typeof node.value === "string" && TYPED.test(node.value);
      if (node.type !== "TemplateLiteral") return false;
      // An argument follows where a value stands right behind the verb.
      return TYPED.test(
        node.quasis
          .map(({ value }) => value.cooked ?? "")
          .join("\0")
          .replaceAll(" \0", "\0"),
      );
    }),
  );
}

function sources(root: string, without: readonly string[]): SourceFile[] {
  return readSources(root).filter(
    ({ path, isTest }) => !isTest && !without.some((start) => path.startsWith(start)),
  );
}

function hits(file: SourceFile, isHit: (node: Node) => boolean): Hit[] {
  const found: Hit[] = [];
  walk(file.program, (node) => {
    if (isHit(node)) found.push({ file: file.path, line: file.lineOf(node.start) });
  });
  return found;
}

/** Of `a.b.detail`, `detail`, `detail?.x()` and `(detail ?? "")` the name of the value that is read. */
function lastName(node: Node): string | undefined {
  switch (node.type) {
    case "Identifier":
      return node.name;
    case "MemberExpression":
      return nameOfKey(node.property, node.computed);
    case "ChainExpression":
    case "ParenthesizedExpression":
    case "TSNonNullExpression":
      return lastName(node.expression);
    case "LogicalExpression":
      return lastName(node.left);
    case "CallExpression":
      return node.callee.type === "MemberExpression" ? lastName(node.callee.object) : undefined;
    default:
      return undefined;
  }
}
