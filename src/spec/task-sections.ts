import type { Diagnostic } from "../core/source.ts";
import type { TaskSpec } from "../formats/cpo/task-spec.ts";
import { buildPromptFinding } from "./prompt-catalog.ts";

/** What a prompt is made of and the task file does not have. */
export function sectionsMissing({ body, at, path }: TaskSpec): Diagnostic[] {
  const lacking = (name: string) =>
    buildPromptFinding("task-section-missing", { name, path, isEmpty: false }, at);
  const texts = [
    ["Requirements", body.requirements],
    ["Checklist", body.checklist],
  ] as const;
  return [
    ...(body.hasScope ? [] : [lacking("Scope")]),
    ...texts.flatMap(([name, section]) => {
      if (section === null) return [lacking(name)];
      if (section.value !== "") return [];
      return [buildPromptFinding("task-section-missing", { name, path, isEmpty: true }, section.at)];
    }),
  ];
}

/** Sections that no prompt has. How an agent answers is told by whoever runs it. */
export function sectionsUnused({ body }: TaskSpec): Diagnostic[] {
  return body.others
    .filter(({ value }) => !/^output format\b/i.test(value))
    .map(({ value, at }) => buildPromptFinding("task-section-unused", { section: value }, at));
}
