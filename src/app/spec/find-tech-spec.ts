import { realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { plait } from "../../core/text/command.ts";
import { fix } from "../../core/text/sentence.ts";
import { statusOfFolder } from "../../spec/tech-spec/lifecycle.ts";
import { numberAsked, techSpecId } from "../../spec/tech-spec/names.ts";
import { type OrRefusal, refuse } from "../host.ts";
import { outOfReach, TECH_SPECS } from "./tech-spec-files.ts";
import {
  type KnownSpec,
  knownSpec,
  listTechSpecs,
  readTechSpecFile,
  type SpecQuestion,
} from "./tech-specs.ts";

/**
 * The tech spec that somebody means: by its id, as TS-0042, ts-42 or 42, or by its path. It may be broken, and where two files have the
 * id, one of them is given with a finding that names both.
 */
export async function findTechSpec(
  word: string,
  question: SpecQuestion,
): Promise<OrRefusal<{ readonly found: KnownSpec }>> {
  const refusal = await outOfReach(question.root);
  const specs = refusal === null ? await listTechSpecs(question) : [];
  const number = numberAsked(word);
  if (number === null) return { ok: true, found: await byPath(word, specs, question) };
  if (refusal !== null) return { ok: false, refusal };
  const found = specs.find((spec) => spec.number === number);
  if (found !== undefined) return { ok: true, found };
  const hint =
    specs.length === 0
      ? fix("create one", plait("spec new", { placeholder: "title" }))
      : fix("list the tech specs", plait("spec list"));
  return refuse("request", `unknown tech spec ${techSpecId(number)}`, hint);
}

/** One that lies outside of tech-specs/, or in that of a part of the repository, can be looked at as well. */
async function byPath(
  word: string,
  specs: readonly KnownSpec[],
  { cwd, caps }: SpecQuestion,
): Promise<KnownSpec> {
  const asked = resolve(cwd, word);
  const folder = await realpath(dirname(asked)).catch(() => dirname(asked)); // not there: that is told
  const path = join(folder, basename(asked));
  const listed = specs.find((spec) => spec.path === path);
  if (listed !== undefined) return listed;
  const file = relative(cwd, path) || word;
  const top = `/${TECH_SPECS}/`;
  const from = `${folder}/`.lastIndexOf(top);
  const named = { folder: from === -1 ? "" : folder.slice(from + top.length), name: basename(path) };
  const root = statusOfFolder(named.folder) === null ? null : folder.slice(0, from);
  return knownSpec({ named, path, file, root }, await readTechSpecFile({ file, path }, caps));
}
