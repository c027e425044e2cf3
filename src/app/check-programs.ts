// Programs that a plan cannot do without are looked for before a run is made: that uv is missing is better known now than when the
// first step has failed twice.

import type { PlanDraft } from "../core/draft.ts";
import type { Env, Plan } from "../core/plan.ts";
import type { Diagnostic } from "../core/source.ts";
import { buildFormatFinding } from "../formats/catalog.ts";
import { findProgram } from "./find-program.ts";
import type { Refusal } from "./host.ts";

/** The first that is missing; null where all are there. */
export async function checkPrograms({ tasks }: Pick<Plan, "tasks">, env: Env): Promise<Refusal | null> {
  for (const { id, work, env: own } of tasks) {
    const program = work.kind === "command" ? work.program : undefined;
    if (program === undefined || (await isOnPath(program, { ...env, ...own }))) continue;
    return {
      kind: "environment",
      message: `${id} needs ${program}, which is not on the PATH`,
      hint: formatInstall(program),
    };
  }
  return null;
}

/** The same of a plan that is only read: it may be run elsewhere. */
export async function findMissingPrograms({ tasks }: PlanDraft, env: Env): Promise<Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const { id, work } of tasks) {
    const program = work.kind === "command" ? work.program : undefined;
    if (program === undefined || (await isOnPath(program, env))) continue;
    found.push(buildFormatFinding("program-missing", { program, install: formatInstall(program) }, id.at));
  }
  return found;
}

async function isOnPath(program: string, { PATH = "" }: Env): Promise<boolean> {
  return (await findProgram(program, PATH)) !== null;
}

const COMMANDS: Readonly<Record<string, string>> = {
  uv: "pip install uv",
  npm: "see https://nodejs.org (npm comes with Node.js)",
  pnpm: "npm install --global pnpm",
  yarn: "npm install --global yarn",
  bun: "npm install --global bun",
};

function formatInstall(program: string): string {
  return `install ${program}: ${COMMANDS[program] ?? "see its documentation"}`;
}
