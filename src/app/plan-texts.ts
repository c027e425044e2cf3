import { readdir, realpath } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { quoted } from "../core/analyze/words.ts";
import { type Caps, capFlags } from "../core/caps.ts";
import type { Binding, PlanDraft, TextLookup, TextSource } from "../core/draft.ts";
import { fill } from "../core/each/variables.ts";
import type { TextHash } from "../core/ids.ts";
import type { TextRef } from "../core/plan.ts";
import { type Diagnostic, diagnostic } from "../core/source.ts";
import { nearest } from "../core/suggest.ts";
import type { AppCode } from "./codes.ts";
import { isInside } from "./is-inside.ts";
import { readText, sha256, type TextFailure } from "./read-text.ts";
import { textCodes } from "./text-codes.ts";

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
  /** What the folder is called, as the end of "names are taken from". */
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
    else diagnostics.push(diagnostic({ ...outcome.words, at }));
  }
  const lookup: TextLookup = (source) => {
    const outcome = outcomes.get(keyOf(source));
    return outcome?.ok ? outcome.ref : null;
  };
  return { lookup, texts, diagnostics };
}

type Words = { readonly code: AppCode; readonly message: string; readonly hint: string | null };

type Outcome =
  | { readonly ok: true; readonly ref: TextRef; readonly text: string }
  | { readonly ok: false; readonly words: Words };

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
  if (bytes > maxPromptBytes)
    return refused("too-large", `the text has ${bytes} bytes, the limit is ${maxPromptBytes}`);
  return { ok: true, ref: { hash: sha256(source.text), bytes, file: null }, text: source.text };
}

/** The hash is that of what the agent gets. */
function filled(read: Outcome, values: readonly Binding[], { caps }: TextPlaces): Outcome {
  if (!read.ok) return read;
  const text = fill(read.text, values);
  const bytes = Buffer.byteLength(text);
  if (bytes > caps.maxPromptBytes)
    return refused(
      "too-large",
      `the text with its values has ${bytes} bytes, the limit is ${caps.maxPromptBytes}`,
    );
  return { ok: true, ref: { ...read.ref, hash: sha256(text), bytes }, text };
}

async function readNamed(file: string, { folder, roots, from, caps }: TextPlaces): Promise<Outcome> {
  const path = resolve(folder, file);
  const name = quoted(file);
  const real = await realpath(path).catch(() => path); // why it failed is told by reading it
  const realRoots = await Promise.all(roots.map((root) => realpath(root)));
  if (!realRoots.some((root) => isInside(root, real))) {
    const isLink = roots.some((root) => isInside(root, path));
    const what = isLink ? `is a link to ${quoted(real)}, which is` : "is";
    return refused(
      "outside",
      `the file ${name} ${what} neither in the plan's folder nor below the current one`,
    );
  }
  const read = await readText(real, caps.maxPromptBytes);
  if (!read.ok)
    return refused(
      read.reason,
      `the file ${name} ${read.detail}`,
      await missingHint(path, read.reason, from),
    );
  if (read.text.trim() === "") return refused("empty", `the file ${name} is empty`);
  // The hash is that of the text as agents get it, without a byte order mark.
  const bytes = Buffer.byteLength(read.text);
  return { ok: true, ref: { hash: sha256(read.text), bytes, file }, text: read.text };
}

/** A file with almost the same name in the same folder, else where names start. */
async function missingHint(path: string, reason: TextFailure, from: string): Promise<string | null> {
  if (reason !== "missing") return null;
  const names = await readdir(dirname(path)).catch(() => []); // no such folder: nothing to suggest
  const near = nearest(basename(path), names);
  return near === null ? `names are relative to ${from}` : `did you mean ${quoted(near)}?`;
}

const codeOf: { readonly [Reason in TextFailure | "outside" | "empty"]: AppCode } = {
  ...textCodes,
  "too-large": "prompt-too-large",
  outside: "file-outside",
  empty: "file-empty",
};

const hints: { readonly [Reason in keyof typeof codeOf]?: string } = {
  "too-large": `${capFlags.maxPromptBytes} raises the limit`,
  "not-text": "prompts and context are text in UTF-8",
  outside: "copy it beside the plan",
};

function refused(reason: keyof typeof codeOf, message: string, hint: string | null = null): Outcome {
  return { ok: false, words: { code: codeOf[reason], message, hint: hint ?? hints[reason] ?? null } };
}
