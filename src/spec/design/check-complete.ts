// Whether a design leaves out anything that its documents and its own contracts ask for. An architect repairs what is missing, so that is
// an error; a design that a person has may be from a time when tasks did not say it.

import type { Diagnostic } from "../../core/source.ts";
import { countAt, type Doc, numberAt, textAt } from "../../formats/cpo/fields.ts";
import { API_SCHEMA } from "../contracts.ts";
import { checkApiCoverage } from "../coverage/check-operations.ts";
import { checkRequirements, checkValidations } from "../coverage/check-requirements.ts";
import type { RequirementSet } from "../requirements/read-requirements.ts";
import type { Technology } from "../spec-contents.ts";
import { givenContracts } from "./check-contracts.ts";
import { keyAt, type LocatedTask, locatedOutOfScope } from "./located.ts";

export type CompletenessCheck = {
  readonly tasks: readonly LocatedTask[];
  /** Null: which documents the design is of is not known. */
  readonly requirements: RequirementSet | null;
  /** An architect answers: it can be asked for all of it. */
  readonly isAsked: boolean;
  readonly technology: Technology | null;
};

export async function checkComplete(doc: Doc, check: CompletenessCheck): Promise<Diagnostic[]> {
  const { tasks, requirements, isAsked } = check;
  const severity = isAsked ? "error" : "warning";
  const covered =
    requirements === null
      ? []
      : checkRequirements({
          set: requirements,
          tasks: tasks.map(({ id, covers }) => ({ id: id.value, covers })),
          outOfScope: locatedOutOfScope(doc),
          isRequired: isAsked,
          addTo: "`covers` of the task that builds it, or to `out_of_scope` with a reason",
        });
  return [
    ...covered,
    ...checkValidations(wavesIn(doc, tasks), severity),
    ...(await checkContracts(doc, check)),
  ];
}

async function checkContracts(doc: Doc, check: CompletenessCheck): Promise<Diagnostic[]> {
  const { tasks, isAsked, technology } = check;
  const given = givenContracts(doc, technology);
  const api = given.find(({ path }) => path === API_SCHEMA);
  if (api === undefined) return [];
  const severity = isAsked ? "error" : "warning";
  return checkApiCoverage({
    ...{ api, types: given.find(({ path }) => path !== API_SCHEMA) ?? null },
    tasks: tasks.map(({ id, operations }) => ({ id: id.value, operations })),
    ...{ severity: { unowned: "error", unsaid: severity }, differing: severity },
    addTo: "`operations` of the task that implements it",
  });
}

/** A wave that nothing is said of is found at the list of waves. */
function wavesIn(doc: Doc, tasks: readonly LocatedTask[]) {
  const numbers = [...new Set(tasks.map(({ wave }) => wave.value))].sort((a, b) => a - b);
  const said = countAt(doc, "waves").map((i) => ({
    number: numberAt(doc, "waves", i, "number"),
    isValidated: textAt(doc, "waves", i, "validation") !== null,
  }));
  return numbers.map((number) => {
    const wave = said.find((one) => one.number?.value === number);
    return { number, isValidated: wave?.isValidated ?? false, at: wave?.number?.at ?? keyAt(doc, "waves") };
  });
}
