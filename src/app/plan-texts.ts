import { readdir, realpath } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import type { Caps } from "../core/caps.ts";
import type { Binding, PlanDraft, TextLookup, TextSource } from "../core/draft.ts";
import { fill } from "../core/each/variables.ts";
import type { TextHash } from "../core/ids.ts";
import type { TextRef } from "../core/plan.ts";
import type { Diagnostic, SourceRange } from "../core/source.ts";
import { nearest } from "../core/suggest.ts";
import { quoted } from "../core/text/figures.ts";
import { buildFileFinding } from "./file-catalog.ts";
import { isInside } from "./folders.ts";
import { buildTextFinding, readText, sha256, type TextSubject } from "./read-text.ts";

export type PlanTexts = {
  readonly lookup: TextLookup;
  readonly texts: ReadonlyMap<TextHash, string>;
  readonly diagnostics: readonly Diagnostic[];
};

export type TextPlaces = {
  /** What names in the plan are relative to. */
  readonly folder: string;
  /** Files must lie below one of these, links followed. */
  readonly roots: readonly string[];
  /** What the folder is called, as the end of "the path starts at". */
  readonly from: string;
  readonly caps: Caps;
};

/** Reads every prompt and context file that a draft names, and hashes these and the texts written in the plan. */
export async function readPlanTexts(draft: PlanDraft, places: TextPlaces): Promise<PlanTexts> {
  const prompts = draft.tasks.flatMap(({ work }) => (work.kind === "agent" ? [work.prompt] : []));
  const outcomes = new Map<string, Outcome>();
  const texts = new Map<TextHash, string>();
  const diagnostics: Diagnostic[] = [];
  const obtained = async (source: TextSource): Promise<Outcome> => {
    const outcome = outcomes.get(keyOf(source)) ?? (await obtain(source, places, obtained));
    outcomes.set(keyOf(source), outcome);
    return outcome;
  };
  const settings = [draft.defaults, ...draft.tasks.map((task) => task.settings)];
  const systemPrompt = settings.flatMap((one) => one.systemPrompt ?? []);
  for (const { value: source, at } of [...draft.context, ...prompts, ...systemPrompt]) {
    const outcome = await obtained(source);
    if (outcome.ok) texts.set(outcome.ref.hash, outcome.text);
    else diagnostics.push(outcome.finding(at));
  }
  const lookup: TextLookup = (source) => {
    const outcome = outcomes.get(keyOf(source));
    return outcome?.ok ? outcome.ref : null;
  };
  return { lookup, texts, diagnostics };
}

type Outcome =
  | { readonly ok: true; readonly ref: TextRef; readonly text: string }
  | { readonly ok: false; readonly finding: (at: SourceRange) => Diagnostic };

/** The same file may serve many tasks, also with values of their own in it; it is read once. */
function keyOf(source: TextSource): string {
  if (source.kind === "inline") return `text:${source.text}`;
  return `file:${source.file}${source.fill === undefined ? "" : `:${JSON.stringify(source.fill)}`}`;
}

async function obtain(
  source: TextSource,
  places: TextPlaces,
  again: (source: TextSource) => Promise<Outcome>,
): Promise<Outcome> {
  if (source.kind === "file") {
    const { file, fill: values } = source;
    return values === undefined
      ? readNamed(file, places)
      : filled(await again({ kind: "file", file }), values, places);
  }
  const bytes = Buffer.byteLength(source.text);
  const { maxPromptBytes } = places.caps;
  if (bytes > maxPromptBytes) return tooLarge("the prompt", bytes, maxPromptBytes);
  return { ok: true, ref: { hash: sha256(source.text), bytes, file: null }, text: source.text };
}

/** The hash is that of what the agent gets. */
function filled(read: Outcome, values: readonly Binding[], { caps }: TextPlaces): Outcome {
  if (!read.ok) return read;
  const text = fill(read.text, values);
  const bytes = Buffer.byteLength(text);
  if (bytes > caps.maxPromptBytes) return tooLarge("the prompt with its values", bytes, caps.maxPromptBytes);
  return { ok: true, ref: { ...read.ref, hash: sha256(text), bytes }, text };
}

async function readNamed(file: string, { folder, roots, from, caps }: TextPlaces): Promise<Outcome> {
  const path = resolve(folder, file);
  const name = quoted(file);
  const real = await realpath(path).catch(() => path); // why it failed is told by reading it
  const realRoots = await Promise.all(roots.map((root) => realpath(root)));
  if (!realRoots.some((root) => isInside(root, real))) {
    const target = roots.some((root) => isInside(root, path)) ? real : null;
    return { ok: false, finding: (at) => buildFileFinding("file-outside", { file, target }, at) };
  }
  const read = await readText(real, caps.maxPromptBytes);
  if (!read.ok) {
    const subject: TextSubject = {
      noun: "prompt",
      subject: `the file ${name}`,
      tooLarge: "prompt-too-large",
      from,
    };
    const suggestion = read.reason === "missing" ? await findNear(path) : null;
    return { ok: false, finding: (at) => buildTextFinding({ ...read, suggestion }, subject, at) };
  }
  if (read.text.trim() === "")
    return { ok: false, finding: (at) => buildFileFinding("file-empty", { file }, at) };
  // The hash is that of the text as agents get it, without a byte order mark.
  const bytes = Buffer.byteLength(read.text);
  return { ok: true, ref: { hash: sha256(read.text), bytes, file }, text: read.text };
}

async function findNear(path: string): Promise<string | null> {
  const names = await readdir(dirname(path)).catch(() => []); // no such folder: nothing to suggest
  return nearest(basename(path), names);
}

function tooLarge(subject: string, bytes: number, limit: number): Outcome {
  const problem = `is too large: ${bytes} bytes (limit: ${limit})`;
  return { ok: false, finding: (at) => buildFileFinding("prompt-too-large", { subject, problem }, at) };
}
