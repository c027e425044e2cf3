import type * as z from "zod";
import { MOST_OF_A_CODE, type Unlisted } from "../core/analyze/bounded.ts";
import { quoted } from "../core/analyze/words.ts";
import { type Diagnostic, diagnostic, type Severity, type SourceRange } from "../core/source.ts";
import { nearest } from "../core/suggest.ts";
import type { FormatCode } from "./codes.ts";
import type { BadValue, Finding, UnknownKey } from "./findings.ts";
import { objectsAt, titleOf } from "./schema-path.ts";
import type { TextIndex } from "./text-index.ts";
import { inQuotes, short } from "./words.ts";
import { type Entries, find, keyRangeAt, type Path, rangeAt, type Tree } from "./yaml/tree.ts";

/** The file a schema was applied to. */
export type Checked = {
  readonly index: TextIndex;
  readonly tree: Tree;
  readonly schema: z.core.$ZodType;
  /** What the format knows about a key that is not known at a place; null leaves it to spelling. */
  readonly adviceOn: (key: string, place: string) => string | null;
  /** A code that says more about a bad value than that it is one. */
  readonly codeFor: (path: Path, value: Tree) => string | null;
  /** How grave an unknown key of the map at a path is; an error if left out. */
  readonly severityAt?: (path: Path) => Severity;
};

/** Beyond so many unknown keys none is held against a missing one. */
const MOST_COMPARED = 1_000;

/** What a schema found, said in the words of the file, in the order of the file; of each code the first. */
export function schemaDiagnostics(
  findings: readonly Finding[],
  checked: Checked,
): { diagnostics: Diagnostic[]; unlisted: Unlisted } {
  const unknown = findings
    .filter((one) => one.kind === "unknown-key")
    .slice(0, MOST_COMPARED)
    .filter((one) => severityOf(one, checked) === "error"); // else what is missing would be told by nobody
  const misspelt = new Set(unknown.map((one) => meantPath(one, checked)));
  const told = findings.filter((one) => !isToldOtherwise(one, misspelt, checked));
  const counts = new Map<string, number>();
  const first = told.filter((one) => {
    const code = codeOf(one, checked);
    counts.set(code, (counts.get(code) ?? 0) + 1);
    return (counts.get(code) as number) <= MOST_OF_A_CODE;
  });
  const listed = new Set<string>();
  const diagnostics = first
    .map((finding) => ({ finding, at: placeOf(finding, checked) }))
    .sort((a, b) => a.at.start.line - b.at.start.line || a.at.start.col - b.at.start.col)
    .map(({ finding, at }) => {
      if (finding.kind !== "unknown-key") return badValue(finding, at, checked);
      const { title } = mapAt(finding.path, checked);
      const isFirst = !listed.has(title);
      listed.add(title);
      return unknownKey(finding, at, { checked, isFirst });
    });
  const more = Array.from(counts, ([code, count]) => [code, count - MOST_OF_A_CODE] as const);
  return { diagnostics, unlisted: new Map(more.filter(([, count]) => count > 0)) };
}

/** About a value that was refused before it came to the schema, or a key that is missing because it is misspelt. */
function isToldOtherwise(finding: Finding, misspelt: ReadonlySet<string>, { tree }: Checked): boolean {
  if (finding.kind === "unknown-key") return false;
  const value = find(tree, finding.path);
  if (value !== null) return value.kind === "scalar" && value.isGuess;
  const parent = find(tree, finding.path.slice(0, -1));
  return (parent?.kind === "map" && parent.isPartial) || misspelt.has(JSON.stringify(finding.path));
}

function codeOf(finding: Finding, { tree, codeFor }: Checked): string {
  if (finding.kind === "unknown-key") return "unknown-key" satisfies FormatCode;
  const value = find(tree, finding.path);
  if (value === null) return "missing-key" satisfies FormatCode;
  const isNumber = value.kind === "scalar" && typeof value.value === "number";
  const isInRange = finding.kind === "type" && !(isNumber && isAboutNumbers(finding));
  if (isInRange) return "wrong-type" satisfies FormatCode;
  return codeFor(finding.path, value) ?? ("bad-value" satisfies FormatCode);
}

/** 1.5 is of the right type where a whole number is asked for, in the eyes of whoever wrote it. */
function isAboutNumbers({ expected }: BadValue): boolean {
  return /number/.test(expected);
}

function placeOf(finding: Finding, { index, tree }: Checked): SourceRange {
  return finding.kind === "unknown-key"
    ? keyRangeAt(index, tree, [...finding.path, finding.key])
    : rangeAt(index, tree, finding.path);
}

/** What the schema knows about the map at a path. */
function mapAt(path: Path, { schema }: Checked): { keys: string[]; title: string } {
  const object = objectsAt(schema, path)[0];
  return {
    keys: object ? Object.keys(object._zod.def.shape) : [],
    title: (object && titleOf(object)) ?? "this map",
  };
}

/** A misspelt key is one mistake, though it makes one key unknown and another one missing. */
function meantPath({ path, key }: UnknownKey, checked: Checked): string {
  return JSON.stringify([...path, nearest(key, mapAt(path, checked).keys)]);
}

function severityOf({ path }: { path: Path }, { severityAt }: Checked): Severity {
  return severityAt?.(path) ?? "error";
}

/** The keys of a map are listed once a file. */
function unknownKey(
  { path, key }: UnknownKey,
  at: SourceRange,
  { checked, isFirst }: { checked: Checked; isFirst: boolean },
): Diagnostic {
  const { keys, title } = mapAt(path, checked);
  const near = nearest(key, keys);
  const advice = checked.adviceOn(key, title) ?? (near && `did you mean ${quoted(near)}?`);
  const known = isFirst
    ? `known ${placeWords(title)}: ${keys.filter((name) => name !== "$schema").join(", ")}`
    : null;
  return diagnostic({
    code: "unknown-key" satisfies FormatCode,
    severity: severityOf({ path }, checked),
    message: `unknown key ${quoted(key)} ${placeWords(title)}`,
    at,
    hint: advice && known ? `${advice} (${known})` : (advice ?? known),
  });
}

function badValue(finding: BadValue, at: SourceRange, checked: Checked): Diagnostic {
  const value = find(checked.tree, finding.path);
  if (!value) return missingKey(finding, at, checked);
  const code = codeOf(finding, checked);
  const message = `${label(finding.path, checked)} ${verdict(finding, value, code)}`;
  return diagnostic({ code, message, at, hint: valueHint(finding, value) });
}

function verdict({ expected, choices }: BadValue, value: Tree, code: string): string {
  if (value.kind === "scalar" && value.value === null) return `has no value; it must be ${expected}`;
  if (expected.startsWith("not ")) return `must ${expected}`;
  return `must be ${expected}, not ${found(value, { isOfWrongType: code === "wrong-type", choices })}`;
}

function missingKey({ path, expected }: BadValue, at: SourceRange, checked: Checked): Diagnostic {
  const key = String(path.at(-1));
  const { title } = mapAt(path.slice(0, -1), checked);
  const message = `the key ${quoted(key)} is missing ${placeWords(title)}`;
  return diagnostic({
    code: "missing-key" satisfies FormatCode,
    message,
    at,
    hint: `add ${key}: with ${expected}`,
  });
}

function valueHint(
  { expected, choices }: { expected: string; choices: readonly string[] },
  value: Tree,
): string | null {
  if (value.kind === "map" && expected.endsWith("a list")) return 'a list has "- " before each item';
  if (value.kind === "map" && expected.includes("a text")) return bracesHint(value.entries);
  if (value.kind === "list") return rangeHint(value.items);
  if (value.kind !== "scalar") return null;
  if (typeof value.value === "string") return textHint(value.value, expected, choices);
  if (value.value === null) return null;
  if (typeof value.value === "number" && expected.includes("a duration")) {
    return `write ${short(value.source)}m for minutes or ${short(value.source)}s for seconds`;
  }
  return expected.includes("a text") ? `quote it: ${inQuotes(value.source)}` : null;
}

/** {task} is a map to YAML, and was meant as a text. */
function bracesHint(entries: Entries): string | null {
  const [entry, ...more] = entries.values();
  const isWord = entry?.value.kind === "scalar" && entry.value.value === null && more.length === 0;
  return isWord ? `quote it: "{${short(entry.key)}}"` : null;
}

/** [5, 1] was meant as [1, 5]. */
function rangeHint([one, other, ...more]: readonly Tree[]): string | null {
  if (one?.kind !== "scalar" || other?.kind !== "scalar" || more.length > 0) return null;
  const isTurned =
    typeof one.value === "number" && typeof other.value === "number" && one.value > other.value;
  return isTurned ? `write [${short(other.source)}, ${short(one.source)}]` : null;
}

function textHint(text: string, expected: string, choices: readonly string[]): string | null {
  if (choices.includes(text)) return `write ${text} without quotes`;
  const near = nearest(text, choices);
  if (near) return `did you mean ${near}?`;
  if (expected === "true or false" && /^(true|false)$/.test(text)) return `write ${text} without quotes`;
  if (expected === "true or false" && /^(yes|on)$/i.test(text)) return "write true";
  if (expected === "true or false" && /^(no|off)$/i.test(text)) return "write false";
  return /number/.test(expected) && /^-?\d+(\.\d+)?$/.test(text)
    ? `write ${short(text)} without quotes`
    : null;
}

/** Names a value the way its reader would: by the keys that lead to it from the nearest list item. */
function label(path: Path, checked: Checked): string {
  const last = path.at(-1);
  if (last === undefined) return `the ${titleOf(checked.schema) ?? "file"}`;
  const parent = path.slice(0, -1);
  if (typeof last === "number") return `item ${last + 1} of ${label(parent, checked)}`;
  const keys = path.slice(path.findLastIndex((step) => typeof step === "number") + 1);
  return keys.map((key) => short(String(key))).join(".");
}

function placeWords(place: string): string {
  if (["plan", "configuration", "manifest", "design"].includes(place)) return `at the top of the ${place}`;
  return `in ${["task", "gate", "price", "wave"].includes(place) ? `a ${place}` : place}`;
}

function found(
  value: Tree,
  { isOfWrongType, choices }: { isOfWrongType: boolean; choices: readonly string[] },
): string {
  if (value.kind === "map") return "a map";
  if (value.kind === "list") return value.items.length === 0 ? "an empty list" : "a list";
  if (typeof value.value === "number")
    return isOfWrongType ? `the number ${short(value.source)}` : short(value.source);
  if (value.value === "") return "an empty text";
  if (typeof value.value !== "string") return String(value.value);
  const isMisread = isOfWrongType || choices.includes(value.value);
  return isMisread ? `the text ${quoted(value.value)}` : quoted(value.value);
}
