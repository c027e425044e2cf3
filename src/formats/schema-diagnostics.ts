import type * as z from "zod";
import { quoted } from "../core/analyze/words.ts";
import { type Diagnostic, diagnostic, type SourceRange } from "../core/source.ts";
import { nearest } from "../core/suggest.ts";
import type { FormatCode } from "./codes.ts";
import { type BadValue, type Finding, findingsOf, type UnknownKey } from "./findings.ts";
import { objectsAt, titleOf } from "./schema-path.ts";
import type { TextIndex } from "./text-index.ts";
import { inQuotes, short } from "./words.ts";
import { find, keyRangeAt, type Path, rangeAt, type Tree } from "./yaml/tree.ts";

/** The file a schema was applied to. */
export type Checked = {
  readonly index: TextIndex;
  readonly tree: Tree;
  readonly schema: z.core.$ZodType;
  /** What the format knows about a key that is not known at a place; null leaves it to spelling. */
  readonly adviceOn: (key: string, place: string) => string | null;
};

/** What a schema found, said in the words of the file, in the order of the file. Not more than `limit` of it. */
export function schemaDiagnostics(
  issues: readonly z.core.$ZodIssue[],
  checked: Checked,
  limit: number,
): Diagnostic[] {
  const findings = findingsOf(issues).slice(0, limit);
  const misspelt = new Set(
    findings.flatMap((one) => (one.kind === "unknown-key" ? [meantPath(one, checked)] : [])),
  );
  const listed = new Set<string>();
  return findings
    .filter((one) => !(misspelt.has(JSON.stringify(one.path)) && find(checked.tree, one.path) === null))
    .map((finding) => ({ finding, at: placeOf(finding, checked) }))
    .sort((a, b) => a.at.start.line - b.at.start.line || a.at.start.col - b.at.start.col)
    .map(({ finding, at }) => {
      if (finding.kind !== "unknown-key") return badValue(finding, at, checked);
      const { title } = mapAt(finding.path, checked);
      const isFirst = !listed.has(title);
      listed.add(title);
      return unknownKey(finding, at, { checked, isFirst });
    });
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
    message: `unknown key ${quoted(key)} ${placeWords(title)}`,
    at,
    hint: advice && known ? `${advice} (${known})` : (advice ?? known),
  });
}

function badValue(finding: BadValue, at: SourceRange, checked: Checked): Diagnostic {
  const { path, expected } = finding;
  const value = find(checked.tree, path);
  if (!value) return missingKey(finding, at, checked);
  const isEmpty = value.kind === "scalar" && value.value === null;
  return diagnostic({
    code: (finding.kind === "type" ? "wrong-type" : "bad-value") satisfies FormatCode,
    message: isEmpty
      ? `${label(path)} has no value; it must be ${expected}`
      : `${label(path)} must be ${expected}, not ${found(value, finding)}`,
    at,
    hint: valueHint(finding, value),
  });
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
  if (value.kind !== "scalar") return null;
  if (typeof value.value === "string") return textHint(value.value, expected, choices);
  if (value.value === null) return null;
  if (typeof value.value === "number" && expected.includes("a duration")) {
    return `write ${short(value.source)}m for minutes or ${short(value.source)}s for seconds`;
  }
  return expected.includes("a text") ? `quote it: ${inQuotes(value.source)}` : null;
}

function textHint(text: string, expected: string, choices: readonly string[]): string | null {
  if (choices.includes(text)) return `write ${text} without quotes`;
  const near = nearest(text, choices);
  if (near) return `did you mean ${near}?`;
  if (expected === "true or false" && /^(yes|on)$/i.test(text)) return "write true";
  if (expected === "true or false" && /^(no|off)$/i.test(text)) return "write false";
  return /number/.test(expected) && /^-?\d+(\.\d+)?$/.test(text)
    ? `write ${short(text)} without quotes`
    : null;
}

/** Names a value the way its reader would: by the keys that lead to it from the nearest list item. */
function label(path: Path): string {
  const last = path.at(-1);
  if (last === undefined) return "the plan";
  const parent = path.slice(0, -1);
  if (typeof last === "number") return `item ${last + 1} of ${label(parent)}`;
  const keys = path.slice(path.findLastIndex((step) => typeof step === "number") + 1);
  return keys.map((key) => short(String(key))).join(".");
}

function placeWords(place: string): string {
  if (place === "plan") return "at the top of the plan";
  return `in ${["task", "gate", "price"].includes(place) ? `a ${place}` : place}`;
}

function found(value: Tree, { kind, choices }: BadValue): string {
  if (value.kind === "map") return "a map";
  if (value.kind === "list") return value.items.length === 0 ? "an empty list" : "a list";
  if (typeof value.value === "number")
    return kind === "type" ? `the number ${short(value.source)}` : short(value.source);
  if (value.value === "") return "an empty text";
  if (typeof value.value !== "string") return String(value.value);
  const isMisread = kind === "type" || choices.includes(value.value);
  return isMisread ? `the text ${quoted(value.value)}` : quoted(value.value);
}
