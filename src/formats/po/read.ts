import type { AnalyzeCode } from "../../core/analyze/catalog.ts";
import type { Caps } from "../../core/caps.ts";
import type { Diagnostic, Located } from "../../core/source.ts";
import { buildFormatFinding, type FormatCode } from "../catalog.ts";
import { type Finding, unique } from "../findings.ts";
import type { FormatResult, PlanFiles, ReadOptions } from "../format.ts";
import { openedFrontMatter } from "../front-matter.ts";
import { refuseTooMany } from "../native/read.ts";
import { parseRest, type Shape } from "../native/salvage.ts";
import { schemaDiagnostics } from "../schema-diagnostics.ts";
import { indexText, type TextIndex } from "../text-index.ts";
import { short } from "../words.ts";
import { parseYaml } from "../yaml/parse.ts";
import { find, keyRangeAt, type Path, plain, rangeAt, type Tree } from "../yaml/tree.ts";
import { adviceOn, isManaged, managedKey } from "./advice.ts";
import { OLD_VERSION_KEY, VERSION_KEY } from "./detect.ts";
import { draftOf } from "./draft.ts";
import { overlayOf } from "./overlay.ts";
import { pathDiagnostics } from "./path-rules.ts";
import { elsewhereProblem, folderProblem, placeOf } from "./place.ts";
import { isVersionKey, isWarnedOf, manifest, VERSION } from "./schema.ts";
import { ruleDiagnostics } from "./task-rules.ts";

type Source = {
  readonly file: { readonly path: string; readonly text: string };
  readonly caps: Caps;
  readonly around: PlanFiles;
  readonly tolerant: ReadOptions["tolerant"];
};

/** Reads a manifest of parallel-orchestra: the YAML front matter of a Markdown file, whose body is for people only. */
export async function readManifest({ file, caps, around, tolerant }: Source): Promise<FormatResult> {
  const index = indexText(file.path, file.text);
  const part = openedFrontMatter(file.text);
  if (!part?.isClosed) return { draft: null, diagnostics: [noFrontMatter(index, part !== null)] };
  const { tree, diagnostics } = parseYaml(index, { part, caps, mergeKeys: true });
  if (!tree) return { draft: null, diagnostics: diagnostics.length > 0 ? diagnostics : [nothingIn(index)] };
  const refusal = refuseTooMany(index, tree, caps);
  if (refusal) return { draft: null, diagnostics: unique([...diagnostics, refusal]) };

  const checked = check(index, tree, tolerant);
  const looked = await lookAround(checked, { index, tree, around });
  const all = [
    ...diagnostics,
    ...checked.diagnostics,
    ...ruleDiagnostics(index, tree),
    ...looked.diagnostics,
  ];
  return { draft: looked.draft, diagnostics: unique(all), unlisted: checked.unlisted };
}

function noFrontMatter(index: TextIndex, isOpened: boolean): Diagnostic {
  const problem = isOpened ? "open" : "missing";
  return buildFormatFinding("front-matter", { problem, noun: "manifest" }, index.lineRange(0, 3));
}

function nothingIn(index: TextIndex): Diagnostic {
  const start = `${VERSION_KEY}: "${VERSION}"`;
  return buildFormatFinding("plan-empty", { noun: "front matter", start }, index.lineRange(0, 3));
}

type Checked = ReturnType<typeof check>;

/** The rest is analysed with these, where something else is written or nothing. */
const shape: Shape = {
  top: { [VERSION_KEY]: VERSION, cwd: "." },
  task: { agent: "", read_only: false },
  groups: "concurrency_limits",
};

function check(index: TextIndex, tree: Tree, tolerant: boolean) {
  const { findings, ...rest } = parseRest(manifest, plainAsWritten(index, tree), { index, tree, shape });
  const said = schemaDiagnostics(
    findings.filter((one) => !isManaged(one) && !isAboutVersion(one)),
    {
      ...{ index, tree, schema: manifest, adviceOn, codeFor },
      severityOf: ({ path: [section] }) => (tolerant || isWarnedOf(section) ? "warning" : "error"),
    },
  );
  const version = versionProblem(index, tree);
  const managed = findings.filter(isManaged).map((one) => managedKey(one, index, tree));
  const diagnostics = [...said.diagnostics, ...managed, ...(version === null ? [] : [version])];
  return { ...rest, diagnostics, unlisted: said.unlisted };
}

function isAboutVersion(finding: Finding): boolean {
  const [key] = finding.kind === "unknown-key" ? [...finding.path, finding.key] : finding.path;
  return isVersionKey(key);
}

type Around = { readonly index: TextIndex; readonly tree: Tree; readonly around: PlanFiles };

/** A draft with its paths, and what is wrong with those. */
async function lookAround(
  { data: file, lost, at, keyAt }: Checked,
  { index, tree, around }: Around,
): Promise<Pick<FormatResult, "draft" | "diagnostics">> {
  const cwd = cwdIn(index, tree);
  const place = cwd && (await placeOf(cwd.value, around));
  const missing = cwd && place && (await folderProblem(cwd, place, around));
  const diagnostics = missing ? [missing] : cwd && place ? elsewhereProblem(cwd, place) : [];
  if (file === null) return { draft: null, diagnostics };

  const overlay = place && (await overlayOf(place, around));
  const source = { path: index.file, place, overlay, lost: lost(file.tasks), at, keyAt };
  const ofPaths = place === null || missing !== null ? [] : pathDiagnostics(file, source, { place, overlay });
  return { draft: draftOf(file, source), diagnostics: [...diagnostics, ...ofPaths] };
}

/** What is no text is told by the schema. */
function cwdIn(index: TextIndex, tree: Tree): Located<string> | null {
  const cwd = find(tree, ["cwd"]);
  if (cwd?.kind !== "scalar" || cwd.isGuess || typeof cwd.value !== "string") return null;
  return { value: cwd.value, at: rangeAt(index, tree, ["cwd"]) };
}

/** The code that says more about a value which the schema refused. Null where "bad value" says it all. */
function codeFor([section, ...rest]: Path, value: Tree): AnalyzeCode | FormatCode | null {
  const key = rest.at(-1) ?? section;
  const isNumber = section === "concurrency_limits" || key === "max_retries";
  if (!isNumber) return null;
  if (value.kind !== "scalar" || value.value === null) return "wrong-type";
  return section === "concurrency_limits" ? "limit-out-of-range" : "bad-number";
}

const LINE = `${VERSION_KEY}: "${VERSION}"`;

/** What is wrong with the version, which is a text: 0.1 without quotes is a number. Null where it is right. */
function versionProblem(index: TextIndex, tree: Tree): Diagnostic | null {
  if (tree.kind !== "map") return null; // reported elsewhere
  const version = find(tree, [VERSION_KEY]);
  if (version === null) return tree.isPartial ? null : noVersion(index, tree);
  const at = rangeAt(index, tree, [VERSION_KEY]);
  if (version.kind === "scalar" && typeof version.value === "string") {
    if (version.value === VERSION || version.isGuess) return null;
    const params = {
      noun: "manifest",
      version: version.value,
      supported: VERSION,
      line: `use \`${LINE}\``,
    };
    return buildFormatFinding("unsupported-version", params, at);
  }
  const params = { label: VERSION_KEY, expected: `the string "${VERSION}"`, found: foundIn(version) };
  return buildFormatFinding("wrong-type", { ...params, fix: { kind: "write", text: LINE } }, at);
}

function noVersion(index: TextIndex, tree: Tree): Diagnostic {
  if (find(tree, [OLD_VERSION_KEY]) === null) {
    const params = { key: VERSION_KEY, place: "plan", line: LINE };
    return buildFormatFinding("missing-key", params, rangeAt(index, tree, []));
  }
  const params = { kind: "renamed", key: OLD_VERSION_KEY, name: VERSION_KEY, line: LINE } as const;
  return buildFormatFinding("unknown-key", params, keyRangeAt(index, tree, [OLD_VERSION_KEY]));
}

function foundIn(version: Tree): string | null {
  if (version.kind !== "scalar") return `a ${version.kind}`;
  if (version.value === null) return null;
  return typeof version.value === "number" ? `the number ${short(version.source)}` : String(version.value);
}

/** Words that are true or false to PyYAML, and texts to everybody who reads YAML 1.2. */
const words: ReadonlyMap<string, boolean> = new Map([
  ...["yes", "Yes", "YES", "on", "On", "ON"].map((word) => [word, true] as const),
  ...["no", "No", "NO", "off", "Off", "OFF"].map((word) => [word, false] as const),
]);

/** Plain data of a manifest, with the booleans that its author saw in it: only `read_only` is one. */
function plainAsWritten(index: TextIndex, tree: Tree): unknown {
  const value = plain(tree);
  const isQuoted = (start: number) => /["'|>]/.test(index.text.charAt(start));
  const tasks = find(tree, ["tasks"]);
  if (tasks?.kind !== "list") return value;
  const fields = (value as { tasks: unknown[] }).tasks;
  for (const [i, task] of tasks.items.entries()) {
    const written = find(task, ["read_only"]);
    if (written?.kind !== "scalar" || written.isGuess || isQuoted(written.start)) continue;
    const meant = words.get(String(written.value));
    if (meant !== undefined) (fields[i] as { read_only: unknown }).read_only = meant;
  }
  return value;
}
