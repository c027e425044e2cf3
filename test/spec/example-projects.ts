import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The two example projects: real code, a PRD, an approved tech spec, and a design that an agent could have made. */
export type ExampleProject = {
  readonly name: string;
  /** Of its tech spec. */
  readonly id: string;
  readonly techSpec: string;
  /** Where its artefact folder is made. */
  readonly folder: string;
};

export const python: ExampleProject = {
  name: "inventory-python",
  id: "TS-0042",
  techSpec: "tech-specs/approved/TS-0042-stock-reservations.md",
  folder: "parallel/TS-0042-stock-reservations",
};

export const typescript: ExampleProject = {
  name: "inventory-typescript",
  id: "TS-0051",
  techSpec: "tech-specs/approved/TS-0051-stock-transfers.md",
  folder: "parallel/TS-0051-stock-transfers",
};

export type Files = Readonly<Record<string, string>>;

/** As they stand before the work. */
export const projectFiles = ({ name }: ExampleProject): Files => filesIn(join(root, "examples", name));

/** What all tasks together create or change, well done: laid over the project, it is what the contracts ask for. */
export const doneFiles = ({ name }: ExampleProject): Files =>
  filesIn(join(root, "test/fixtures", `${name}-done`));

/** Where the artefact folder that its design makes is kept; the names end in `.expected`. */
export const goldenFolder = ({ name }: ExampleProject): string =>
  join(root, "test/spec/golden/examples", name);

/** The artefact folder as it is kept: what is tried on it needs no decomposition. */
export function keptFolder(project: ExampleProject): Files {
  const files = Object.entries(filesIn(goldenFolder(project)));
  return Object.fromEntries(
    files.map(([path, text]) => [`${project.folder}/${path.replace(/\.expected$/, "")}`, text]),
  );
}

/** Every file below a folder, by its path from there. */
export function filesIn(folder: string): Files {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}
