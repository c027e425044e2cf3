import type { PackageLists, SpecContents } from "./spec-contents.ts";
import { criticalTasks } from "./task-graph-text.ts";

/** manifest.json: what there is nothing to say of is left out. */
export function manifestText(contents: SpecContents): string {
  const { techSpecId, name, technology, pythonVersion, techSpec, prd, generatedAt, maxParallel } = contents;
  const dependencies = {
    ...lists("python", contents.dependencies.python),
    ...lists("node", contents.dependencies.node),
  };
  const manifest = {
    tech_spec_id: techSpecId,
    name,
    technology,
    ...(pythonVersion !== null && { python_version: pythonVersion }),
    ...(Object.keys(dependencies).length > 0 && { dependencies }),
    waves: wavesOf(contents),
    metadata: {
      ...(techSpec !== null && { tech_spec: techSpec }),
      ...(prd !== null && { prd }),
      generated_at: generatedAt,
      total_tasks: contents.tasks.length,
      ...(maxParallel !== null && { max_parallel: maxParallel }),
      critical_path: criticalTasks(contents.tasks),
      ...(contents.outOfScope.length > 0 && { out_of_scope: contents.outOfScope }),
    },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function wavesOf({ waves, tasks }: SpecContents) {
  return waves.map(({ number, validation }) => ({
    number,
    tasks: tasks
      .filter(({ wave }) => wave === number)
      .map(({ id, agent, covers }) => ({
        ...{ id, agent, prompt_file: `prompts/${id}.txt` },
        ...(covers.length > 0 && { covers }),
      })),
    ...(validation !== null && { validation }),
  }));
}

const KEYS = ["remove", "upgrade", "add", "add_dev"] as const;

function lists(ecosystem: string, packages: PackageLists | undefined): { [name: string]: PackageLists } {
  const filled = KEYS.flatMap((key) => {
    const list = packages?.[key] ?? [];
    return list.length === 0 ? [] : [[key, list] as const];
  });
  return filled.length === 0 ? {} : { [ecosystem]: Object.fromEntries(filled) };
}
