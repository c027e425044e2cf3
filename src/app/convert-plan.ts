import { dirname, relative, resolve } from "node:path";
import type { PlanDraft, TaskSettingsDraft } from "../core/draft.ts";
import type { Diagnostic } from "../core/source.ts";
import { readNative } from "../formats/native/read.ts";
import { writeNative } from "../formats/native/write.ts";
import { formats } from "../formats/registry.ts";
import type { WrittenPlan } from "./load-plan.ts";
import { readText } from "./read-text.ts";

/**
 * A plan of any format as the text of a native plan that means the same. Names of files are those that they have from the folder
 * that the text goes to, which is that of the plan where nobody says. The plan has been checked: it has no errors.
 */
export async function convertPlan({ draft, folder }: WrittenPlan, to: string | null): Promise<string> {
  const target = to === null ? folder : dirname(resolve(to));
  const title = formats.find(({ name }) => name === draft.format)?.title ?? draft.format;
  const text = writeNative(await withTexts(draft, folder), {
    header: `Converted from ${draft.path.replace(/\p{Cc}/gu, "?")} (${title}). Comments name the original places.`,
    fileName: (file) => wayTo(target, resolve(folder, file)),
    folderName: (named) => wayTo(target, named),
  });
  const [problem] = problemsIn(text, target);
  if (problem) throw new Error(`cannot read the plan converted from ${draft.path}: ${problem.message}`);
  return text;
}

const wayTo = (from: string, path: string): string => relative(from, path) || ".";

/** What is written is read before anybody relies on it. Its size is that of the source, which was allowed. */
function problemsIn(text: string, folder: string): Diagnostic[] {
  const caps = {
    maxPlanBytes: Number.MAX_SAFE_INTEGER,
    maxDepth: 64,
    maxTasks: Number.MAX_SAFE_INTEGER,
    maxPromptBytes: Number.MAX_SAFE_INTEGER,
  };
  const { diagnostics } = readNative({ path: "plan.yaml", text }, caps, folder);
  return diagnostics.filter(({ severity }) => severity === "error");
}

/** Files that a native plan cannot name are written into it. */
async function withTexts(draft: PlanDraft, folder: string): Promise<PlanDraft> {
  const settings = async <Settings extends TaskSettingsDraft>(one: Settings): Promise<Settings> => {
    const source = one.systemPrompt?.value;
    if (!one.systemPrompt || source?.kind !== "file") return one;
    const read = await readText(resolve(folder, source.file), Number.MAX_SAFE_INTEGER);
    if (!read.ok) throw new Error(`${source.file} ${read.detail}`); // it could be read a moment ago
    return { ...one, systemPrompt: { ...one.systemPrompt, value: { kind: "inline", text: read.text } } };
  };
  const tasks = draft.tasks.map(async (task) => ({ ...task, settings: await settings(task.settings) }));
  return { ...draft, defaults: await settings(draft.defaults), tasks: await Promise.all(tasks) };
}
