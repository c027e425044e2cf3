// What can stand around a run's programs on this machine, found out before anything is made.

import { dirname } from "node:path";
import type { Plan } from "../core/plan.ts";
import {
  describeSandboxProblem,
  formatSandbox,
  type SandboxProblem,
  type SandboxUsed,
} from "../core/sandbox.ts";
import { plait } from "../core/text/command.ts";
import { fix, plainText, type Sentence, sentence } from "../core/text/sentence.ts";
import { inheritable } from "../engines/local/run-context.ts";
import type { SandboxHere } from "../engines/local/sandbox/run-sandbox.ts";
import { findGrantProblem } from "../engines/local/sandbox/survey.ts";
import { probeSandbox } from "../process/sandbox/probe.ts";
import { findProgram } from "./folders.ts";
import { type Host, type OrRefusal, refuse, runtimeFolder, stateFolder, temporaryFolder } from "./host.ts";

export type FoundSandbox = {
  readonly sandbox: SandboxHere;
  /** That there is none although the plan asks for one, in one sentence; null where all is as it asks. */
  readonly warning: string | null;
};

export async function checkSandbox(
  host: Host,
  plan: Pick<Plan, "sandbox">,
): Promise<OrRefusal<FoundSandbox>> {
  const { sandbox: settings } = plan;
  const { PATH = "", HOME = "/root" } = host.env;
  const hidden = [dirname(stateFolder(host)), temporaryFolder(host), runtimeFolder(host)];
  const none = { hidden: hidden.filter((path) => path !== null), perl: null, used: null };
  if (settings === undefined) return { ok: true, sandbox: none, warning: null };
  for (const grant of settings.grants) {
    const problem = await findGrantProblem(grant, HOME);
    if (problem !== null) return refuse("request", `cannot grant: ${problem}`, CHANGE_GRANT);
  }
  const here = { ...none, perl: await findProgram("perl", PATH) };
  const used = await findSandbox(host);
  if (used.by !== null) return { ok: true, sandbox: { ...here, used }, warning: null };
  const { cause, step } = describeSandboxProblem(used.problem);
  if (settings.mode === "required")
    return refuse(
      "environment",
      `the sandbox is required and does not work here: ${cause}${formatSaid(used.problem)}`,
      step,
    );
  const warning = plainText(sentence`${formatSandbox(used)}; agents, gates and setup run with your rights.`);
  return { ok: true, sandbox: { ...here, used }, warning };
}

const CHANGE_GRANT = fix("name what it leads to, then", plait("doctor sandbox"));

/** Tries it. */
function findSandbox(host: Host): Promise<SandboxUsed> {
  return probeSandbox({ folder: stateFolder(host), env: inheritable(host.env) });
}

const formatSaid = ({ said }: SandboxProblem): string => (said === "" ? "" : ` (${said})`);

export type SandboxReport = {
  readonly works: boolean;
  readonly text: Sentence;
  /** The words of bubblewrap, where it failed. */
  readonly said: string | null;
  readonly step: Sentence | null;
  /** What the walls hold, and what they leave open. Empty where there are none. */
  readonly parts: readonly { readonly what: string; readonly holds: boolean }[];
};

const PARTS: SandboxReport["parts"] = [
  { what: "files: only the worktree, /tmp and grants can be written", holds: true },
  { what: "home: hidden, except programs and the agent's own settings", holds: true },
  { what: "checkout, runs and other tasks: hidden", holds: true },
  { what: "processes: none outside is seen, none inside outlives the attempt", holds: true },
  { what: "network: the same as outside", holds: false },
  { what: "login of the agent: readable by the agent", holds: false },
];

/** What works here, and why not. */
export async function describeSandbox(host: Host): Promise<SandboxReport> {
  const used = await findSandbox(host);
  if (used.by !== null)
    return {
      works: true,
      text: `The sandbox works here: bubblewrap ${used.version}.`,
      said: null,
      step: null,
      parts: PARTS,
    };
  const { problem } = used;
  const { cause, step } = describeSandboxProblem(problem);
  const said = problem.said === "" ? null : problem.said;
  return { works: false, text: `The sandbox does not work here: ${cause}.`, said, step, parts: [] };
}
