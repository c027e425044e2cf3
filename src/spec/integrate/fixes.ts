import type { IntegrationCode } from "./codes.ts";
import type { FoundFinding } from "./finding.ts";

/** What to change, for an agent or a person: one imperative sentence without a period. */
export function fixFor(found: Omit<FoundFinding, "task">): string {
  return found.fix ?? FIXES[found.code](found);
}

type Fixes = { readonly [Code in IntegrationCode]: (found: Found) => string };
type Found = Omit<FoundFinding, "task" | "fix">;

const file = ({ at }: Found): string => (at === null ? "the file" : `\`${at.file}\``);
const it = ({ about }: Found): string => `\`${about}\``;
const asContract = (found: Found): string => `Change ${it(found)} in ${file(found)} to match the contract`;
const revert = (found: Found): string => `Revert the change to ${file(found)}`;

const FIXES: Fixes = {
  "task-not-merged": () => "Finish the task and merge it",
  "task-without-commits": ({ about }) =>
    `Run the task, or add the trailer \`Plait-Task: ${about}\` to the commit that did its work`,
  "task-empty": () => "Do the work of the task, or remove the task from the plan",
  "scope-file-missing": (found) => `Create \`${found.home ?? found.about}\``,
  "stub-left": (found) => `Implement what is left to be written in ${file(found)}`,
  "version-changed": (found) => `Set ${it(found)} back to the pinned version`,
  "requirement-unbuilt": (found) => `Add a task that covers ${it(found)}, or list it under \`out_of_scope\``,
  "requirement-unclear": () => "Fix the path under `metadata` in `manifest.json`, or restore the file",
  "outside-scope": revert,
  "inside-boundary": revert,
  "contract-changed": (found) => `${revert(found)}, and make the code match the contract`,
  "outside-symbol": revert,
  "guarded-changed": revert,
  "scope-unclear": (found) =>
    found.at === null
      ? `Review the changes of ${it(found)} by hand`
      : `Review the change to ${file(found)} by hand`,
  "contract-unreadable": (found) => `Fix the syntax of ${file(found)}`,
  "contract-absent": () => "Write the contract, or remove it from the tasks that name it",
  "type-missing": (found) =>
    found.home === undefined
      ? `Declare ${it(found)} as the contract does`
      : `Declare ${it(found)} in \`${found.home}\` as the contract does`,
  "type-unclear": (found) => `Compare ${it(found)} with the contract by hand`,
  "type-kind": asContract,
  "field-missing": asContract,
  "field-extra": asContract,
  "field-type": asContract,
  "field-optional": asContract,
  "value-missing": asContract,
  "value-extra": asContract,
  "endpoint-missing": (found) => `Add a route for ${it(found)} as the contract describes it`,
  "endpoint-method": (found) => `Register the route in ${file(found)} as ${it(found)}`,
  "endpoint-extra": (found) => `Remove ${it(found)}, or add it to the contract`,
  "endpoint-request": (found) => `Change the request body of ${it(found)} to the contract's type`,
  "endpoint-response": (found) => `Change the response of ${it(found)} to the contract's type`,
  "endpoint-parameter": (found) => `Change the parameters of ${it(found)} to those of the contract`,
  "endpoint-status": (found) => `Change the status code of ${it(found)} to the contract's`,
  "document-unreadable": () => "Make the command of `integrate.openapi` print the API document, or remove it",
  "document-not-read": () => "Run `plait integrate` with its checks",
  "endpoint-unclear": (found) => `Compare ${it(found)} with the contract by hand`,
  "spec-deviates": (found) => `Read section ${it(found)} of the tech spec, and change the code or the spec`,
  "spec-unclear": (found) => `Compare the code with section ${it(found)} of the tech spec by hand`,
  "technology-differs": () => "Set `technology` in `manifest.json` to what the project is written in",
  "check-red": (found) => `Make the check ${it(found)} pass`,
  "check-not-run": (found) => `Make the check ${it(found)} run, then run \`plait integrate\` again`,
};
