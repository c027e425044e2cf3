import { defaultLayers } from "../../src/config/settings.ts";
import { analyze } from "../../src/core/analyze/analyze.ts";
import type { PlanDraft, TaskDraft } from "../../src/core/draft.ts";
import { textHash } from "../../src/core/ids.ts";
import type { Diagnostic } from "../../src/core/source.ts";
import { readFolderAsPlan } from "./read-as-plan.ts";

/** An artefact folder for tests: what it holds by path; null takes a file out. */
export type Files = { readonly [path: string]: string | null };

const FOLDER = "parallel/TS-1";

const prompt = "=== CONTEXT ===\nc\n=== REQUIRED SKILLS ===\ns\nDo it.\n";

/** Two waves, everything as it should be. */
export const whole: Files = {
  "manifest.json": manifest([["task-001-users", "task-002-items"], ["task-003-orders"]]),
  "context.md": "# Context\n",
  "contracts/types.ts": "export type A = 1;\n",
  "tasks/task-001-users.md": taskFile({ id: "task-001-users", wave: 1, scope: "CREATE: src/users.js" }),
  "tasks/task-002-items.md": taskFile({ id: "task-002-items", wave: 1, scope: "CREATE: src/items.js" }),
  "tasks/task-003-orders.md": taskFile({
    ...{ id: "task-003-orders", wave: 2, deps: "[task-001-users]" },
    scope: "MODIFY: src/users.js::User",
  }),
  "prompts/task-001.txt": prompt,
  "prompts/task-002.txt": prompt,
  "prompts/task-003-orders.txt": prompt,
};

export function manifest(waves: readonly (readonly string[])[], more: object = {}): string {
  const list = waves.map((ids, i) => ({
    number: i + 1,
    tasks: ids.map((id) => ({ id, agent: "plugin:agent" })),
  }));
  return JSON.stringify({ tech_spec_id: "TS-1", waves: list, ...more }, null, 2);
}

export function taskFile(task: {
  id: string;
  wave: number;
  scope: string;
  deps?: string;
  more?: string;
}): string {
  const { id, wave, scope, deps = "[]", more = "" } = task;
  return `---
id: ${id}
component: c
wave: ${wave}
deps: ${deps}
agent: plugin:agent
contracts: [contracts/types.ts]
${more}---
# ${id}: The title

## Scope
${scope}
BOUNDARY: (none)
`;
}

export async function readFolder(files: Files): Promise<{ draft: PlanDraft | null; said: string[] }> {
  const kept = Object.entries({ ...whole, ...files }).filter(([, text]) => text !== null);
  const { draft, diagnostics } = await readFolderAsPlan(
    FOLDER,
    Object.fromEntries(kept as [string, string][]),
  );
  return { draft, said: diagnostics.map(say) };
}

/** What reading and analysis say together. */
export async function check(files: Files): Promise<string[]> {
  const { draft, said } = await readFolder(files);
  if (draft === null) return said;
  const someText = { hash: textHash("0".repeat(64)), bytes: 1, file: null };
  const context = { layers: defaultLayers(), text: () => someText, sourceHash: someText.hash };
  return [...said, ...analyze(draft, context).diagnostics.map(say)];
}

export function taskOf(draft: PlanDraft | null, id: string): TaskDraft {
  const found = draft?.tasks.find((task) => task.id.value === id);
  if (!found) throw new Error(`no task ${id} in ${draft?.tasks.map((task) => task.id.value).join(", ")}`);
  return found;
}

function say({ code, severity, message, at, hint }: Diagnostic): string {
  const file = at?.file.replace(`${FOLDER}/`, "") ?? "";
  const place = at ? `${file}:${at.start.line}:${at.start.col} ` : "";
  return `${place}${severity} ${code}: ${message}${hint === null ? "" : ` -> ${hint}`}`;
}
