// What a tech spec is made from, as it was typed: a tech spec that is there, product requirements, or a sentence. Nothing of it is
// remembered elsewhere: the tech spec names its source, so the same words find it again.

import { stat } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { plait } from "../../../core/text/command.ts";
import { fix } from "../../../core/text/sentence.ts";
import { numberAsked, toOneLine } from "../../../spec/tech-spec/names.ts";
import { type OrRefusal, refuse } from "../../host.ts";
import { readText } from "../../read-text.ts";
import { findTechSpec, type KnownSpec, listTechSpecs, type SpecQuestion } from "../tech-specs.ts";

export type SpecSource =
  | { readonly kind: "prd"; readonly file: string; readonly path: string; readonly text: string }
  | { readonly kind: "sentence"; readonly text: string };

export type FoundSource = {
  /** Null where the tech spec itself was named. */
  readonly source: SpecSource | null;
  /** Null where none is made of the source yet. */
  readonly known: KnownSpec | null;
};

export async function readSource(
  words: readonly string[],
  question: SpecQuestion,
): Promise<OrRefusal<FoundSource>> {
  const typed = words.join(" ").trim();
  const [only = ""] = words;
  if (words.length === 1 && numberAsked(only) !== null) return byName(only, question);
  const found = await stat(resolve(question.cwd, typed)).catch(() => null); // a sentence may even be too long for a name
  if (found !== null) return byFile(typed, question);
  if (/^\S+\.\w{1,8}$|^\S*\/\S*$/.test(typed)) {
    const hint = fix("pass a file, an id or a description", plait("spec go", { placeholder: "description" }));
    return refuse("request", `${typed} does not exist`, hint);
  }
  if (!/\S\s+\S/.test(typed))
    return refuse(
      "request",
      `${JSON.stringify(typed)} is not a file or an id, and is too short for a description`,
      fix("describe it in a sentence", plait("spec go", "Low-stock reports")),
    );
  const text = typed;
  const made = await listMade(question, ({ spec }) => spec?.source === toOneLine(text));
  return oneOf(made, { kind: "sentence", text });
}

async function byName(word: string, question: SpecQuestion): Promise<OrRefusal<FoundSource>> {
  const asked = await findTechSpec(word, question);
  return asked.ok ? { ok: true, source: null, known: asked.found } : asked;
}

/** A file with the id of a tech spec is one, wherever it lies. */
async function byFile(file: string, question: SpecQuestion): Promise<OrRefusal<FoundSource>> {
  const { root, cwd, caps } = question;
  const asked = await byName(file, question);
  if (!asked.ok || asked.known?.said.id != null || asked.known?.folderStatus != null) return asked;
  const path = relative(root, resolve(cwd, file)).replaceAll("\\", "/");
  const read = await readText(resolve(cwd, file), caps.maxPromptBytes);
  if (!read.ok)
    return refuse("request", `${file} ${read.detail}`, "choose a text file with the requirements");
  if (read.text.trim() === "") return refuse("request", `${file} is empty`, "write the requirements first");
  const made = await listMade(question, ({ spec }) => spec?.relatedPrd === path);
  return oneOf(made, { kind: "prd", file, path, text: read.text });
}

/** Archived ones were given up: the same requirements may be taken up again. */
async function listMade(question: SpecQuestion, fits: (spec: KnownSpec) => boolean): Promise<KnownSpec[]> {
  const all = await listTechSpecs(question);
  return all.filter((one) => fits(one) && one.spec?.status !== "archived");
}

function oneOf(made: readonly KnownSpec[], source: SpecSource): OrRefusal<FoundSource> {
  const [known = null, ...others] = made;
  if (others.length === 0) return { ok: true, source, known };
  const ids = made.flatMap(({ spec }) => spec?.id ?? []);
  const hint = fix("choose one", plait("spec go", ids.at(-1) ?? ""));
  return refuse("request", `${ids.length} tech specs come from this file: ${ids.join(", ")}`, hint);
}
