export const technologies = ["python", "django", "typescript", "go"] as const;
export type Technology = (typeof technologies)[number];

/** The path is below the artefact folder, with slashes. */
export type SpecFile = { readonly path: string; readonly text: string };

/** All that an artefact folder says, before it is written: whoever decides it, the files are made from this. */
export type SpecContents = {
  /** `TS-0042`. */
  readonly techSpecId: string;
  /** A slug. */
  readonly name: string;
  readonly technology: Technology;
  readonly pythonVersion: string | null;
  /** From the root of the repository, as the manifest names them; null where there is none. */
  readonly techSpec: string | null;
  readonly prd: string | null;
  /** ISO time. */
  readonly generatedAt: string;
  /** How many tasks may run at once; null where nobody has said. */
  readonly maxParallel: number | null;
  readonly dependencies: SpecDependencies;
  /** What the documents ask for, with its place there. */
  readonly requirements: readonly SpecRequirement[];
  readonly outOfScope: readonly OutOfScope[];
  /** By number, from 1. */
  readonly waves: readonly SpecWave[];
  /** By wave, then by id. */
  readonly tasks: readonly SpecTask[];
  readonly contracts: readonly SpecFile[];
  /** What context.md says: every agent is told it. */
  readonly context: string;
  /** Words in front of the picture in architecture.md. */
  readonly architecture: string;
};

/** `file` is from the root of the repository. */
export type SpecRequirement = {
  readonly id: string;
  readonly text: string;
  readonly file: string;
  readonly line: number;
};

export type OutOfScope = { readonly id: string; readonly reason: string };

/** A validation of null: nothing is run after the wave. */
export type SpecWave = { readonly number: number; readonly validation: string | null };

export type SpecDependencies = {
  readonly python?: PackageLists;
  readonly node?: PackageLists;
};

/** As the manifest has them: `fastapi==0.115.6`, `zod@3.24.1`. */
export type PackageLists = {
  readonly remove?: readonly string[];
  readonly upgrade?: readonly string[];
  readonly add?: readonly string[];
  readonly add_dev?: readonly string[];
};

export type SpecTask = {
  /** `task-001`. */
  readonly id: string;
  readonly title: string;
  /** A slug. The task file is called `<id>-<component>.md`. */
  readonly component: string;
  readonly wave: number;
  readonly deps: readonly string[];
  /** `plugin:agent`. */
  readonly agent: string;
  /** `plugin:skill`, each by its full name. */
  readonly skills: readonly string[];
  /** From the artefact folder. */
  readonly contracts: readonly string[];
  readonly covers: readonly string[];
  /** Operations of the API contract that it implements: `GET /products/{sku}`. */
  readonly operations: readonly string[];
  readonly create: readonly string[];
  readonly modify: readonly string[];
  readonly boundary: readonly string[];
  readonly objective: string;
  readonly requirements: readonly string[];
  readonly checklist: readonly string[];
  /** How long a person would take; null where nobody has said. */
  readonly hours: number | null;
};
