import type * as z from "zod";
import { MOST_OF_A_CODE, type Unlisted } from "../core/analyze/findings.ts";
import type { Diagnostic, Severity, SourceRange } from "../core/source.ts";
import { nearest } from "../core/suggest.ts";
import { quoted } from "../core/text/figures.ts";
import { buildFormatFinding } from "./catalog.ts";
import type { KeyAdvice, ValueFix } from "./catalog-values.ts";
import type { BadValue, Finding, UnknownKey } from "./findings.ts";
import { durationExpected } from "./native/values.ts";
import { isDeprecated, objectsAt, titleOf } from "./schema-path.ts";
import type { TextIndex } from "./text-index.ts";
import { short } from "./words.ts";
import { type Entries, find, keyRangeAt, type Path, rangeAt, type Tree } from "./yaml/tree.ts";

export type Checked = {
  readonly index: TextIndex;
  readonly tree: Tree;
  readonly schema: z.core.$ZodType;
  /** What the format knows about an unknown key of a map with these other keys; null leaves it to spelling. */
  readonly adviceOn: (key: string, place: string, hasKey: (other: string) => boolean) => KeyAdvice | null;
  /** The required key that an unknown one stands for at a place; left out or null: the nearest by spelling. */
  readonly findRequiredKey?: (key: string, place: string) => string | null;
  /** A code that explains more than `bad-value`. */
  readonly codeFor: (path: Path, value: Tree) => string | null;
  /** Default: error. Null: no finding. */
  readonly severityOf?: (unknown: UnknownAt) => Severity | null;
  /** Maps whose known keys are not listed, by their titles. */
  readonly unlistedMaps?: readonly string[];
};

/** An unknown key, its map by its title, and what is known about it. */
export type UnknownAt = UnknownKey & {
  readonly place: string;
  readonly advice: KeyAdvice | null;
  /** By spelling, unless there is advice. */
  readonly suggestion: string | null;
};

/** Beyond so many unknown keys none is held against a missing one. */
const MOST_COMPARED = 1_000;

/** Findings of a schema in the order of the file, the first of each code. `meant`: keys that unknown ones stand for. */
export function schemaDiagnostics(
  findings: readonly Finding[],
  checked: Checked,
): { diagnostics: Diagnostic[]; unlisted: Unlisted; meant: ReadonlySet<string> } {
  const unknown = findings.flatMap((one) =>
    one.kind === "unknown-key" ? [describeUnknown(one, checked)] : [],
  );
  const compared = unknown.slice(0, MOST_COMPARED);
  // A missing key must still be reported if the unknown one is only a warning.
  const wrong = compared.filter((one) => findSeverity(one, checked) === "error");
  const misspelled = new Set(wrong.map((one) => meantPath(one, checked)));
  const values = findings.filter((one) => one.kind !== "unknown-key");
  const reported = [...unknown, ...values.filter((one) => !isReportedOtherwise(one, misspelled, checked))];
  const counts = new Map<string, number>();
  const first = reported.filter((one) => {
    const code = codeOf(one, checked);
    counts.set(code, (counts.get(code) ?? 0) + 1);
    return (counts.get(code) as number) <= MOST_OF_A_CODE;
  });
  const listed = new Set<string>(checked.unlistedMaps);
  const diagnostics = first
    .map((finding) => ({ finding, at: placeOf(finding, checked) }))
    .sort((a, b) => a.at.start.line - b.at.start.line || a.at.start.col - b.at.start.col)
    .flatMap(({ finding, at }) => {
      if (finding.kind !== "unknown-key") return [badValue(finding, at, checked)];
      const severity = findSeverity(finding, checked);
      return severity === null ? [] : [unknownKey(finding, severity, { checked, listed, at })];
    });
  const more = Array.from(counts, ([code, count]) => [code, count - MOST_OF_A_CODE] as const);
  const meant = new Set(
    compared.flatMap(({ advice, suggestion }) =>
      advice && "use" in advice ? advice.use : (suggestion ?? []),
    ),
  );
  return { diagnostics, unlisted: new Map(more.filter(([, count]) => count > 0)), meant };
}

/** About a value that was refused before it came to the schema, or a key that is missing because it is misspelled. */
function isReportedOtherwise(finding: BadValue, misspelled: ReadonlySet<string>, { tree }: Checked): boolean {
  const value = find(tree, finding.path);
  if (value !== null) return value.kind === "scalar" && value.isGuess;
  const parent = find(tree, finding.path.slice(0, -1));
  return (parent?.kind === "map" && parent.isPartial) || misspelled.has(JSON.stringify(finding.path));
}

function codeOf(finding: Finding, { tree, codeFor }: Checked): string {
  if (finding.kind === "unknown-key") return "unknown-key";
  const value = find(tree, finding.path);
  if (value === null) return "missing-key";
  const isNumber = value.kind === "scalar" && typeof value.value === "number";
  const isInRange = finding.kind === "type" && !(isNumber && isAboutNumbers(finding));
  if (isInRange) return "wrong-type";
  return codeFor(finding.path, value) ?? "bad-value";
}

/** To its author, 1.5 is of the right type where an integer is expected. */
function isAboutNumbers({ types }: BadValue): boolean {
  return types.includes("number") || types.includes("int");
}

function placeOf(finding: Finding, { index, tree }: Checked): SourceRange {
  return finding.kind === "unknown-key"
    ? keyRangeAt(index, tree, [...finding.path, finding.key])
    : rangeAt(index, tree, finding.path);
}

function mapAt(path: Path, { schema }: Checked): { keys: string[]; title: string } {
  const object = objectsAt(schema, path)[0];
  return {
    keys: Object.entries(object?._zod.def.shape ?? {}).flatMap(([key, one]) =>
      isDeprecated(one) ? [] : key,
    ),
    title: (object && titleOf(object)) ?? "this map",
  };
}

/** A misspelt key is one mistake, though it makes one key unknown and another one missing. */
function meantPath({ path, key }: UnknownKey, checked: Checked): string {
  const { keys, title } = mapAt(path, checked);
  return JSON.stringify([...path, checked.findRequiredKey?.(key, title) ?? nearest(key, keys)]);
}

function describeUnknown(finding: UnknownKey, checked: Checked): UnknownAt {
  const { keys, title } = mapAt(finding.path, checked);
  const hasKey = (other: string) => find(checked.tree, [...finding.path, other]) !== null;
  const advice = checked.adviceOn(finding.key, title, hasKey);
  return {
    ...finding,
    place: title,
    advice,
    suggestion: advice === null ? nearest(finding.key, keys) : null,
  };
}

function findSeverity(unknown: UnknownAt, { severityOf }: Checked): Severity | null {
  return severityOf === undefined ? "error" : severityOf(unknown);
}

/** The keys of a map are listed once per file. */
function unknownKey(
  unknown: UnknownAt,
  severity: Severity,
  { checked, listed, at }: { checked: Checked; listed: Set<string>; at: SourceRange },
): Diagnostic {
  const { path, key, place, advice, suggestion } = unknown;
  const { keys } = mapAt(path, checked);
  const isUnexplained = advice === null && suggestion === null;
  const listsKeys = !listed.has(place) && isUnexplained;
  if (listsKeys) listed.add(place);
  const known = listsKeys ? keys.filter((name) => name !== "$schema") : null;
  const params = { kind: "key", key, place, advice, suggestion, known } as const;
  return buildFormatFinding("unknown-key", params, at, { severity });
}

function badValue(finding: BadValue, at: SourceRange, checked: Checked): Diagnostic {
  const { path, expected } = finding;
  const value = find(checked.tree, path);
  if (!value) {
    const place = mapAt(path.slice(0, -1), checked).title;
    return buildFormatFinding("missing-key", { key: String(path.at(-1)), place, expected }, at);
  }
  const code = codeOf(finding, checked);
  const found = describeFound(value, { isOfWrongType: code === "wrong-type", choices: finding.choices });
  const params = { label: label(path, checked), expected, found, fix: findFix(finding, value) };
  return buildFormatFinding("bad-value", params, at, { as: code });
}

function findFix(finding: BadValue, value: Tree): ValueFix | null {
  const { expected, types } = finding;
  if (value.kind === "map" && types.includes("array")) return { kind: "list", text: "" };
  if (value.kind === "map" && types.includes("string")) return findBraces(value.entries);
  if (value.kind === "list") return findRange(value.items);
  if (value.kind !== "scalar" || value.value === null) return null;
  if (typeof value.value === "string") return findTextFix(value.value, finding);
  if (typeof value.value === "number" && expected.includes(durationExpected))
    return { kind: "duration", text: value.source };
  return types.includes("string") ? { kind: "quote", text: value.source } : null;
}

/** {task} is a map to YAML, and was meant as a string. */
function findBraces(entries: Entries): ValueFix | null {
  const [entry, ...more] = entries.values();
  const isWord = entry?.value.kind === "scalar" && entry.value.value === null && more.length === 0;
  return isWord ? { kind: "quote", text: `{${short(entry.key)}}` } : null;
}

/** [5, 1] was meant as [1, 5]. */
function findRange([one, other, ...more]: readonly Tree[]): ValueFix | null {
  if (one?.kind !== "scalar" || other?.kind !== "scalar" || more.length > 0) return null;
  const isTurned =
    typeof one.value === "number" && typeof other.value === "number" && one.value > other.value;
  return isTurned ? { kind: "write", text: `[${short(other.source)}, ${short(one.source)}]` } : null;
}

function findTextFix(text: string, finding: BadValue): ValueFix | null {
  const { choices, types } = finding;
  if (choices.includes(text)) return { kind: "unquote", text };
  const near = nearest(text, choices);
  if (near) return { kind: "suggestion", text: near };
  if (types.includes("boolean") && types.length === 1) {
    if (/^(true|false)$/.test(text)) return { kind: "unquote", text };
    if (/^(yes|on)$/i.test(text)) return { kind: "write", text: "true" };
    if (/^(no|off)$/i.test(text)) return { kind: "write", text: "false" };
  }
  return isAboutNumbers(finding) && /^-?\d+(\.\d+)?$/.test(text) ? { kind: "unquote", text } : null;
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

/** Null: no value. Empty: of the right type, so that what is expected explains it. */
function describeFound(
  value: Tree,
  { isOfWrongType, choices }: { isOfWrongType: boolean; choices: readonly string[] },
): string | null {
  if (value.kind !== "scalar" && !isOfWrongType && !(value.kind === "list" && value.items.length === 0))
    return "";
  if (value.kind === "map") return "a map";
  if (value.kind === "list") return value.items.length === 0 ? "an empty list" : "a list";
  if (value.value === null) return null;
  if (typeof value.value === "number")
    return isOfWrongType ? `the number ${short(value.source)}` : short(value.source);
  if (value.value === "") return "an empty string";
  if (typeof value.value !== "string") return String(value.value);
  const isMisread = isOfWrongType || choices.includes(value.value);
  return isMisread ? `the string ${quoted(value.value)}` : quoted(value.value);
}
