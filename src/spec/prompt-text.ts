import type { SpecFolder } from "./spec-folder.ts";
import type { SpecTask } from "./spec-task.ts";

/** The prompt of a task: its file and the shared context in the sections that agents of this system know. */
export function promptText(task: SpecTask, context: string): string {
  const { id, title, agent, wave, deps } = task;
  const head = [
    `TASK-${id}: ${title}`,
    `Agent: ${agent}`,
    `Wave: ${wave}`,
    `Dependencies: ${deps.length === 0 ? "None" : deps.join(", ")}`,
  ];
  const sections = sectionsOf(task, context).map(([name, text]) => `=== ${name} ===\n${text.trim()}`);
  return `${[head.join("\n"), ...sections].join("\n\n")}\n`;
}

type Section = readonly [name: string, text: string];

function sectionsOf(task: SpecTask, context: string): Section[] {
  const { skills, objective, contracts, create, modify, boundary, requirements, checklist } = task;
  return [
    ["REQUIRED SKILLS", `${bullets(skills)}\n\nTo invoke one: skill: "plugin:skill-name"`],
    ["CONTEXT", context],
    ["OBJECTIVE", objective],
    ["CONTRACTS", bullets(contracts)],
    ["FILES TO CREATE", bullets(create)],
    ["FILES TO MODIFY", bullets(modify)],
    ["DO NOT MODIFY", bullets(boundary)],
    ["IMPLEMENTATION REQUIREMENTS", bullets(requirements)],
    ["ACCEPTANCE CRITERIA", checklist.map((text) => `- [ ] ${text}`).join("\n")],
    ["EXECUTION INSTRUCTIONS", EXECUTION],
    ["IMPORTANT RULES", RULES],
    ["COMPLETION SIGNAL", COMPLETION],
  ];
}

const bullets = (lines: readonly string[]): string =>
  lines.length === 0 ? "- None" : lines.map((line) => `- ${line}`).join("\n");

const EXECUTION = `1. Read the contracts.
2. Read the code that is there.
3. Implement with Write and Edit; do not describe what you would do.
4. Run the tests, and fix until they are green.
5. Run the linter.
6. Make one conventional commit.`;

const RULES = `- Do not ask for confirmation.
- Respect DO NOT MODIFY.
- Write tests.
- Follow the contracts to the letter. They are design documents: write the types anew in the code; never import from parallel/
  and never put it on a search path.
- Stop where something blocks you, and say what.`;

const COMPLETION = `When, and only when, tests and linter pass and the work is committed:

touch .claude-task-complete`;

/** All prompts of a spec at a glance, for people. */
export function promptOverview(
  { techSpecId, generatedAt }: Pick<SpecFolder, "techSpecId" | "generatedAt">,
  tasks: readonly SpecTask[],
): string {
  const waves = [...new Set(tasks.map(({ wave }) => wave))].sort((a, b) => a - b);
  const tables = waves.map((number) => {
    const rows = tasks.filter(({ wave }) => wave === number);
    const lines = rows.map(({ id, agent, component }) => `| ${id} | ${agent} | ${component} |`);
    return `## Wave ${number}\n\n| Task | Agent | Component |\n|---|---|---|\n${lines.join("\n")}`;
  });
  return `# Prompts of ${techSpecId}

Generated: ${generatedAt}
Tasks: ${tasks.length}, waves: ${waves.length}

${tables.join("\n\n")}

## Launch

    plait run <this folder>
`;
}
