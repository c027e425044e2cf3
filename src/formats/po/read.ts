import type { Unlisted } from "../../core/analyze/findings.ts";
import type { Caps } from "../../core/caps.ts";
import type { Diagnostic, Located } from "../../core/source.ts";
import { buildFormatFinding } from "../catalog.ts";
import { type Finding, findingsOf } from "../findings.ts";
import type { FormatResult, PlanFiles, ReadOptions } from "../format.ts";
import { openedFrontMatter } from "../front-matter.ts";
import { refuseTooMany } from "../native/read.ts";
import { type Salvage, type Shape, salvage } from "../native/salvage.ts";
import { schemaDiagnostics } from "../schema-diagnostics.ts";
import { indexText, type TextIndex } from "../text-index.ts";
import { unique } from "../unique.ts";
import { parseYaml } from "../yaml/parse.ts";
import { find, keyRangeAt, rangeAt, type Tree } from "../yaml/tree.ts";
import { adviceOn, isManaged, managedKey } from "./advice.ts";
import { VERSION_KEY } from "./detect.ts";
import { draftOf } from "./draft.ts";
import { overlayOf } from "./overlay.ts";
import { pathDiagnostics } from "./path-rules.ts";
import { elsewhereProblem, folderProblem, placeOf } from "./place.ts";
import { isVersionKey, isWarnedOf, type Manifest, manifest, VERSION } from "./schema.ts";
import { ruleDiagnostics } from "./task-rules.ts";
import { codeFor } from "./value-codes.ts";
import { versionProblem } from "./version.ts";
import { plainAsWritten } from "./yaml-1-1.ts";

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
  const { tree, diagnostics } = parseYaml(index, { part, caps, json: false, mergeKeys: true });
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

type Checked = {
  /** Of what is left without the bad parts; null where nothing is. */
  readonly manifest: Manifest | null;
  readonly rest: Salvage;
  readonly diagnostics: readonly Diagnostic[];
  readonly unlisted: Unlisted;
};

/** The rest is analysed with these, where something else is written or nothing. */
const shape: Shape = {
  top: { [VERSION_KEY]: VERSION, cwd: "." },
  task: { agent: "", read_only: false },
  groups: "concurrency_limits",
};

/** What is taken out may leave a gap that must go too; each time less is left. */
const MOST_ROUNDS = 8;

function check(index: TextIndex, tree: Tree, tolerant: boolean): Checked {
  const value = plainAsWritten(index, tree);
  const rest = salvage(value, tree, shape);
  let result = parse(value);
  const findings = result.success ? [] : findingsOf(result.error.issues);
  for (let round = 1; !result.success && round <= MOST_ROUNDS; round += 1) {
    if (!rest.remove(round === 1 ? findings : findingsOf(result.error.issues))) break;
    result = parse(value);
  }
  const said = schemaDiagnostics(
    findings.filter((one) => !isManaged(one) && !isAboutVersion(one)),
    {
      ...{ index, tree, schema: manifest, adviceOn, codeFor },
      severityOf: ({ path: [section] }) => (tolerant || isWarnedOf(section) ? "warning" : "error"),
    },
  );
  const version = versionProblem(index, tree);
  const managed = findings.filter(isManaged).map((one) => managedKey(one, index, tree));
  return {
    manifest: result.success ? result.data : null,
    rest,
    diagnostics: [...said.diagnostics, ...managed, ...(version === null ? [] : [version])],
    unlisted: said.unlisted,
  };
}

/** Our own words replace zod's, and code made for one parse costs more than it saves. */
function parse(value: unknown) {
  return manifest.safeParse(value, { error: () => "", jitless: true });
}

function isAboutVersion(finding: Finding): boolean {
  const [key] = finding.kind === "unknown-key" ? [...finding.path, finding.key] : finding.path;
  return isVersionKey(key);
}

type Around = { readonly index: TextIndex; readonly tree: Tree; readonly around: PlanFiles };

/** A draft with its paths, and what is wrong with those. */
async function lookAround(
  { manifest: file, rest }: Checked,
  { index, tree, around }: Around,
): Promise<Pick<FormatResult, "draft" | "diagnostics">> {
  const cwd = cwdIn(index, tree);
  const place = cwd && (await placeOf(cwd.value, around));
  const missing = cwd && place && (await folderProblem(cwd, place, around));
  const diagnostics = missing ? [missing] : cwd && place ? elsewhereProblem(cwd, place) : [];
  if (file === null) return { draft: null, diagnostics };

  const overlay = place && (await overlayOf(place, around));
  const source = {
    ...{ path: index.file, place, overlay },
    lost: file.tasks.length === 0 ? { ...rest.lost(), tasks: "any" as const } : rest.lost(), // that is told
    at: (...path) => rangeAt(index, tree, rest.originally(path)),
    keyAt: (...path) => keyRangeAt(index, tree, rest.originally(path)),
  } satisfies Parameters<typeof draftOf>[1];
  const ofPaths = place === null || missing !== null ? [] : pathDiagnostics(file, source, { place, overlay });
  return { draft: draftOf(file, source), diagnostics: [...diagnostics, ...ofPaths] };
}

/** What is no text is told by the schema. */
function cwdIn(index: TextIndex, tree: Tree): Located<string> | null {
  const cwd = find(tree, ["cwd"]);
  if (cwd?.kind !== "scalar" || cwd.isGuess || typeof cwd.value !== "string") return null;
  return { value: cwd.value, at: rangeAt(index, tree, ["cwd"]) };
}
