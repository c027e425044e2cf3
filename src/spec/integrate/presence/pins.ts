// Versions that the manifest pins, compared with those in the project.

import type { Manifest } from "../../../formats/cpo/manifest.ts";
import { type Ecosystem, parsePackageSpec, pinnedVersion } from "../../../formats/packages/spec.ts";
import { type Installed, projectFiles, readProject } from "../../align/project.ts";
import { rangesOf } from "../../align/ranges.ts";
import { buildFinding } from "../catalog/catalog.ts";
import type { FoundFinding } from "../finding.ts";
import type { SourceProject } from "../project.ts";

/** In the root of the project, where the manifest's packages are installed. */
export async function listPinFindings(
  dependencies: Manifest["dependencies"],
  project: SourceProject,
): Promise<FoundFinding[]> {
  const pins = (["python", "node"] as const).flatMap((ecosystem) => pinsOf(dependencies, ecosystem));
  if (pins.length === 0) return [];
  const names = project.paths.filter((path) => !path.includes("/"));
  const texts = new Map<string, string>();
  for (const name of projectFiles.filter((one) => names.includes(one))) {
    const text = await project.read(name);
    if (text !== null) texts.set(name, text);
  }
  const installed = readProject(names, texts);
  const found: FoundFinding[] = [];
  for (const pin of pins) {
    const finding = await findChangedVersion(pin, installed[pin.ecosystem].installed, texts);
    if (finding !== null) found.push(finding);
  }
  return found;
}

type Pin = Readonly<Record<"name" | "key" | "version", string>> & { readonly ecosystem: Ecosystem };

function pinsOf(dependencies: Manifest["dependencies"], ecosystem: Ecosystem): Pin[] {
  const packages = dependencies[ecosystem];
  if (packages === null) return [];
  return [...packages.upgrade, ...packages.add, ...packages.add_dev].flatMap(({ value }) => {
    const parsed = parsePackageSpec(value, ecosystem);
    if (!parsed.ok || parsed.spec.source.kind !== "range") return [];
    const { name, key, source } = parsed.spec;
    const version = pinnedVersion(source.range, ecosystem);
    return version === null ? [] : [{ ecosystem, name, key, version }];
  });
}

/** Null: the version is the pinned one, or unknown. */
async function findChangedVersion(
  { ecosystem, name, key, version }: Pin,
  { direct, lockFile }: Installed,
  texts: ReadonlyMap<string, string>,
): Promise<FoundFinding | null> {
  const files = ecosystem === "node" ? ["package.json"] : ["pyproject.toml", "requirements.txt"];
  const file = files.find((one) => texts.has(one));
  if (file === undefined) return null;
  const pin = `${ecosystem === "python" ? `${name}==` : `${name}@`}${version}`;
  const found = direct.get(key);
  if (found === undefined) {
    const place = { about: name, at: { file, line: null }, weight: "should" } as const;
    return buildFinding("version-changed", { pin, version, file, has: null }, place);
  }
  const { satisfies, compare, isVersion } = await rangesOf(ecosystem);
  const where = found.version !== null && lockFile !== null ? lockFile : file;
  const at = { file: where, line: lineNaming(texts.get(where) ?? "", name) };
  const changed = (has: string) =>
    buildFinding("version-changed", { pin, version, file: where, has }, { about: name, at });
  if (found.version !== null) {
    const isSame = isVersion(found.version)
      ? compare(found.version, version) === 0
      : found.version === version;
    return isSame ? null : changed(found.version);
  }
  return found.range === null || satisfies(version, found.range) ? null : changed(found.range);
}

/** The first line that has the name as a word of its own; in a lock file of npm, that of the package itself. */
function lineNaming(text: string, name: string): number | null {
  const plain = (one: string) => one.toLowerCase().replaceAll("_", "-");
  const lines = text.split("\n").map((line) => plain(line).split(/[^\w@./-]+/));
  const lineOf = (word: string) => lines.findIndex((words) => words.includes(word)) + 1;
  return lineOf(`node-modules/${plain(name)}`) || lineOf(plain(name)) || null;
}
