import { type SkillsMapping, skillsToLoad } from "../../formats/cpo/skills.ts";
import { type Ecosystem, parsePackageSpec } from "../../formats/packages/spec.ts";
import { API_SCHEMA, typesPath } from "../contracts.ts";
import type {
  PackageLists,
  SpecContents,
  SpecDependencies,
  SpecFile,
  SpecTask,
  SpecWave,
  Technology,
} from "../spec-contents.ts";
import type { Design, DesignTask } from "./schema.ts";

/** What a design does not say of itself. */
export type AboutDesign = Pick<SpecContents, "techSpecId" | "name" | "techSpec" | "prd" | "generatedAt"> & {
  /** Of its documents; without them none is known. */
  readonly requirements?: SpecContents["requirements"];
  /** What the user or the project says; null leaves it to the design, and without a word of it to Python. */
  readonly technology: Technology | null;
  readonly skillsMapping: SkillsMapping;
  /** Pinned, where somebody has done that; else as the design has them. */
  readonly dependencies?: SpecDependencies;
};

/** All that an artefact folder says, from a design that holds. */
export function contentsOf(design: Design, about: AboutDesign): SpecContents {
  const { skillsMapping, dependencies = dependenciesOf(design), ...said } = about;
  const technology = about.technology ?? design.manifest?.technology ?? "python";
  const contracts = contractFiles(design, technology);
  const tasks = design.tasks
    .map((task) => taskOf(task, { contracts, skillsMapping }))
    .sort((a, b) => a.wave - b.wave || (a.id < b.id ? -1 : 1));
  const waves = wavesOf(design);
  return {
    ...said,
    technology,
    pythonVersion: design.manifest?.python_version ?? null,
    maxParallel: Math.max(...waves.map(({ number }) => tasks.filter(({ wave }) => wave === number).length)),
    dependencies,
    requirements: about.requirements ?? [],
    outOfScope: design.out_of_scope ?? [],
    waves,
    tasks,
    contracts,
    context: design.context_summary,
    architecture: design.architecture_summary,
  };
}

function contractFiles({ contracts }: Design, technology: Technology): SpecFile[] {
  const { types, api_schema: api } = contracts;
  const file = (path: string, text: string | null | undefined) =>
    text ? [{ path, text: text.replace(/\n?$/, "\n") }] : [];
  return [...file(typesPath(technology), types), ...file(API_SCHEMA, api)];
}

type Around = { readonly contracts: readonly SpecFile[]; readonly skillsMapping: SkillsMapping };

/** Skills of its own come before those of the mapping; without contracts of its own it relies on all. */
function taskOf(task: DesignTask, { contracts, skillsMapping }: Around): SpecTask {
  const { id, title, component, wave, agent, scope, objective, requirements, checklist } = task;
  const named = task.contracts ?? [];
  return {
    ...{ id, title: title.trim(), component, wave, agent, objective, requirements, checklist },
    deps: task.deps ?? [],
    skills: skillsToLoad({ agent, own: task.skills ?? [] }, skillsMapping),
    contracts: named.length > 0 ? named : contracts.map(({ path }) => path),
    covers: trimmed(task.covers ?? []),
    operations: trimmed(task.operations ?? []),
    create: trimmed(scope.create),
    modify: trimmed(scope.modify),
    boundary: trimmed(scope.boundary),
    hours: task.hours ?? null,
  };
}

const trimmed = (texts: readonly string[]): string[] => texts.map((text) => text.trim());

function wavesOf({ tasks, waves }: Design): SpecWave[] {
  const numbers = [...new Set(tasks.map(({ wave }) => wave))].sort((a, b) => a - b);
  return numbers.map((number) => ({
    number,
    validation: waves?.find((wave) => wave.number === number)?.validation ?? null,
  }));
}

/** What the design wants installed: for all, and what tasks need besides. A package that is named for all is settled by that. */
export function dependenciesOf({ manifest, tasks }: Design): SpecDependencies {
  const lists = (ecosystem: Ecosystem): PackageLists => {
    const said = manifest?.dependencies?.[ecosystem];
    const wanted = [...(said?.add ?? []), ...(said?.upgrade ?? []), ...(said?.add_dev ?? [])];
    const settled = new Set(wanted.map((spec) => packageKey(spec, ecosystem)));
    const needed = tasks.flatMap(({ dependencies }) => dependencies?.[ecosystem] ?? []);
    const more = [...new Set(needed)].filter((spec) => !settled.has(packageKey(spec, ecosystem)));
    const { remove, upgrade, add, add_dev } = said ?? {};
    const all = { remove, upgrade, add: [...(add ?? []), ...more], add_dev };
    return Object.fromEntries(Object.entries(all).filter(([, list]) => list && list.length > 0));
  };
  const all = { python: lists("python"), node: lists("node") };
  return Object.fromEntries(Object.entries(all).filter(([, of]) => Object.keys(of).length > 0));
}

/** As indices compare names: without version and extras. What cannot be read is told of by who checks it. */
function packageKey(spec: string, ecosystem: Ecosystem): string {
  const parsed = parsePackageSpec(spec, ecosystem);
  return parsed.ok ? parsed.spec.key : spec;
}
