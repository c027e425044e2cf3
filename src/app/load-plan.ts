import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { analyze } from "../core/analyze/analyze.ts";
import { bounded, joined, startOf, type Unlisted } from "../core/analyze/findings.ts";
import type { Caps } from "../core/caps.ts";
import type { PlanDraft, SettingsLayers } from "../core/draft.ts";
import type { EachNote, Expansion } from "../core/each/expand.ts";
import type { Oid, TextHash } from "../core/ids.ts";
import type { Command, Env, Plan, PlanSource } from "../core/plan.ts";
import type { Diagnostic, SourceRange } from "../core/source.ts";
import type { FormatCode } from "../formats/catalog.ts";
import type { FormatResult, PlanFiles, PlanFormat, PlanInput } from "../formats/format.ts";
import { draftOfPrompts, type PromptPlan } from "../formats/prompts/draft.ts";
import { type Detected, detectFormat, formats } from "../formats/registry.ts";
import { buildFileFinding } from "./file-catalog.ts";
import { planFiles } from "./plan-files.ts";
import { readInput } from "./plan-input.ts";
import { readPlanTexts, type TextPlaces } from "./plan-texts.ts";
import { CURRENT_FOLDER, sha256 } from "./read-text.ts";

export type LoadOptions = {
  readonly caps: Caps;
  readonly layers: SettingsLayers;
  /** The name of a format; without it the content decides. */
  readonly format?: string;
  /** What cannot be decided about ownership is an error. */
  readonly strict?: boolean;
  /** What the system ignored that the plan was written for is warned of, and no error. */
  readonly tolerant?: boolean;
  /** Where relative paths start; the folder of the process if left out. */
  readonly cwd?: string;
  /** For the programs that are asked about the values of `each`: git, and commands of the plan. */
  readonly env?: Env;
  /** The commit whose files `each` is about; the one that is checked out if left out. */
  readonly commit?: Oid;
  /** Commands of the plan that print values may run; it is told of each before. Without it none runs. */
  readonly onCommand?: ((command: Command) => void | Promise<void>) | null;
  /** Looks at more around the plan than a run has to know; what it finds is told with the rest. */
  readonly inspect?: Inspect;
  /** Warns where no gate checks what agents change. */
  readonly checksGates?: boolean;
  /** Nothing will be run: that prompts are missing, which nobody commits, is no finding. */
  readonly withoutPrompts?: boolean;
};

export type Inspect = (
  read: {
    readonly format: string;
    readonly input: PlanInput;
    /** Null where it could not be read. */
    readonly draft: PlanDraft | null;
    readonly env: Env;
  },
  caps: Caps,
  around: PlanFiles,
) => Promise<readonly Diagnostic[]>;

export type LoadedPlan = {
  /** Null when there is any error. */
  readonly plan: Plan | null;
  /** In the order of the file; at most 500, and 200 of one code, then a note that says how many more there are. */
  readonly diagnostics: readonly Diagnostic[];
  /** Texts by the file name that ranges use, for code frames. */
  readonly sources: ReadonlyMap<string, string>;
  /** Prompts and context by hash. */
  readonly texts: ReadonlyMap<TextHash, string>;
  /** Tasks of the file that stand for many. */
  readonly each: readonly EachNote[];
  /** The plan as its file says it, and the folder that names of files start from. Null where nothing could be read. */
  readonly written: WrittenPlan | null;
};

export type WrittenPlan = { readonly draft: PlanDraft; readonly folder: string };

/**
 * Reads a plan and all it names, checks everything, writes nothing. Whatever is wrong with it is a diagnostic. The plan is
 * a file, by its path, or prompts.
 */
export async function loadPlan(plan: string | PromptPlan, options: LoadOptions): Promise<LoadedPlan> {
  const cwd = resolve(options.cwd ?? ".");
  const read = typeof plan === "string" ? await readPlanFile(plan, cwd, options) : readPrompts(plan, cwd);
  const { draft: written, input, unlisted = new Map() } = read;
  if (written === null) return failed(read, unlisted);

  const { draft, notes, ...expanded } = await expandDraft(written, cwd, {
    ...options,
    // A plan that is wrong already gets nothing to run.
    ...(read.diagnostics.some(isError) && { onCommand: null }),
  });
  const { lookup, ...texts } = await readPlanTexts(draft, { ...read.places, caps: options.caps });
  const analysed = analyze(draft, {
    layers: options.layers,
    text: lookup,
    sourceHash: read.hash,
    strict: options.strict ?? false,
  });
  const found = [
    ...[...read.diagnostics, ...expanded.diagnostics, ...texts.diagnostics, ...analysed.diagnostics],
    ...(await checkReuse(draft, cwd, options)),
  ];
  const all = notes.length === 0 ? found : onceAPlace(found);
  const complete = all.some(isError) ? null : analysed.plan;
  const unchecked = options.checksGates && complete !== null ? checkGates(complete, input) : [];
  return {
    plan: complete && { ...complete, source: { ...complete.source, ...describeSource(plan, read, options) } },
    diagnostics: told([...all, ...unchecked], input, joined(unlisted, analysed.unlisted)),
    sources: sourcesOf(read),
    texts: texts.texts,
    each: notes,
    written: { draft: written, folder: read.places.folder },
  };
}

/** Where the plan can be read again, and what of it was typed. */
function describeSource(
  plan: string | PromptPlan,
  { absolute }: ReadSource,
  { layers }: LoadOptions,
): Pick<PlanSource, "absolute" | "typed"> {
  if (typeof plan === "string") return absolute === undefined ? {} : { absolute };
  const { copy, setup } = plan;
  const noCopy = layers.automatic === false && ({ noCopy: true } as const);
  return { typed: { ...(copy && { copy }), ...(setup && { setup }), ...noCopy } };
}

const isError = ({ severity }: Diagnostic): boolean => severity === "error";

type ReadSource = FormatResult & {
  readonly input: PlanInput | null;
  readonly hash: TextHash;
  readonly absolute?: string;
  /** Files besides that were read, by the names that ranges use. */
  readonly more?: ReadonlyMap<string, string>;
  readonly places: Omit<TextPlaces, "caps">;
};

async function readPlanFile(path: string, cwd: string, options: LoadOptions): Promise<ReadSource> {
  const { caps, format, tolerant = false, env = {} } = options;
  const absolute = resolve(cwd, path);
  const read = await readInput({ path, absolute }, caps);
  const folder = read.ok && read.input.kind === "folder" ? absolute : dirname(absolute);
  const around = { hash: sha256(""), places: { folder, roots: [folder, cwd], from: "the plan's folder" } };
  if (!read.ok) return { draft: null, diagnostics: [read.diagnostic], input: null, ...around };
  const { input, hash } = read;
  const chosen = chooseFormat(input, format);
  if (!chosen.format) return { draft: null, diagnostics: [chosen.diagnostic], input, ...around };
  const named = input.kind === "folder" ? path : dirname(path);
  const { HOME: home = homedir() } = env;
  const files = planFiles({ named, folder, cwd, home: isAbsolute(home) ? home : null, caps });
  const result = await chosen.format.read(input, caps, files, { tolerant });
  const found = options.withoutPrompts ? result.diagnostics.filter(isAboutOther) : result.diagnostics;
  const more = files.texts();
  const texts = Array.from(more, ([file, text]) => [relative(folder, resolve(cwd, file)), text] as const);
  // After that: whatever is looked at besides is no part of the plan.
  const besides =
    (await options.inspect?.({ format: chosen.format.name, input, draft: result.draft, env }, caps, files)) ??
    [];
  return {
    ...{ ...result, input, ...around, more },
    diagnostics: [...found, ...besides],
    hash: joinedHash(hash, texts),
    absolute: await realpath(absolute).catch(() => absolute), // gone since it was read
  };
}

const isAboutOther = ({ code }: Diagnostic): boolean => code !== ("prompt-missing" satisfies FormatCode);

/**
 * A plan of several files is another one when any of them is. They are known by their ways from the plan, so it is the same from
 * wherever it is named; what else lies in its folder, such as what a run left there, is no part of it.
 */
function joinedHash(hash: TextHash | null, texts: readonly (readonly [string, string])[]): TextHash {
  if (hash !== null && texts.length === 0) return hash;
  return sha256(JSON.stringify([hash, [...texts].sort(([a], [b]) => (a < b ? -1 : 1))]));
}

/** What somebody types may name any file. */
function readPrompts(plan: PromptPlan, cwd: string): ReadSource {
  return {
    draft: draftOfPrompts(plan),
    diagnostics: [],
    input: null,
    hash: sha256(JSON.stringify(plan)),
    places: { folder: cwd, roots: ["/"], from: CURRENT_FOLDER },
  };
}

/** The repository is looked at only for plans that need it. */
async function expandDraft(draft: PlanDraft, cwd: string, options: LoadOptions): Promise<Expansion> {
  if (!draft.tasks.some(({ each }) => each !== undefined)) return { draft, diagnostics: [], notes: [] };
  const [{ findEachValues }, { expandEach }] = await Promise.all([
    import("./each-values.ts"),
    import("../core/each/expand.ts"),
  ]);
  const { env = {}, onCommand = null, caps } = options;
  const at = options.commit === undefined ? {} : { commit: options.commit };
  const { valuesOf, diagnostics } = await findEachValues(draft, { cwd, env, onCommand, ...at });
  const expansion = expandEach(draft, { valuesOf, maxTasks: caps.maxTasks });
  return { ...expansion, diagnostics: [...diagnostics, ...expansion.diagnostics] };
}

async function checkReuse(draft: PlanDraft, cwd: string, { env = {} }: LoadOptions): Promise<Diagnostic[]> {
  const drafts = [draft.prepare, ...draft.tasks.map(({ settings }) => settings.prepare)];
  if (!drafts.some(({ setup }) => setup?.some(({ value }) => value.outputs !== undefined))) return [];
  const { checkSetup } = await import("./check-setup.ts");
  return checkSetup(draft, { cwd, env });
}

/** Tasks that are made of one have its mistakes, at its place; one finding tells of all. */
function onceAPlace(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const found = new Map<string, Diagnostic>();
  for (const one of diagnostics) {
    const key = JSON.stringify([one.code, one.at]);
    if (!found.has(key)) found.set(key, one);
  }
  return [...found.values()];
}

export const formatNames = (): string[] => formats.map(({ name }) => name);

/** An unknown name is a bug of the caller, who knows `formatNames`. */
function chooseFormat(input: PlanInput, name: string | undefined): Detected {
  if (name === undefined) return detectFormat(input);
  const format: PlanFormat | undefined = formats.find((one) => one.name === name);
  if (!format) throw new Error(`unknown plan format ${name}`);
  return { format, diagnostic: null };
}

function failed(read: ReadSource, unlisted: Unlisted): LoadedPlan {
  const all = told(read.diagnostics, read.input, unlisted);
  return {
    plan: null,
    diagnostics: all,
    sources: sourcesOf(read),
    texts: new Map(),
    each: [],
    written: null,
  };
}

/** In the order of the file, as many as people read; last, how many more there are. */
function told(diagnostics: readonly Diagnostic[], input: PlanInput | null, before: Unlisted): Diagnostic[] {
  const { shown, unlisted } = bounded(sorted(diagnostics), before);
  if (unlisted.size === 0) return shown;
  const at = input?.kind === "file" ? endOf(input) : null;
  return [...shown, buildFileFinding("more-findings", { counts: unlisted }, at)];
}

function endOf({ path, text }: { readonly path: string; readonly text: string }): SourceRange {
  const lines = text.split("\n");
  const end = { line: lines.length, col: (lines.at(-1) ?? "").length + 1 };
  return { file: path, start: end, end };
}

function sourcesOf({ input, more = new Map() }: ReadSource): ReadonlyMap<string, string> {
  return new Map(input?.kind === "file" ? [[input.path, input.text], ...more] : more);
}

/** File by file, by place; what has none comes first. Sorting is stable, so findings about one place keep their order. */
function sorted(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const files = [...new Set(diagnostics.map(({ at }) => at?.file ?? ""))];
  const file = ({ at }: Diagnostic) => (at === null ? -1 : files.indexOf(at.file));
  const line = ({ at }: Diagnostic) => at?.start.line ?? 0;
  const col = ({ at }: Diagnostic) => at?.start.col ?? 0;
  return [...diagnostics].sort((a, b) => file(a) - file(b) || line(a) - line(b) || col(a) - col(b));
}

/**
 * A warning where agents change files and nothing checks any of it: such work lands as soon as the agents end. A command that
 * runs after an agent checks its work, as the validation of a wave does; read-only tasks land nothing.
 */
function checkGates({ tasks, gates, source }: Plan, input: PlanInput | null): Diagnostic[] {
  const isWritten = tasks.some(({ work, access }) => work.kind === "agent" && access === "write");
  const isChecked = tasks.some(
    (task) => task.gates.length > 0 || (task.work.kind === "command" && task.needs.length > 0),
  );
  if (!isWritten || gates.length > 0 || isChecked) return [];
  const at = input?.kind === "file" ? startOf(input.path) : null;
  return [buildFileFinding("no-gates", { format: source.format, path: source.path }, at)];
}
