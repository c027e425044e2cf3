import { realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { Caps } from "../../core/caps.ts";
import { findPythonVersion, pythonVersionFiles } from "../../spec/align/python-project.ts";
import type { SpecFile, Technology } from "../../spec/spec-contents.ts";
import { specFolder } from "../../spec/spec-folder.ts";
import { isTechSpecId, numberAsked, techSpecId } from "../../spec/tech-spec/names.ts";
import { type OrRefusal, refuse } from "../host.ts";
import { makeFolder } from "../make-folder.ts";
import { repositoryAt } from "../plan-files.ts";
import { readText } from "../read-text.ts";
import { findTechSpec } from "./find-tech-spec.ts";
import { placeOf } from "./folder-place.ts";
import type { SpecQuestion } from "./tech-specs.ts";

export type InitRequest = {
  /** Absolute. */
  readonly folder: string;
  /** Where the user is. */
  readonly cwd: string;
  /** Its id, or the path of its file. */
  readonly techSpec: string;
  readonly name: string;
  readonly technology: Technology;
  readonly caps: Caps;
};

/** An artefact folder that is valid from the first moment, all of it or nothing. */
export async function initFolder({
  folder,
  cwd,
  techSpec,
  name,
  technology,
  caps,
}: InitRequest): Promise<OrRefusal<{ readonly files: readonly SpecFile[] }>> {
  const root = await realpath((await repositoryAt(folder)) ?? cwd);
  const source = await findSpecSource(techSpec, { root, cwd, caps });
  if (!source.ok) return source;
  const isPython = technology === "python" || technology === "django";
  const spec = {
    ...{ techSpecId: source.id, techSpec: source.file, name, technology },
    pythonVersion: isPython ? await readPythonVersion(root, caps) : null,
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

async function readPythonVersion(root: string, { maxPlanBytes }: Caps): Promise<string | null> {
  const texts = new Map<string, string>();
  for (const name of pythonVersionFiles) {
    const read = await readText(join(root, name), maxPlanBytes);
    if (read.ok) texts.set(name, read.text);
  }
  return findPythonVersion(texts);
}
