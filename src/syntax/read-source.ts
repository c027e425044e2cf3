import type { Language } from "./language.ts";
import { parseSource } from "./parse.ts";
import { syntaxErrors } from "./syntax-errors.ts";
import type { SyntaxProblem, SyntaxTree } from "./tree.ts";

/** A text as it is read in the end: `errors` are those that remain however it is looked at. Whoever asks frees the tree. */
export type ReadSource = { readonly tree: SyntaxTree; readonly errors: readonly SyntaxProblem[] };

/**
 * Grammars are behind their languages, and nobody can change them here. So where one finds an error, it gets the text again in
 * forms that mean the same; an error is one only if it is in all of them.
 */
export async function readSource(language: Language, text: string): Promise<ReadSource> {
  const first = await look(language, text, text);
  if (first.errors.length === 0) return first;
  const { plain, guesses } = otherForms(language, text);
  // Of the same number, those in plainer words are nearer to what is wrong.
  let best = plain === text ? first : better(await look(language, plain, text), first);
  for (const guess of guesses) {
    if (best.errors.length === 0) break;
    best = better(best, await look(language, guess, text));
  }
  return best;
}

/** The one with fewer errors, and the first of two alike; the other is freed. */
function better(one: ReadSource, other: ReadSource): ReadSource {
  const [kept, left] = other.errors.length < one.errors.length ? [other, one] : [one, other];
  left.tree.free();
  return kept;
}

/** What is quoted is what was written. */
async function look(language: Language, form: string, text: string): Promise<ReadSource> {
  const parsed = await parseSource(language, form);
  const tree = { ...parsed, text };
  return { tree, errors: syntaxErrors(tree) };
}

/**
 * A text that its grammar may not know, in words that it knows: as long as it was, so that places stay what they are, and right
 * where it was right before. `plain` is that for sure; a guess holds for many texts and says nothing where it does not.
 */
type OtherForms = { readonly plain: string; readonly guesses: readonly string[] };

function otherForms(language: Language, text: string): OtherForms {
  if (language === "python") return { plain: withoutDefaults(text), guesses: [] };
  if (language !== "typescript" && language !== "tsx") return { plain: text, guesses: [] };
  const plain = PLAINER.reduce((form, [what, instead]) => form.replace(what, instead), text);
  return { plain, guesses: [withEnds(text), withEnds(plain)] };
}

type Plainer = readonly [RegExp, (found: string, ...parts: string[]) => string];

const blank = (text: string) => text.replace(/[^\r\n]/g, " ");
const named = (text: string) => text.replace(/[^\r\n]/g, "_");

/** What may be a name, and which the grammar takes for more than that. */
const WORDS =
  "abstract|accessor|any|await|boolean|false|import|in|infer|instanceof|keyof|never|new|null|number|object|readonly|string|symbol|true|typeof|undefined|unique|unknown|using|void|yield";
/** What stands before a name. The word comes first in each pattern: looking back from every place of a long gap would never end. */
const BEFORE = "(?<=(?:^|[{;,([])\\s*(?:(?:public|protected|private|static|readonly)\\s+)*)";

const PLAINER: readonly Plainer[] = [
  // `import("./a").Type<string>` is a name with a type behind it.
  [/\bimport\s*\(\s*(?:"[^"\n]*"|'[^'\n]*')\s*(?:,\s*\{[^(){}]*\}\s*)?\)/g, named],
  // `interface Box<in out T>`, on one line or on several.
  [
    /(?=(?:in|out)\s)(?<=[<,]\s*(?:\/\/[^\n]*\n\s*|\/\*[^/]*\*\/\s*|const\s+)?)(?:(?:in|out)\s+){1,2}(?=[\p{L}_$])/gu,
    blank,
  ],
  [/\bexport\s+type(?=\s*\*)/g, (found) => `export${blank(found.slice("export".length))}`],
  [
    /\bexport\s+default\s+(async\s+)?function\s*(?=\()/g,
    (found, isAsync) => `${isAsync ? "async " : ""}function a`.padEnd(found.length),
  ],
  [/\bexport(?=\s+import\s+[\w$]+\s*=)/g, blank],
  [/\bimport(?=\s+[\w$]+\s*=\s*require\s*\()/g, () => "const "],
  [/\bglobal(?=\s*\{)/g, () => "if (1)"],
  [new RegExp(`(?=(?:${WORDS})\\b)${BEFORE}(?:${WORDS})(?=\\??\\s*:)`, "gmu"), named],
  [new RegExp(`(?=abstract|accessor|using)${BEFORE}\\w+(?=\\??\\s*[(<;=])`, "gmu"), named],
  [/\baccessor(?=\s+[\w$#])/g, blank],
  [/\bas(\s+)(\w+)(?=\s*[,}])/g, (_, gap, name) => `as${gap}${named(name)}`],
  [/\bkeyof(?=\s+readonly\b)(\s+)readonly/g, (_, gap) => `keyof${gap}        `],
  // `{ [K in keyof T]? : T[K] }`, `({ a }?: Options) => void`
  [/\]\?(\s+):/g, (_, gap) => `]${gap}?:`],
  [/\}\?(?=:)/g, () => "} "],
  // In a type that is a template.
  [/\\[\\`{}$]/g, named],
];

/** Lines of a type end without a semicolon, also where the next begins with a sign that could go on with them. */
function withEnds(text: string): string {
  const lines = text.split("\n");
  let next = "";
  for (let i = lines.length - 1; i >= 0; i -= 1) {
    const line = lines[i] as string;
    const isEnd = /[\w>\])}"'`$]\s*$/.test(line) && !/\/\/|^\s*\*/.test(line);
    if (isEnd && /^(?:[<([]|\/[*/])/.test(next)) lines[i] = `${line};`;
    else if (i < lines.length - 1) lines[i] = `${line}\n`;
    next = line.trimStart() || next;
  }
  return lines.join("");
}

/** `class Box[T = int]`, which Python has since 3.13: without what stands behind the sign. */
function withoutDefaults(text: string): string {
  return text.replace(/\b(?:class|def|type)\s+\w+\s*\[[^\]=]*=[^\n]*/g, (found) => {
    let depth = 0;
    let isDefault = false;
    const signs = found.split("").map((sign) => {
      if (/[)\]}]/.test(sign)) depth -= 1;
      if (depth === 1 && (sign === "," || sign === "=")) isDefault = sign === "=";
      if (depth === 0) isDefault = false;
      const kept = isDefault ? " " : sign;
      if (/[([{]/.test(sign)) depth += 1;
      return kept;
    });
    return signs.join("");
  });
}
