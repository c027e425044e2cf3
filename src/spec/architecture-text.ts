import { openFence } from "../formats/cpo/prose.ts";
import { codeCell, inline } from "../util/markdown-text.ts";
import { mermaidText } from "../util/mermaid-text.ts";
import type { SpecContents, SpecTask } from "./spec-contents.ts";

/** architecture.md: words, the components with the tasks that own them, and who owns which file. */
export function architectureText(contents: SpecContents): string {
  const { techSpecId, name, architecture, tasks, contracts } = contents;
  const told = architecture.replaceAll(/\r\n?/g, "\n").trim();
  const fence = openFence(told);
  const words = fence === null ? told : `${told}\n${fence}`; // else all below it would be code
  const title = /^# /.test(words) ? "" : `# Architecture of ${inline(techSpecId)}: ${inline(name)}\n\n`;
  const files = contracts.map(({ path }) => `- ${codeCell(path)}`).join("\n") || "- none";
  return `${title}${words}

## Components

Each component with the tasks that own it. An arrow points to the component that needs the other.

\`\`\`mermaid
${components(tasks)}
\`\`\`

## Ownership

${ownership(tasks)}

## Contracts

${files}
`;
}

function components(tasks: readonly SpecTask[]): string {
  const names = [...new Set(tasks.map(({ component }) => component))];
  // Keys are made up: a component called "end" would be a keyword.
  const keyOf = (component: string) => `c${names.indexOf(component)}`;
  const nodes = names.map((name) => {
    const ids = tasks.filter(({ component }) => component === name).map(({ id }) => id);
    return `  ${keyOf(name)}["${mermaidText(name)}<br/>${mermaidText(ids.join(", "))}"]`;
  });
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const edges = tasks.flatMap(({ component, deps }) =>
    deps.flatMap((dep) => {
      const from = byId.get(dep)?.component;
      return from === undefined || from === component ? [] : [`  ${keyOf(from)} --> ${keyOf(component)}`];
    }),
  );
  return ["flowchart TB", ...nodes, ...new Set(edges)].join("\n");
}

function ownership(tasks: readonly SpecTask[]): string {
  const cell = (paths: readonly string[]) => paths.map(codeCell).join("<br/>");
  const rows = tasks.map(({ id, component, agent, create, modify, boundary }) =>
    [codeCell(id), inline(component), codeCell(agent), cell(create), cell(modify), cell(boundary)].join(
      " | ",
    ),
  );
  return [
    "| Task | Component | Agent | Creates | Modifies | Must not touch |",
    "|---|---|---|---|---|---|",
    ...rows.map((row) => `| ${row} |`),
  ].join("\n");
}
