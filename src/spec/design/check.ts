import type { Diagnostic, Located } from "../../core/source.ts";
import { nearest } from "../../core/suggest.ts";
import { buildFormatFinding } from "../../formats/catalog.ts";
import { packageFindings } from "../../formats/cpo/dependencies.ts";
import type { Doc } from "../../formats/cpo/fields.ts";
import { ecosystems, type ListName, wishesOfDesign } from "../align/wish.ts";
import type { RequirementSet } from "../requirements/read-requirements.ts";
import type { Technology } from "../spec-contents.ts";
import { buildDesignFinding } from "./catalog.ts";
import { checkComplete } from "./check-complete.ts";
import { type CheckContracts, checkGivenContracts, checkNamedContracts } from "./check-contracts.ts";
import { checkExistence } from "./check-existence.ts";
import { checkScopes } from "./check-scopes.ts";
import { checkShape, checkSizes } from "./check-size.ts";
import { checkTasks } from "./check-tasks.ts";
import { withJsonPaths } from "./json-path.ts";
import { type LocatedTask, type LocatedTasks, locatedTasks, locatedWaves } from "./located.ts";
import type { DesignRead } from "./read.ts";

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
  const isHere = ({ at }: Diagnostic) => at?.file === doc.index.file;
  const lacking = withJsonPaths(missing, doc);
  const here = [...diagnostics, ...withJsonPaths(found, doc), ...lacking.filter(isHere)];
  return [...inOrder(here), ...inContracts, ...lacking.filter((one) => !isHere(one))];
}

/** Sorting is stable: findings about one place stay in the order of the checks. */
function inOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const place = ({ at }: Diagnostic) => at?.start ?? { line: 0, col: 0 };
  return diagnostics.toSorted((a, b) => place(a).line - place(b).line || place(a).col - place(b).col);
}

/** What cannot be installed is an error. What is not pinned is only warned of: aligning the dependencies finds the version. */
function checkPackages(doc: Doc): Diagnostic[] {
  const wishes = wishesOfDesign(doc);
  return ecosystems.flatMap((ecosystem) => {
    const of = (list: ListName) =>
      wishes.filter((wish) => wish.ecosystem === ecosystem && wish.list === list).map(({ spec }) => spec);
    const lists = { remove: of("remove"), upgrade: of("upgrade"), add: of("add"), add_dev: of("add_dev") };
    return packageFindings(lists, ecosystem);
  });
}

/** Waves follow one another from 1, and what is checked after a wave is checked after one that there is. */
function checkWaves(doc: Doc, { tasks, lost }: LocatedTasks): Diagnostic[] {
  const first = new Map<number, Located<number>>();
  for (const { wave } of tasks) if (!first.has(wave.value)) first.set(wave.value, wave);
  const waves = [...first.values()].sort((a, b) => a.value - b.value);
  const checked = locatedWaves(doc);
  // A task that could not be read may be in the wave that is missed.
  return lost.length > 0
    ? repeated(checked)
    : [...gaps(waves), ...unknown(checked, waves), ...repeated(checked)];
}

function gaps(waves: readonly Located<number>[]): Diagnostic[] {
  return waves.flatMap(({ value: wave, at }, i) => {
    const before = waves[i - 1]?.value ?? 0;
    return wave === before + 1 ? [] : [buildFormatFinding("wave-order", { kind: "gap", wave, before }, at)];
  });
}

function unknown(checked: readonly Located<number>[], waves: readonly Located<number>[]): Diagnostic[] {
  const numbers = waves.map(({ value }) => value);
  return checked
    .filter(({ value }) => !numbers.includes(value))
    .map(({ value, at }) => buildFormatFinding("wave-order", { kind: "empty", wave: value }, at));
}

function repeated(checked: readonly Located<number>[]): Diagnostic[] {
  return checked.flatMap(({ value: wave, at }, i) => {
    const before = checked.slice(0, i).find((one) => one.value === wave);
    if (before === undefined) return [];
    return [
      buildFormatFinding("wave-order", { kind: "repeated", wave }, at, {
        related: [{ at: before.at, wave }],
      }),
    ];
  });
}

const NAME = /^(?:[\w-]+:)?[\w-]+$/;

function checkAgents(tasks: readonly LocatedTask[], known: readonly string[] | null): Diagnostic[] {
  return tasks.flatMap((task) => [...agentFindings(task, known), ...skillFindings(task)]);
}

function agentFindings({ id, agent }: LocatedTask, known: readonly string[] | null): Diagnostic[] {
  if (agent === null) return [];
  const { value, at } = agent;
  const isUnknown = known !== null && !known.includes(value);
  if (!isUnknown && (known !== null || NAME.test(value))) return [];
  const kind = isUnknown ? "unknown" : "invalid";
  const names = known ?? [];
  const params = {
    kind,
    task: id.value,
    agent: value,
    known: names,
    suggestion: findNear(value, names),
  } as const;
  return [buildDesignFinding("design-agent", params, at)];
}

/** Often only the plugin is missing or wrong. */
function findNear(name: string, known: readonly string[]): string | null {
  const bare = name.slice(name.indexOf(":") + 1);
  return known.find((one) => one.endsWith(`:${bare}`)) ?? nearest(name, known);
}

function skillFindings({ id, skills }: LocatedTask): Diagnostic[] {
  const wrong = skills.filter(({ value }) => !NAME.test(value));
  return wrong.map(({ value, at }) =>
    buildDesignFinding("design-skill", { task: id.value, skill: value }, at),
  );
}
