import { quoted } from "../core/analyze/words.ts";
import { type Diagnostic, diagnostic } from "../core/source.ts";
import type { PlannedTask } from "../formats/cpo/planned-tasks.ts";
import type { PromptCode } from "./prompt-codes.ts";

export const OVERVIEW = "agent-prompts.md";

type Placed = Pick<PlannedTask, "id" | "promptFile">;

/** Where prompts are written: as the manifest says, else by the id; in one folder, each under a name of its own. */
export function promptPlaces(tasks: readonly Placed[]): {
  readonly pathOf: (task: Placed) => string;
  readonly diagnostics: readonly Diagnostic[];
} {
  const taken = new Map<string, Placed>();
  const code: PromptCode = "prompt-place";
  const diagnostics = tasks.flatMap((task) => {
    const { id, promptFile } = task;
    const at = promptFile?.at ?? id.at;
    const path = pathOf(task);
    const wrong = (problem: string) => {
      const message = `the prompt of ${quoted(id.value)} would be ${quoted(path)}, ${problem}`;
      return [diagnostic({ code, message, at, hint: `write "prompt_file": "prompts/${id.value}.txt"` })];
    };
    if (!isPlace(path)) return wrong(`which is no file of the folder ${quoted("prompts")}`);
    // Some disks take names of one spelling for the same.
    const key = path.toLowerCase();
    const other = taken.get(key);
    taken.set(key, task);
    if (key === `prompts/${OVERVIEW}`) return wrong("where the overview of all prompts is");
    return other === undefined ? [] : wrong(`which is that of ${quoted(other.id.value)} too`);
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
