import { dirname, resolve } from "node:path";
import { analyze } from "../core/analyze/analyze.ts";
import type { Caps } from "../core/caps.ts";
import type { SettingsLayers } from "../core/draft.ts";
import type { TextHash } from "../core/ids.ts";
import type { Plan } from "../core/plan.ts";
import type { Diagnostic } from "../core/source.ts";
import type { PlanFormat, PlanInput } from "../formats/format.ts";
import { type Detected, detectFormat, formats } from "../formats/registry.ts";
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
  /** In the order of the file. */
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
  const { format, diagnostic } = chooseFormat(read.input, options.format);
  if (!format) return failed([diagnostic], read.input);

  const { draft, diagnostics } = await format.read(read.input, options.caps);
  if (!draft) return failed(diagnostics, read.input);
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
  const all = sorted([...diagnostics, ...texts.diagnostics, ...analysed.diagnostics]);
  const hasErrors = all.some(({ severity }) => severity === "error");
  return {
    plan: hasErrors ? null : analysed.plan,
    diagnostics: all,
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

function failed(diagnostics: readonly Diagnostic[], input: PlanInput | null): LoadedPlan {
  return { plan: null, diagnostics: sorted(diagnostics), sources: sourcesOf(input), texts: new Map() };
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
