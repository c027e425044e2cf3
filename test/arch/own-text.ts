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

/** Texts that plait words; the others are also names of typed kinds, which are compared. */
const WORDED = new Set("message detail hint summary says".split(" "));

/** `detail.startsWith(…)`, `/x/.test(error.message)`, `held === detail`. */
export function findTextReads(root: string): Hit[] {
  return sources(root, []).flatMap((file) =>
    hits(file, (node) => {
      if (node.type === "BinaryExpression" && /^[!=]==$/.test(node.operator))
        return isCompared(node.left as Node, node.right) || isCompared(node.right, node.left as Node);
      if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return false;
      const { object, property, computed } = node.callee;
      const verb = nameOfKey(property, computed) ?? "";
      if (!READS.has(verb)) return false;
      const read = verb === "test" || verb === "exec" ? node.arguments[0] : object;
      return read !== undefined && TEXTS.has(lastName(read as Node) ?? "");
    }),
  );
}

/** Whether there is a text at all, or any, may be asked. */
function isCompared(text: Node, other: Node): boolean {
  if (text.type === "CallExpression" || !WORDED.has(lastName(text) ?? "")) return false;
  return (
    !(other.type === "Identifier" && other.name === "undefined") &&
    !(other.type === "Literal" && (other.value === null || other.value === ""))
  );
}

const VERBS =
  "run resume stop demo status watch ui logs diff report runs retry approve open submit accept drop land undo rescue validate plan convert integrate explain mcp schema clean restore compat spec";
/** A verb or a value right behind the program's name, whatever follows: `plait runs agents` is a sentence, and listed as one. */
const TYPED = new RegExp(`\\bplait (?:(?:${VERBS.replaceAll(" ", "|")})\\b|\\0)`);

/**
 * Texts that other checks give to the command line's parser: the examples in help (test/cli), and what the findings, the plan format
 * and the settings say of themselves, which is printed in docs/reference (test/docs).
 */
const CHECKED_KEYS: ReadonlySet<string> = new Set(["examples", "explanation"]);

/** `plait resume ${run}` in a string, a template or a text of the web UI. */
export function findTypedCommands(root: string): Hit[] {
  return sources(root, []).flatMap((file) => {
    const checked = new Set<Node>();
    walk(file.program, (node) => {
      if (node.type === "Property" && CHECKED_KEYS.has(nameOfKey(node.key, node.computed) ?? ""))
        walk(node.value, (inner) => checked.add(inner));
    });
    return hits(file, (node) => !checked.has(node) && TYPED.test(writtenText(node)));
  });
}

/** With `\0` where a value stands. */
function writtenText(node: Node): string {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : "";
  if (node.type === "JSXText") return node.value;
  return node.type === "TemplateLiteral" ? node.quasis.map(({ value }) => value.cooked ?? "").join("\0") : "";
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
