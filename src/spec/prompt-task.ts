import { openFence, proseOf, withoutBlankEnds } from "../formats/cpo/prose.ts";
import { scopePath } from "../formats/cpo/scope-text.ts";
import type { SpecTask } from "./spec-contents.ts";

/** A task as its prompt tells of it: requirements and checklist are Markdown, as the task file has them. */
export type PromptTask = Omit<SpecTask, "requirements" | "checklist" | "hours" | "covers" | "operations"> & {
  readonly requirements: string;
  readonly checklist: string;
};

/** `folder` is where the artefacts lie, from the root of the repository: agents start there. */
export function promptTaskOf(task: SpecTask, folder: string): PromptTask {
  return {
    ...task,
    title: titleText(task),
    objective: objectiveText(task),
    contracts: task.contracts.map((path) => below(folder, path)),
    create: task.create.map(scopePath),
    modify: task.modify.map(scopePath),
    boundary: task.boundary.map(scopePath),
    requirements: requirementsText(task),
    checklist: checklistText(task),
  };
}

export function below(folder: string, path: string): string {
  return folder === "" || folder === "." ? path : `${folder}/${path}`;
}

export function titleText({ title, id }: Pick<SpecTask, "title" | "id">): string {
  return title.replace(/\s+/g, " ").trim() || id;
}

/** Words that can neither begin a section of the task file nor hide the ones below. */
export function objectiveText(task: SpecTask): string {
  const text = withoutBlankEnds(task.objective);
  if (text === "") return titleText(task);
  const lines = [...proseOf(text, { start: 0, end: text.length })].map((line) =>
    !line.isCode && /^##?[ \t]/.test(line.text) ? `\\${line.text}` : line.text,
  );
  const fence = openFence(text);
  return [...lines, ...(fence === null ? [] : [fence])].join("\n");
}

export function requirementsText({ requirements }: SpecTask): string {
  return items("- ", requirements);
}

export function checklistText({ checklist }: SpecTask): string {
  return items("- [ ] ", checklist);
}

/** A text of several lines stays one item: the others are indented as Markdown wants it. */
function items(lead: string, texts: readonly string[]): string {
  if (texts.length === 0) return "- None";
  const list = texts.map((text) => {
    const [first = "", ...rest] = text.replaceAll(/\r\n?/g, "\n").trim().split("\n");
    return [`${lead}${first}`, ...rest.map((line) => (line.trim() === "" ? "" : `  ${line}`))].join("\n");
  });
  return withoutBlankEnds(list.join("\n"));
}
