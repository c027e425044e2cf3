import { basename } from "node:path";
import type { Caps } from "../../core/caps.ts";
import type { Diagnostic } from "../../core/source.ts";
import { buildFormatFinding } from "../catalog.ts";
import type { FormatResult, PlanFiles, PlanInput } from "../format.ts";
import { circularNeeds } from "./circles.ts";
import { type Installation, nodeInstallation, pythonInstallation } from "./dependencies.ts";
import { draftOf, type Install, type ReadyTask } from "./draft.ts";
import {
  findContracts,
  findPackageManager,
  placeInRepository,
  readContext,
  readPrompt,
  readSkills,
  readTasks,
} from "./folder.ts";
import type { Manifest, Packages } from "./manifest.ts";
import type { PlannedTask } from "./planned-tasks.ts";
import { completedPrompt } from "./prompt.ts";
import { skillsOf } from "./skills.ts";
import { parseTools } from "./tools.ts";

/**
 * Reads an artefact folder: the manifest says which tasks there are and in which waves, task files what each may touch and needs,
 * prompt files what the agents are told. Whatever is wrong in any of them is told at once, each at its own place.
 */
export async function readCpo(input: PlanInput, caps: Caps, around: PlanFiles): Promise<FormatResult> {
  const read = await readTasks(input, caps, around);
  const { diagnostics, unlisted } = read;
  if (read.manifest === null) return { draft: null, diagnostics, unlisted };
  const { manifest, planned, specs } = read;
  const tasks = await readyTasks(planned.tasks, caps, around);
  const installs = await readInstalls(manifest, around);
  const folder = await placeInRepository(around);
  const draft = draftOf({
    manifest,
    path: input.path,
    name: manifest.name ?? basename(around.folder),
    tasks: tasks.ready,
    installs: installs.installs,
    folder,
    names: await around.names("."),
    hasLost: tasks.ready.length === 0 || manifest.hasLostTasks || tasks.ready.length < manifest.files.length,
  });
  return {
    draft,
    unlisted,
    diagnostics: [
      ...diagnostics,
      ...installs.diagnostics,
      ...planned.diagnostics,
      ...circularNeeds(planned.tasks),
      ...tasks.diagnostics,
      ...specs.diagnostics,
    ],
  };
}

type Ready = { readonly ready: ReadyTask[]; readonly diagnostics: Diagnostic[] };

/** A task without a prompt stays in the draft, so that all else about it is checked too. */
async function readyTasks(tasks: readonly PlannedTask[], caps: Caps, around: PlanFiles): Promise<Ready> {
  const skills = await readSkills(caps, around);
  const { context, ...about } = await readContext(around);
  const diagnostics: Diagnostic[] = [...skills.diagnostics, ...about.diagnostics];
  const ready: ReadyTask[] = [];
  for (const task of tasks) {
    const { prompt, ...prompting } = await readPrompt(task, around);
    const { contracts, ...agreed } = await findContracts(task, around);
    const scope = [...(task.spec?.create ?? []), ...(task.spec?.modify ?? [])];
    const tools = parseTools(
      task.spec?.tools ?? [],
      scope.map(({ value }) => value),
    );
    diagnostics.push(...prompting.diagnostics, ...agreed.diagnostics, ...tools.diagnostics);
    const text = prompt && completedPrompt(prompt.text, { skills: skillsOf(task, skills.mapping), context });
    ready.push({ ...task, prompt: prompt && { path: prompt.path, text }, contracts, tools });
  }
  return { ready, diagnostics };
}

type Installs = { readonly installs: Install[]; readonly diagnostics: Diagnostic[] };

async function readInstalls({ dependencies }: Manifest, around: PlanFiles): Promise<Installs> {
  const { python, node } = dependencies;
  const diagnostics: Diagnostic[] = [];
  const installs: Install[] = [];
  const add = (
    ecosystem: Install["ecosystem"],
    { at }: Packages,
    { line, program, ...said }: Installation,
  ) => {
    installs.push({ ecosystem, line, program, at });
    diagnostics.push(...said.diagnostics);
  };
  if (python) add("python", python, pythonInstallation(python));
  if (node) {
    const { manager, others, packageJson } = await findPackageManager(around);
    add("node", node, nodeInstallation(node, manager));
    if (packageJson === null)
      diagnostics.push(buildFormatFinding("package-manager", { kind: "no-package-json" }, node.at));
    else if (others.length > 0) {
      const params = { kind: "several", used: manager.program, others } as const;
      diagnostics.push(buildFormatFinding("package-manager", params, node.at));
    }
  }
  return { installs, diagnostics };
}
