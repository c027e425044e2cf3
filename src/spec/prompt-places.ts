import type { Diagnostic } from "../core/source.ts";
import type { PlannedTask } from "../formats/cpo/planned-tasks.ts";
import { buildPromptFinding } from "./prompt-catalog.ts";

export const OVERVIEW = "agent-prompts.md";

type Placed = Pick<PlannedTask, "id" | "promptFile">;

/** Where prompts are written: as the manifest says, else by the id; in one folder, each under a name of its own. */
export function promptPlaces(tasks: readonly Placed[]): {
  readonly pathOf: (task: Placed) => string;
  readonly diagnostics: readonly Diagnostic[];
} {
  const taken = new Map<string, Placed>();
  const diagnostics = tasks.flatMap((task) => {
    const { id, promptFile } = task;
    const at = promptFile?.at ?? id.at;
    const path = pathOf(task);
    const wrong = (problem: { kind: "outside" | "overview" } | { kind: "taken"; other: string }) => [
      buildPromptFinding("prompt-place", { task: id.value, path, ...problem }, at),
    ];
    if (!isPlace(path)) return wrong({ kind: "outside" });
    // Some disks take names of one spelling for the same.
    const key = path.toLowerCase();
    const other = taken.get(key);
    taken.set(key, task);
    if (key === `prompts/${OVERVIEW}`) return wrong({ kind: "overview" });
    return other === undefined ? [] : wrong({ kind: "taken", other: other.id.value });
  });
  return { pathOf, diagnostics };
}

function pathOf({ id, promptFile }: Placed): string {
  return promptFile?.value.replace(/^\.\//, "") ?? `prompts/${id.value}.txt`;
}

function isPlace(path: string): boolean {
  const name = /^prompts\/([^/\\]+)$/.exec(path)?.[1] ?? "";
  return (
    !name.startsWith(".") && name.trim() !== "" && !Array.from(name).some((c) => c < " " || c === "\u007f")
  );
}
