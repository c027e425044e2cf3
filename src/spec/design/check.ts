import type { Diagnostic } from "../../core/source.ts";
import type { RequirementSet } from "../requirements/gather-requirements.ts";
import type { Technology } from "../spec-contents.ts";
import { checkAgents } from "./check-agents.ts";
import { checkComplete } from "./check-complete.ts";
import { type CheckContracts, checkGivenContracts, checkNamedContracts } from "./check-contracts.ts";
import { checkExistence } from "./check-existence.ts";
import { checkPackages } from "./check-packages.ts";
import { checkScopes } from "./check-scopes.ts";
import { checkShape, checkSizes } from "./check-size.ts";
import { checkTasks } from "./check-tasks.ts";
import { checkWaves } from "./check-waves.ts";
import { withJsonPaths } from "./json-path.ts";
import { locatedTasks } from "./located.ts";
import type { DesignRead } from "./read.ts";

/** What a design is held against. */
export type DesignSurroundings = {
  /** Agents that there are, as `plugin:agent`; null: nobody knows, so any of that form is good. */
  readonly knownAgents: readonly string[] | null;
  readonly checkContracts: CheckContracts;
  /** Files of the repository, from its root; null: nobody knows. */
  readonly tracked: readonly string[] | null;
  /** What the user or the project says; null leaves it to the design. */
  readonly technology: Technology | null;
  /** Of the documents that the design is of; null: nobody knows. */
  readonly requirements: RequirementSet | null;
  /** An architect answers: what the design leaves out is an error. */
  readonly isAsked: boolean;
};

/**
 * Everything that is wrong with a design, what reading it found included, in the order of the document. The rules of plans are
 * those of the plan that will be made of it; the others are about what no plan has any more, or what only a design can still mend.
 */
export async function checkDesign(
  { design, doc, diagnostics }: DesignRead,
  around: DesignSurroundings,
): Promise<Diagnostic[]> {
  if (doc === null) return [...diagnostics];
  const { tasks, lost } = locatedTasks(doc);
  const scopes = checkScopes(tasks);
  const found = [
    ...scopes.diagnostics,
    ...checkTasks(doc, { tasks: scopes.sound, lost }),
    ...checkWaves(doc, { tasks, lost }),
    ...(around.tracked === null ? [] : checkExistence(scopes.sound, around.tracked)),
    ...checkAgents(tasks, around.knownAgents),
    ...checkNamedContracts(doc, tasks, around.technology),
    ...checkPackages(doc),
    ...checkSizes(tasks),
    // What is missing may be in the tasks that could not be read.
    ...(design === null ? [] : checkShape(doc, tasks)),
  ];
  const inContracts = await checkGivenContracts(doc, around);
  // Of tasks that could not be read it is not known what they cover.
  const missing = lost.length > 0 ? [] : await checkComplete(doc, { tasks, ...around });
  const [own, elsewhere] = partition(withJsonPaths(missing, doc), ({ at }) => at?.file === doc.index.file);
  return [...inOrder([...diagnostics, ...withJsonPaths(found, doc), ...own]), ...inContracts, ...elsewhere];
}

function partition<T>(list: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [list.filter(isFirst), list.filter((one) => !isFirst(one))];
}

/** Sorting is stable: findings about one place stay in the order of the checks. */
function inOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const place = ({ at }: Diagnostic) => at?.start ?? { line: 0, col: 0 };
  return diagnostics.toSorted((a, b) => place(a).line - place(b).line || place(a).col - place(b).col);
}
