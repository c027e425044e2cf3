import { contractsOf } from "./contracts.ts";
import { promptOverview, promptText } from "./prompt-text.ts";
import type { SpecFile, Technology } from "./spec-contents.ts";
import type { SpecTask } from "./spec-task.ts";

/**
 * The folder that work is decomposed into: a manifest with waves of tasks, what all of them share, and one file and one
 * prompt a task. It is complete and valid from the first moment; the one task that it has says that it is to be replaced.
 */
export type SpecFolder = {
  readonly techSpecId: string;
  readonly name: string;
  readonly technology: Technology;
  /** ISO time. */
  readonly generatedAt: string;
};

/** What the folder of a new spec holds. The same input gives the same bytes. */
export function specFolder(spec: SpecFolder): SpecFile[] {
  const contracts = contractsOf(spec);
  const task = exampleTask(
    spec,
    contracts.map(({ path }) => path),
  );
  const context = contextText(spec);
  return [
    { path: "manifest.json", text: manifestText(spec, task) },
    { path: "context.md", text: context },
    { path: "architecture.md", text: architectureText(spec, task) },
    { path: "task-graph.md", text: taskGraphText(spec, task) },
    ...contracts,
    { path: `tasks/${task.id}-${task.component}.md`, text: taskText(spec, task) },
    { path: `prompts/${task.id}.txt`, text: promptText(task, context) },
    { path: "prompts/agent-prompts.md", text: promptOverview(spec, [task]) },
    // What a run writes here is not for the history.
    { path: ".gitignore", text: "logs/\nreport.json\n" },
  ];
}

const AGENTS: { readonly [T in Technology]: readonly [agent: string, skill: string] } = {
  python: ["python-experts:fastapi-expert", "python-experts:python-style"],
  django: ["python-experts:django-expert", "python-experts:python-style"],
  typescript: ["frontend-experts:react-typescript-expert", "frontend-experts:typescript-style"],
  go: ["devops-data:cto-architect", "devops-data:technical-specification"],
};

function exampleTask({ techSpecId, technology }: SpecFolder, contracts: readonly string[]): SpecTask {
  const [agent, skill] = AGENTS[technology];
  return {
    id: "task-001",
    title: "Example, to be replaced",
    component: "example",
    wave: 1,
    deps: [],
    agent,
    skills: [skill],
    contracts,
    create: [`docs/${techSpecId}-example.md`],
    modify: [],
    boundary: ["parallel/**"],
    objective: `REPLACE ME: this is an example. Say in one paragraph what this task of ${techSpecId} is to achieve.`,
    requirements: [`REPLACE ME: create docs/${techSpecId}-example.md with one line of text`],
    checklist: ["REPLACE ME: the file is there and committed"],
    hours: null,
  };
}

function manifestText({ techSpecId, name, technology, generatedAt }: SpecFolder, task: SpecTask): string {
  const { id, agent, wave } = task;
  const manifest = {
    tech_spec_id: techSpecId,
    name,
    technology,
    waves: [{ number: wave, tasks: [{ id, agent, prompt_file: `prompts/${id}.txt` }] }],
    metadata: { generated_at: generatedAt, total_tasks: 1, max_parallel: 3, critical_path: [id] },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function contextText({ techSpecId, name, technology }: SpecFolder): string {
  return `# ${techSpecId}: ${name}

What every task of this spec is told, in front of its own words. REPLACE ME, and keep it short:

- what is built and why, in three sentences
- technology: ${technology}; how tests and linter are run
- conventions that the code base has and an agent does not guess
`;
}

function architectureText({ techSpecId, name }: SpecFolder, { id, component, create }: SpecTask): string {
  return `# Architecture of ${techSpecId}: ${name}

Components, and the task that owns each. REPLACE ME.

\`\`\`mermaid
flowchart TB
  ${component}["${component} (${id})"]
\`\`\`

| task | component | creates | modifies |
|---|---|---|---|
| ${id} | ${component} | ${create.join(", ")} | |
`;
}

function taskGraphText({ techSpecId, name }: SpecFolder, { id, component, title }: SpecTask): string {
  return `# Tasks of ${techSpecId}: ${name}

Each wave starts when the wave before it is done.

\`\`\`mermaid
flowchart LR
  subgraph wave1 [Wave 1]
    ${id}["${id}: ${component}"]
  end
\`\`\`

\`\`\`mermaid
gantt
  title ${techSpecId}
  dateFormat X
  axisFormat %H h
  section Wave 1
  ${title.replaceAll(/[,:;#]/g, "")} :${id}, 0, 7200
\`\`\`
`;
}

function taskText({ techSpecId }: SpecFolder, task: SpecTask): string {
  const { id, title, component, wave, deps, agent, skills, contracts } = task;
  const list = (words: readonly string[]) => `[${words.join(", ")}]`;
  return `---
id: ${id}
component: ${component}
wave: ${wave}
deps: ${list(deps)}
blocks: []
agent: ${agent}
skills: ${list(skills)}
tech_spec: ${techSpecId}
contracts: ${list(contracts)}
---
# ${id}: ${title}

## Scope
${scopeLines(task)}

## Requirements
${task.requirements.map((text) => `- ${text}`).join("\n")}

## Checklist
${task.checklist.map((text) => `- [ ] ${text}`).join("\n")}
`;
}

/** Nothing is said of what there is not. */
function scopeLines({ create, modify, boundary }: SpecTask): string {
  const lines: (readonly [string, readonly string[]])[] = [
    ["CREATE", create],
    ["MODIFY", modify],
    ["BOUNDARY", boundary],
  ];
  return lines
    .filter(([, paths]) => paths.length > 0)
    .map(([word, paths]) => `${word}: ${paths.join(", ")}`)
    .join("\n");
}
