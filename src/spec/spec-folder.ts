import { contractsOf } from "./contracts.ts";
import type { SpecFile, SpecTask, Technology } from "./spec-contents.ts";
import { specFiles } from "./spec-files.ts";

/**
 * The folder that work is decomposed into, before anybody has thought about the work. It is complete and valid from the first
 * moment; the one task that it has says that it is to be replaced.
 */
export type SpecFolder = {
  readonly techSpecId: string;
  readonly name: string;
  readonly technology: Technology;
  /** ISO time. */
  readonly generatedAt: string;
  /** From the root of the repository; null or left out where it is not known. */
  readonly techSpec?: string | null;
  readonly pythonVersion?: string | null;
};

/** What the folder of a new spec holds. The same input gives the same bytes. `folder` is as for `specFiles`. */
export function specFolder(spec: SpecFolder, folder?: string): SpecFile[] {
  const contracts = contractsOf(spec);
  const task = exampleTask(
    spec,
    contracts.map(({ path }) => path),
  );
  const contents = {
    ...spec,
    pythonVersion: spec.pythonVersion ?? null,
    techSpec: spec.techSpec ?? null,
    prd: null,
    maxParallel: 3,
    dependencies: {},
    requirements: [],
    outOfScope: [],
    waves: [{ number: 1, validation: `test -s docs/${spec.techSpecId}-example.md` }],
    tasks: [task],
    contracts,
    context: contextText(spec),
    architecture: "REPLACE ME: the components, and how they work together.",
  };
  return specFiles(contents, folder);
}

/** Every Claude has it. */
const AGENT = "general-purpose";

function exampleTask({ techSpecId }: SpecFolder, contracts: readonly string[]): SpecTask {
  return {
    id: "task-001",
    title: "Example (replace)",
    component: "example",
    wave: 1,
    deps: [],
    agent: AGENT,
    skills: [],
    contracts,
    covers: [],
    operations: [],
    create: [`docs/${techSpecId}-example.md`],
    modify: [],
    boundary: ["parallel/**"],
    objective: `REPLACE ME: this is an example. Describe in one paragraph what this task of ${techSpecId} achieves.`,
    requirements: [`REPLACE ME: create docs/${techSpecId}-example.md with one line of text`],
    checklist: ["REPLACE ME: the file exists and is committed"],
    hours: null,
  };
}

function contextText({ techSpecId, name, technology }: SpecFolder): string {
  return `# ${techSpecId}: ${name}

Instructions added before the prompt of every task in this spec. REPLACE ME, and keep it short:

- what you are building and why, in three sentences
- technology: ${technology}; how to run the tests and the linter
- codebase conventions that an agent would not guess
`;
}
