import { formatCommand, plait } from "../core/text/command.ts";
import { codeCell, inline } from "../util/markdown-text.ts";
import type { PromptTask } from "./prompt-task.ts";

export type PromptFile = {
  readonly path: string;
  readonly text: string;
  readonly task: PromptTask;
  /** Fingerprint of the sources that the prompt was generated from. */
  readonly sources: string;
};

export type Overview = {
  readonly techSpecId: string;
  readonly generatedAt: string;
  /** The artefact folder, from the root of the repository. */
  readonly folder: string;
};

/** All prompts of a spec at a glance, for people. */
export function promptOverview(
  { techSpecId, generatedAt, folder }: Overview,
  prompts: readonly PromptFile[],
): string {
  const waves = [...new Set(prompts.map(({ task }) => task.wave))].sort((a, b) => a - b);
  const total = prompts.reduce((sum, { text }) => sum + bytesOf(text), 0);
  const tables = waves.map((wave) => {
    const rows = prompts
      .filter(({ task }) => task.wave === wave)
      .map(({ task: { id, agent, component } }) => [codeCell(id), codeCell(agent), inline(component)]);
    return `## Wave ${wave}\n\n${table(["Task", "Agent", "Component"], rows)}`;
  });
  const sizes = prompts.map(({ path, text, sources }) => [
    codeCell(path),
    `${bytesOf(text)}`,
    `${lines(text)}`,
    codeCell(sources),
  ]);
  const place = folder === "" ? "." : folder;
  const launch = (["validate", "plan", "run"] as const).map(
    (verb) => `    ${formatCommand(plait(verb, place))}`,
  );
  return `# Prompts of ${inline(techSpecId)}

Generated: ${generatedAt}

Tasks: ${prompts.length}, waves: ${waves.length}, bytes: ${total}

${tables.join("\n\n")}

## Launch

From the repository root:

${launch.join("\n")}

After editing a task file or context.md, regenerate these files:

    ${formatCommand(plait("spec prompts", place))}

## Sizes

${table(["Prompt", "Bytes", "Lines", "Sources"], sizes)}
`;
}

/** The time that an overview says it was written at; null where it says none. */
export function generatedTime(overview: string): string | null {
  return /^Generated: (\S+)$/m.exec(overview)?.[1] ?? null;
}

/** Fingerprints that an overview has, by the path of the prompt. */
export function readPromptSources(overview: string): ReadonlyMap<string, string> {
  const rows = overview.matchAll(/^\| `(prompts\/[^`]+)` \| \d+ \| \d+ \| `([0-9a-f]{16})` \|$/gm);
  return new Map([...rows].map(([, path = "", sources = ""]) => [path, sources]));
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
const lines = (text: string): number => text.split("\n").length - 1;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}
