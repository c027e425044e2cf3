import { dirname, resolve } from "node:path";
import { analyze } from "../core/analyze/analyze.ts";
import { bounded, joined, type Unlisted } from "../core/analyze/bounded.ts";
import type { Caps } from "../core/caps.ts";
import type { SettingsLayers } from "../core/draft.ts";
import type { TextHash } from "../core/ids.ts";
import type { Plan } from "../core/plan.ts";
import { type Diagnostic, diagnostic, type SourceRange } from "../core/source.ts";
import type { PlanFormat, PlanInput } from "../formats/format.ts";
import { type Detected, detectFormat, formats } from "../formats/registry.ts";
import type { AppCode } from "./codes.ts";
import { readInput } from "./plan-input.ts";
import { readPlanTexts } from "./plan-texts.ts";

export type LoadOptions = {
  readonly caps: Caps;
  readonly layers: SettingsLayers;
  /** The name of a format; without it the content decides. */
  readonly format?: string;
  /** What cannot be decided about ownership is an error. */
  readonly strict?: boolean;
  /** Where relative paths start; the folder of the process if left out. */
  readonly cwd?: string;
};

export type LoadedPlan = {
  /** Null when there is any error. */
  readonly plan: Plan | null;
  /** In the order of the file; at most 500, and 200 of one code, then a note that says how many more there are. */
  readonly diagnostics: readonly Diagnostic[];
  /** Texts by the file name that ranges use, for code frames. */
  readonly sources: ReadonlyMap<string, string>;
  /** Prompts and context by hash. */
  readonly texts: ReadonlyMap<TextHash, string>;
};

/** Reads a plan and all it names, checks everything, writes nothing. Whatever is wrong with it is a diagnostic. */
export async function loadPlan(path: string, options: LoadOptions): Promise<LoadedPlan> {
  const cwd = resolve(options.cwd ?? ".");
  const absolute = resolve(cwd, path);
  const read = await readInput(path, absolute, options.caps);
  if (!read.ok) return failed([read.diagnostic], null);
  const chosen = chooseFormat(read.input, options.format);
  if (!chosen.format) return failed([chosen.diagnostic], read.input);

  const { draft, diagnostics, unlisted = new Map() } = await chosen.format.read(read.input, options.caps);
  if (!draft) return failed(diagnostics, read.input, unlisted);
  const folder = read.input.kind === "folder" ? absolute : dirname(absolute);
  const { lookup, ...texts } = await readPlanTexts(draft, {
    folder,
    roots: [folder, cwd],
    caps: options.caps,
  });
  const analysed = analyze(draft, {
    layers: options.layers,
    text: lookup,
    sourceHash: read.hash,
    strict: options.strict ?? false,
  });
  const all = [...diagnostics, ...texts.diagnostics, ...analysed.diagnostics];
  const hasErrors = all.some(({ severity }) => severity === "error");
  return {
    plan: hasErrors ? null : analysed.plan,
    diagnostics: told(all, read.input, joined(unlisted, analysed.unlisted)),
    sources: sourcesOf(read.input),
    texts: texts.texts,
  };
}

/** Names of the formats that `format` may ask for. */
export function formatNames(): string[] {
  return formats.map(({ name }) => name);
}

/** An unknown name is a bug of the caller, who knows `formatNames`. */
function chooseFormat(input: PlanInput, name: string | undefined): Detected {
  if (name === undefined) return detectFormat(input);
  const format: PlanFormat | undefined = formats.find((one) => one.name === name);
  if (!format) throw new Error(`no plan format is called ${name}`);
  return { format, diagnostic: null };
}

function failed(
  diagnostics: readonly Diagnostic[],
  input: PlanInput | null,
  unlisted: Unlisted = new Map(),
): LoadedPlan {
  const all = told(diagnostics, input, unlisted);
  return { plan: null, diagnostics: all, sources: sourcesOf(input), texts: new Map() };
}

/** In the order of the file, as many as people read; last, how many more there are. */
function told(diagnostics: readonly Diagnostic[], input: PlanInput | null, before: Unlisted): Diagnostic[] {
  const { shown, unlisted } = bounded(sorted(diagnostics), before);
  if (unlisted.size === 0) return shown;
  const counts = Array.from(unlisted, ([code, count]) => `${count} more of ${code}`);
  const note = diagnostic({
    code: "more-problems" satisfies AppCode,
    severity: "note",
    message: `not all findings are shown; there are ${counts.join(", ")}`,
    at: input?.kind === "file" ? endOf(input) : null,
    hint: "fix the first ones and check again",
  });
  return [...shown, note];
}

function endOf({ path, text }: { readonly path: string; readonly text: string }): SourceRange {
  const lines = text.split("\n");
  const end = { line: lines.length, col: (lines.at(-1) ?? "").length + 1 };
  return { file: path, start: end, end };
}

function sourcesOf(input: PlanInput | null): ReadonlyMap<string, string> {
  return new Map(input?.kind === "file" ? [[input.path, input.text]] : []);
}

/** By place; what has none comes first. Sorting is stable, so findings about one place keep their order. */
function sorted(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const line = ({ at }: Diagnostic) => at?.start.line ?? 0;
  const col = ({ at }: Diagnostic) => at?.start.col ?? 0;
  return [...diagnostics].sort((a, b) => line(a) - line(b) || col(a) - col(b));
}
