import { capFlags } from "../core/caps.ts";
import type { Catalog } from "../core/catalog.ts";
import { plait } from "../core/text/command.ts";
import { quoted } from "../core/text/figures.ts";
import { fix, type Sentence } from "../core/text/sentence.ts";
import { inQuotes } from "./words.ts";

/** What a file is: `plan`, `configuration`, `design`. */
type Noun = { readonly noun: string };

const yamlProblems = {
  "second-colon": [
    'this line has a second ": "',
    'quote strings that contain ": ", or write them below the key after `|`',
  ],
  "no-key": [
    "this line is neither a key nor part of a string",
    'end keys with ":", or start a long string with `|`',
  ],
  "no-value": ['this line is not "key: value"', "start a long string with `|` after its key"],
  "list-column": [
    "this line is not aligned with its list",
    "align all items of a list in the same column, with `- `",
  ],
  "open-quote": ["unclosed quote", 'close it: `"`'],
  "open-bracket": ['missing "]" before this', "close the list: `]`"],
  "open-brace": ['missing "}" before this', "close the map: `}`"],
  column: [
    "inconsistent indentation",
    "align all items of a list (`- `), and all keys of a map, in the same column",
  ],
  start: ["a string cannot start with this character", 'quote the string: `"…"`'],
  escape: ["unknown escape sequence", "write `\\\\` for a backslash, or use single quotes"],
  flow: ["missing comma or closing bracket", "separate items with `,`"],
  unexpected: ["unexpected character", null],
  key: ["a key must be a plain word", null],
  "line-ends": [
    "lines end with CR only, which YAML does not support",
    "save the file with line ends `LF` or `CRLF`",
  ],
} as const;

export type YamlProblem =
  | { readonly kind: keyof typeof yamlProblems }
  | { readonly kind: "unquoted"; readonly text: string }
  /** An error of the parser that plait has no words for. */
  | { readonly kind: "parser"; readonly message: string };

const jsonProblems = {
  "extra-comma": ["unexpected comma", "delete the comma: `,`"],
  "last-comma": ["JSON allows no comma after the last item", "delete the comma: `,`"],
  comment: ["JSON allows no comments", "delete the comment"],
  "line-break": ["invalid JSON string", "escape line breaks as `\\n`"],
  "no-comma": ["missing comma or bracket after this", "add `,`"],
  quotes: ["JSON requires quotes around this", "write"],
  "single-quotes": ["JSON requires double quotes", "write"],
  yaml: ["this is YAML, not JSON", "write JSON"],
  empty: ["the file is empty", "write JSON: `{ … }`"],
  syntax: ["invalid JSON", null],
} as const;

export type JsonProblem = { readonly kind: keyof typeof jsonProblems; readonly text?: string };

/** Only these may be YAML instead. */
const canBeYaml = ({ noun }: Noun): boolean => noun === "plan" || noun === "contract";

function formatJsonFix(params: JsonProblem & Noun): string | null {
  const [, advice] = jsonProblems[params.kind];
  if (params.text !== undefined) return `use \`${inQuotes(params.text)}\``;
  if (params.kind === "comment" && canBeYaml(params)) return "delete the comment, or use a `.yaml` file";
  if (params.kind === "comment") return "delete the comment: `//`";
  if (params.kind === "yaml")
    return canBeYaml(params) ? "rename the file to `.yaml`, or write JSON" : "write JSON: `{ … }`";
  return advice;
}

type NotAFile =
  | { readonly plan: string | null }
  | { readonly subject: string; readonly problem: string; readonly noun: string };
type AliasProblem = { readonly kind: "unknown" | "unquoted" | "too-large"; readonly text: string };

/** Which format a file has, and its syntax. */
export const syntaxCatalog = {
  "plan-empty": {
    severity: "error",
    title: "The plan file is empty",
    explanation: "The file contains nothing but blank lines and comments.",
    example: "plait: 1\ntasks:\n  - id: hello\n    prompt: Write a greeting into hello.txt.",
    message: ({ noun }: Noun) => `the ${noun} is empty`,
    hint: ({ start }: { readonly start: string }) => `start with \`${start}\``,
  },
  "unknown-format": {
    severity: "error",
    title: "Unknown plan format",
    explanation:
      'plait recognizes a plan by its content: the key "plait: 1" at the top (YAML, JSON or Markdown front matter), a manifest.json with waves of tasks, "po_plan_version" in front matter, or a ```json dispatch block in Markdown.',
    example: "plait: 1\nname: checkout\ntasks:\n  - id: hello\n    prompt: Write a greeting into hello.txt.",
    message: "this file is not a plan in any known format",
    hint: ({ advice }: { readonly advice: string }) => advice,
  },
  "two-formats": {
    severity: "error",
    title: "The file matches two plan formats",
    explanation:
      "The file has the signs of several formats, such as a plan in front matter and a ```json dispatch block. Choose one with --format.",
    message: ({ titles }: { readonly titles: readonly string[] }) =>
      `this file matches more than one plan format: ${titles.join(" and ")}`,
    hint: ({ names }: { readonly names: readonly string[] }) =>
      `choose one: ${names.map((name) => `--format ${name}`).join(" or ")}`,
  },
  "not-a-file": {
    severity: "error",
    title: "Not a regular file",
    explanation:
      "plait reads regular files, not pipes or devices. A folder is a plan only if it contains a manifest.json; otherwise pass the file in it.",
    message: (params: NotAFile) =>
      "plan" in params
        ? "this folder is not a plan: it has no manifest.json"
        : `${params.subject} ${params.problem}`,
    hint: (params: NotAFile) => {
      if (!("plan" in params))
        return `use the path of a ${params.noun}${params.noun === "folder" ? "" : " file"}`;
      return params.plan === null
        ? "pass the plan file: `plan.yaml`"
        : `pass the plan in it: \`${params.plan}\``;
    },
  },
  "too-deep": {
    severity: "error",
    title: "Maps and lists are nested too deeply",
    explanation:
      "The limit protects against files crafted to exhaust memory. A plan needs about eight levels of nesting; --max-depth raises the limit.",
    message: ({ maxDepth }: { readonly maxDepth: number | null }) =>
      maxDepth === null
        ? "maps and lists are nested too deeply"
        : `maps and lists are nested more than ${maxDepth} levels deep`,
    hint: ({ noun }: Noun) => (noun === "plan" ? `raise the limit: ${capFlags.maxDepth}` : null),
  },
  "two-plans": {
    severity: "error",
    title: "More than one plan in the file",
    explanation:
      "A `---` line starts another YAML document, and a second ```json dispatch block is another manifest. plait reads one per file.",
    message: ({ noun }: Noun) => `second ${noun} in one file`,
    hint: ({ noun }: Noun) => `move one ${noun} to another file`,
    related: ({ noun }: Noun) => `the first ${noun}`,
  },
  "front-matter": {
    severity: "error",
    title: "Missing or misplaced front matter",
    explanation:
      "Front matter is the YAML between two `---` lines at the top of a Markdown file. Headings and text go below the closing `---`.",
    example:
      "---\nplait: 1\ntasks:\n  - id: hello\n    prompt: Write a greeting into hello.txt.\n---\n\n# Notes",
    message: ({ problem, noun }: Noun & { readonly problem: "misplaced" | "missing" | "open" }) =>
      ({
        misplaced: "front matter must be at the top of the file",
        missing: `the ${noun} must start with front matter`,
        open: "the front matter is not closed",
      })[problem],
    hint: ({ problem }: { readonly problem: "misplaced" | "missing" | "open" }) =>
      ({
        misplaced: "delete everything above this `---`",
        missing: "put the YAML between two `---` lines",
        open: "end the YAML with a `---` line",
      })[problem],
  },
  "yaml-syntax": {
    severity: "error",
    title: "Invalid YAML",
    explanation:
      'Common causes: an unquoted string that contains ": " or starts with one of * & ! % @ ` { [; lines of one list or map that start in different columns; a quote that is never closed.',
    example: 'prompt: "Fix this: the button is too small"',
    message: (problem: YamlProblem) => {
      if (problem.kind === "unquoted") return `${quoted(problem.text)} is read as a list or a map`;
      return problem.kind === "parser" ? problem.message : yamlProblems[problem.kind][0];
    },
    hint: (problem: YamlProblem) => {
      if (problem.kind === "unquoted") return `quote it: \`${inQuotes(problem.text)}\``;
      return problem.kind === "parser" ? null : yamlProblems[problem.kind][1];
    },
  },
  "yaml-tab": {
    severity: "error",
    title: "Tab used for indentation",
    explanation: "YAML forbids tabs in indentation. Use two spaces per level.",
    message: "this line is indented with a tab",
    hint: "replace the tab with spaces, such as `  `",
  },
  "yaml-tag": {
    severity: "error",
    title: "YAML tags are not supported",
    explanation: 'A word that starts with "!" is a YAML tag. Quote the value if it is a string.',
    example: 'boundary: ["!important/**"]',
    message: ({ noun }: Noun) => `YAML tags are not supported in a ${noun}`,
    hint: ({ text }: { readonly text: string }) =>
      /^!!|["']/.test(text) ? `delete the tag ${quoted(text)}` : `quote the string: \`${inQuotes(text)}\``,
  },
  "yaml-alias": {
    severity: "error",
    title: "Invalid YAML alias",
    explanation:
      'A word that starts with "*" refers to an anchor (&name) earlier in the file. The anchor is missing, or the aliases expand to far more than a plan needs. Quote a glob that starts with "*".',
    example: 'owns: ["**/*.css"]',
    message: ({ kind, text }: AliasProblem) =>
      ({
        unknown: `the alias ${quoted(text)} has no anchor`,
        unquoted: `${quoted(text)} is read as a YAML alias`,
        "too-large": `the alias ${quoted(text)} expands to too much`,
      })[kind],
    hint: ({ kind, text }: AliasProblem) =>
      kind === "too-large"
        ? `write out the values instead of ${quoted(text)}`
        : `quote the string: \`${inQuotes(text)}\``,
  },
  "json-syntax": {
    severity: "error",
    title: "Invalid JSON",
    explanation:
      "Comments, trailing commas and unquoted words are YAML, not JSON, and other tools reject them. Name a plan .yaml to use them.",
    message: ({ kind }: JsonProblem) => jsonProblems[kind][0],
    hint: formatJsonFix,
  },
  "unsupported-version": {
    severity: "error",
    title: "Unsupported format version",
    explanation:
      'plait reads version 1 of the native format ("plait: 1"), po_plan_version "0.1" of parallel-orchestra, and artifact folders without a version or with 1.0.0.',
    example: "plait: 1",
    message: ({
      noun,
      version,
      supported,
    }: Noun & { readonly version: string; readonly supported: string }) =>
      `unsupported ${noun} version ${quoted(version)}; plait reads ${supported}`,
    hint: ({ line }: { readonly line: string }) => line,
  },
  "manifest-missing": {
    severity: "error",
    title: "No readable manifest.json",
    explanation:
      "plait recognizes an artifact folder by its manifest.json, which lists the tasks and their waves.",
    message: ({ problem }: { readonly problem: string | null }) =>
      problem === null ? "this artifact folder has no manifest.json" : `manifest.json ${problem}`,
    hint: ({ problem }: { readonly problem: string | null }): Sentence =>
      problem?.startsWith("cannot be read")
        ? "check the permissions of the file: `ls -l manifest.json`"
        : fix("see what one looks like", plait("spec init")),
  },
} as const satisfies Catalog;
