import { quoted } from "../core/analyze/words.ts";
import { type Diagnostic, diagnostic } from "../core/source.ts";
import type { TaskSpec } from "../formats/cpo/task-spec.ts";
import type { PromptCode } from "./prompt-codes.ts";

/** What a prompt is made of and the task file does not have. */
export function sectionsMissing({ body, at, path }: TaskSpec): Diagnostic[] {
  const code: PromptCode = "task-section-missing";
  const lacking = (name: string, hint: string) => {
    const message = `the task file ${quoted(path)} has no section ${quoted(`## ${name}`)}`;
    return diagnostic({ code, message, at, hint });
  };
  const scope = body.hasScope
    ? []
    : [lacking("Scope", 'add "## Scope" with lines CREATE:, MODIFY: and BOUNDARY:')];
  const texts = [
    ["Requirements", body.requirements, "- what is to be built"],
    ["Checklist", body.checklist, "- [ ] how one sees that it is done"],
  ] as const;
  return [
    ...scope,
    ...texts.flatMap(([name, section, line]) => {
      if (section === null) return [lacking(name, `add "## ${name}" with lines such as "${line}"`)];
      if (section.value !== "") return [];
      const message = `the section ${quoted(`## ${name}`)} is empty`;
      return [diagnostic({ code, message, at: section.at, hint: `write lines such as "${line}" below it` })];
    }),
  ];
}

/** Sections that no prompt has. How an agent answers is told by whoever runs it. */
export function sectionsUnused({ body }: TaskSpec): Diagnostic[] {
  const code: PromptCode = "task-section-unused";
  return body.others
    .filter(({ value }) => !/^output format\b/i.test(value))
    .map(({ value, at }) => {
      const message = `the section ${quoted(value)} is not part of the prompt`;
      const hint = "put what the agent must know under ## Requirements";
      return diagnostic({ code, severity: "warning", message, at, hint });
    });
}
