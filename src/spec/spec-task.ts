/** A task as its file and its prompt tell of it. */
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
  /** Ids of the requirements that it builds. */
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
