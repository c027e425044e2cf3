import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Caps } from "../../core/caps.ts";
import type { Diagnostic, SourceRange } from "../../core/source.ts";
import { plait } from "../../core/text/command.ts";
import { fix } from "../../core/text/sentence.ts";
import { buildTechSpecFinding } from "../../spec/tech-spec/catalog.ts";
import { type SpecStatus, statusOfFolder, statusWord } from "../../spec/tech-spec/lifecycle.ts";
import { numberAsked, numberOfFile, techSpecId } from "../../spec/tech-spec/names.ts";
import { type ReadTechSpec, readTechSpec } from "../../spec/tech-spec/tech-spec.ts";
import { errnoOrThrow, ifMissing } from "../../util/errno.ts";
import { type OrRefusal, type Refusal, refuse } from "../host.ts";
import { buildTextFinding, CURRENT_FOLDER, readText } from "../read-text.ts";

/** A file below tech-specs/ with what it says, or what is wrong with it. */
export type KnownSpec = ReadSpecFile & {
  /** As findings call it: from the folder that was asked in. */
  readonly file: string;
  readonly path: string;
  /** The folder that holds its tech-specs/; null where it lies in none. */
  readonly root: string | null;
  /** That of its folder; null where that says nothing. */
  readonly folderStatus: SpecStatus | null;
  /** By its front matter, else by its name. */
  readonly number: number | null;
};

export type SpecQuestion = { readonly root: string; readonly cwd: string; readonly caps: Caps };

/** Every tech spec by its number, the broken ones too, each with all that is wrong with it or with its place. */
export async function listTechSpecs({ root, cwd, caps }: SpecQuestion): Promise<KnownSpec[]> {
  const known = await Promise.all(
    (await techSpecFiles(root)).map(async (named) => {
      const path = join(root, TECH_SPECS, named.folder, named.name);
      const file = relative(cwd, path);
      return knownSpec({ named, path, file, root }, await readTechSpecFile({ file, path }, caps));
    }),
  );
  const byNumber = (a: KnownSpec, b: KnownSpec) => (a.number ?? Infinity) - (b.number ?? Infinity);
  return withTwins(known).sort((a, b) => byNumber(a, b) || (a.file < b.file ? -1 : 1));
}

type Placed = Pick<KnownSpec, "path" | "file" | "root"> & { readonly named: SpecFileName };

/** A file with what is wrong with its place, beside what is wrong in it. */
function knownSpec({ named, path, file, root }: Placed, read: ReadSpecFile): KnownSpec {
  const folderStatus = root === null ? null : statusOfFolder(named.folder);
  const byName = numberOfFile(named.name);
  const number = numberAsked(read.said.id?.value ?? "") ?? byName;
  const misplaced =
    root === null || read.spec === null ? [] : misplacedFindings(read.spec, { folderStatus, byName, named });
  const diagnostics = [...read.diagnostics, ...misplaced];
  return { ...read, diagnostics, file, path, root, folderStatus, number };
}

type Around = {
  readonly folderStatus: SpecStatus | null;
  readonly byName: number | null;
  readonly named: SpecFileName;
};

function misplacedFindings(
  { id, status, at, statusAt }: NonNullable<ReadSpecFile["spec"]>,
  { folderStatus, byName, named }: Around,
): Diagnostic[] {
  const found: Diagnostic[] = [];
  if (folderStatus !== status) {
    const folder = named.folder === "" ? TECH_SPECS : named.folder;
    const params = { kind: "folder", id, status, statusWord: statusWord(status), folder } as const;
    found.push(buildTechSpecFinding("tech-spec-place", params, statusAt));
  }
  if (byName !== null && byName !== numberAsked(id))
    found.push(buildTechSpecFinding("tech-spec-place", { kind: "name", id, named: techSpecId(byName) }, at));
  return found;
}

/** Each of two with one id is told of the other. */
function withTwins(specs: readonly KnownSpec[]): KnownSpec[] {
  const holders = new Map<number, KnownSpec[]>();
  for (const spec of specs) {
    if (spec.number === null) continue;
    const same = holders.get(spec.number) ?? [];
    holders.set(spec.number, [...same, spec]);
  }
  return specs.map((spec) => {
    const others = (holders.get(spec.number ?? -1) ?? []).filter((one) => one !== spec);
    return others.length === 0 ? spec : { ...spec, diagnostics: [...spec.diagnostics, twice(spec, others)] };
  });
}

function twice(spec: KnownSpec, others: readonly KnownSpec[]): Diagnostic {
  const params = { id: techSpecId(spec.number ?? 0), files: others.length + 1 };
  const related = others.map((other) => ({ at: idPlace(other) }));
  return buildTechSpecFinding("tech-spec-twice", params, idPlace(spec), { related });
}

function idPlace({ said, file }: KnownSpec): SourceRange {
  const start = { line: 1, col: 1 };
  return said.id?.at ?? { file, start, end: start };
}

type ReadSpecFile = ReadTechSpec & {
  /** Null where it could not be read. */
  readonly text: string | null;
};

/** `file` is what findings call it, `path` where it is. */
export async function readTechSpecFile(
  { file, path }: { readonly file: string; readonly path: string },
  caps: Caps,
): Promise<ReadSpecFile> {
  const found = await readText(path, caps.maxPlanBytes);
  if (!found.ok) {
    const diagnostics = [buildTextFinding(found, TECH_SPEC, file)];
    return { spec: null, said: { id: null, title: null }, diagnostics, text: null };
  }
  const { text } = found;
  return { ...readTechSpec({ file, text }, caps), text };
}

const TECH_SPEC = { noun: "tech spec", tooLarge: "tech-spec-too-large", from: CURRENT_FOLDER } as const;

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

export const TECH_SPECS = "tech-specs";

type SpecFileName = {
  /** From tech-specs/, with slashes; empty for that folder itself. */
  readonly folder: string;
  readonly name: string;
};

/**
 * All below tech-specs/, in the order of their folders and names. In the folder itself only names with a number count: other documents
 * lie there too, as in all of them a README.
 */
export async function techSpecFiles(root: string): Promise<SpecFileName[]> {
  const top = join(root, TECH_SPECS);
  const years = (await entriesOf(join(top, "archive"))).filter((entry) => entry.isDirectory());
  const archived = years.map(({ name }) => `archive/${name}`);
  const folders = ["", "draft", "approved", "reference", "archive", ...archived];
  const found: SpecFileName[] = [];
  for (const folder of folders) {
    const names = (await entriesOf(join(top, folder))).filter((entry) => !entry.isDirectory());
    for (const { name } of names) if (isSpec(folder, name)) found.push({ folder, name });
  }
  return found;
}

/** Why they cannot be looked for: a file has the name of their folder, or one of the folders may not be read. Null where they can. */
export async function outOfReach(root: string): Promise<Refusal | null> {
  try {
    await techSpecFiles(root);
  } catch (error) {
    const code = errnoOrThrow(error);
    const { path = join(root, TECH_SPECS) } = error as NodeJS.ErrnoException;
    return { kind: "environment", message: `cannot read ${path} (${code})`, hint: "check its permissions" };
  }
  const top = await stat(join(root, TECH_SPECS)).catch(() => null); // nothing is there yet
  if (top === null || top.isDirectory()) return null;
  const message = `${TECH_SPECS} is a file, not a folder`;
  return { kind: "request", message, hint: "move or delete it; nothing was changed" };
}

function isSpec(folder: string, name: string): boolean {
  if (name.startsWith(".") || !/\.md$/i.test(name) || /^(?:readme|index|template)\.md$/i.test(name))
    return false;
  return numberOfFile(name) !== null || (folder !== "" && folder !== "archive");
}

/** By name; none where there is no such folder. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  const none = ifMissing([]);
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(none);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}
