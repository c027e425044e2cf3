import { realpath } from "node:fs/promises";
import { basename, relative, sep } from "node:path";
import type { Caps } from "../../core/caps.ts";
import { findPythonVersion, pythonVersionFiles } from "../../spec/align/python-project.ts";
import { PARALLEL } from "../../spec/setup-files.ts";
import type { SpecFile, Technology } from "../../spec/spec-contents.ts";
import { specFolder } from "../../spec/spec-folder.ts";
import { isTechSpecId, numberAsked, techSpecId } from "../../spec/tech-spec/names.ts";
import { type OrRefusal, refuse } from "../host.ts";
import { makeFolder } from "../make-folder.ts";
import { repositoryAt } from "../plan-files.ts";
import { readTexts } from "../read-text.ts";
import { findTechSpec, type SpecQuestion } from "./tech-specs.ts";

export type InitRequest = {
  /** Absolute. */
  readonly folder: string;
  readonly cwd: string;
  /** Its id, or the path of its file. */
  readonly techSpec: string;
  readonly name: string;
  readonly technology: Technology;
  readonly caps: Caps;
};

/** An artefact folder that is valid from the first moment, all of it or nothing. */
export async function initFolder(
  asked: InitRequest,
): Promise<OrRefusal<{ readonly files: readonly SpecFile[] }>> {
  const { folder, cwd, techSpec, name, technology, caps } = asked;
  const root = await realpath((await repositoryAt(folder)) ?? cwd);
  const source = await findSpecSource(techSpec, { root, cwd, caps });
  if (!source.ok) return source;
  const isPython = technology === "python" || technology === "django";
  const spec = {
    ...{ techSpecId: source.id, techSpec: source.file, name, technology },
    pythonVersion: isPython
      ? findPythonVersion(await readTexts(root, pythonVersionFiles, caps.maxPlanBytes))
      : null,
    generatedAt: new Date().toISOString(),
  };
  const files = specFolder(spec, await placeOf(folder));
  const made = await makeFolder(folder, files);
  return made.ok ? { ok: true, files } : made;
}

/** The id, and the file from the root of the repository; null where an id has no file yet, or the file is outside. */
type SpecSource = { readonly id: string; readonly file: string | null };

async function findSpecSource(word: string, question: SpecQuestion): Promise<OrRefusal<SpecSource>> {
  const asked = numberAsked(word);
  const found = await findTechSpec(word, question);
  const file = found.ok && found.found.text !== null ? formatPlace(question.root, found.found.path) : null;
  if (asked !== null) return { ok: true, id: isTechSpecId(word) ? word : techSpecId(asked), file };
  if (!found.ok) return found;
  const { text, number, spec } = found.found;
  if (text === null) {
    const hint = "pass the id or file of a tech spec, such as: -t TS-0042";
    return refuse("request", `${JSON.stringify(word)} is not the id of a tech spec or a text file`, hint);
  }
  if (number !== null) return { ok: true, id: spec?.id ?? techSpecId(number), file };
  const hint = "add an id to its front matter: tech_spec_id: TS-0042";
  return refuse("request", `${word} has no tech spec id`, hint);
}

function formatPlace(root: string, path: string): string | null {
  const way = relative(root, path);
  return way.startsWith("..") ? null : way.split(sep).join("/");
}

/** Where a folder lies in its repository, with slashes, also before it is made. Outside of one: where such folders usually lie. */
async function placeOf(folder: string): Promise<string> {
  const repository = await repositoryAt(folder);
  return repository === null
    ? `${PARALLEL}/${basename(folder)}`
    : relative(repository, folder).replaceAll("\\", "/");
}
