import { join, relative } from "node:path";
import type { Caps } from "../../core/caps.ts";
import type { Diagnostic, SourceRange } from "../../core/source.ts";
import { buildTechSpecFinding } from "../../spec/tech-spec/catalog.ts";
import { type SpecStatus, statusOfFolder, statusWord } from "../../spec/tech-spec/lifecycle.ts";
import { numberAsked, numberOfFile, techSpecId } from "../../spec/tech-spec/names.ts";
import { type ReadTechSpec, readTechSpec } from "../../spec/tech-spec/tech-spec.ts";
import { buildTextFinding, CURRENT_FOLDER, readText } from "../read-text.ts";
import { type SpecFileName, TECH_SPECS, techSpecFiles } from "./tech-spec-files.ts";

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
export function knownSpec({ named, path, file, root }: Placed, read: ReadSpecFile): KnownSpec {
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
