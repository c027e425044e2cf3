import { buildPlanFinding } from "../analyze/catalog.ts";
import type { EachVariable, TaskDraft } from "../draft.ts";
import type { Diagnostic } from "../source.ts";
import { fillTask } from "./fill-task.ts";
import { PARTS, usesIn } from "./variables.ts";

/** What a task that stands for many probably did not mean: a variable it never uses, or a part that no value has. */
export function checkUses(task: TaskDraft, variables: readonly EachVariable[]): Diagnostic[] {
  const names = variables.map(({ name }) => name.value);
  const texts = textsOf(task);
  const uses = usesIn(texts.join("\n"), names);
  const isInFile = task.work.kind === "agent" && task.work.prompt.value.kind === "file";
  const unused = isInFile ? [] : variables.filter(({ name }) => !uses.used.includes(name.value));
  return [
    ...[...new Set([...usesIn(task.id.value, names).unknown, ...uses.unknown])].map((written) =>
      buildPlanFinding(
        "each-unknown-part",
        { task: task.id.value, written, parts: Object.keys(PARTS) },
        task.id.at,
      ),
    ),
    ...unused.map(({ name }) =>
      buildPlanFinding("each-unused", { task: task.id.value, name: name.value }, name.at),
    ),
  ];
}

/** Listens where values would be filled in, so that no text is forgotten in one of the two. */
function textsOf(task: TaskDraft): string[] {
  const texts: string[] = [];
  const heard = (text: string) => {
    texts.push(text);
    return text;
  };
  const command = <Run extends TaskDraft["gates"]["gates"][number]["run"]>(run: Run): Run => {
    texts.push(...(run.kind === "shell" ? [run.line] : run.argv));
    return run;
  };
  fillTask(task, {
    text: heard,
    pattern: heard,
    command,
    work: (work) => {
      if (work.kind === "command") command(work.run);
      else heard(work.prompt.value.kind === "inline" ? work.prompt.value.text : work.prompt.value.file);
      return work;
    },
  });
  return texts;
}
