import { buildPlanFinding, type planCatalog } from "../analyze/catalog.ts";
import type { FindingBuilder } from "../catalog.ts";
import type { Binding, EachVariable, PlanDraft, TaskDraft } from "../draft.ts";
import type { Diagnostic, Located } from "../source.ts";
import { type Filler, fillTask } from "./fill-task.ts";
import { sourceText } from "./source-text.ts";
import { distinctInCase, fill, idFrom, idTemplate, NAME, PARTS, usesIn } from "./variables.ts";
import { asPattern, fillCommand } from "./written.ts";

/** The values of a variable, or null where they are not known: because of an error, or because nobody may ask yet. */
export type ValuesOf = (variable: EachVariable) => readonly string[] | null;

/** What became of one task of the file that stands for many. */
export type EachNote = {
  /** As the file has it. */
  readonly id: string;
  readonly from: string;
  readonly tasks: readonly string[];
  /** False where the values are not known, and the one task stands for those that will be. */
  readonly known: boolean;
};

export type Expansion = {
  readonly draft: PlanDraft;
  readonly diagnostics: readonly Diagnostic[];
  readonly notes: readonly EachNote[];
};

/** A task of the file, and the tasks that it stands for. */
type Template = {
  readonly task: TaskDraft;
  readonly variables: readonly EachVariable[];
  /** The id with its places for values. */
  readonly idText: string;
  readonly combinations: readonly (readonly Binding[])[];
  /** By combination. */
  readonly ids: readonly string[];
};

type Report = FindingBuilder<typeof planCatalog, void>;

/**
 * Makes many tasks of each that has `each`, in its place and in the order of the values. What is made differs only in
 * its texts, so findings about it have the place of the one that is written.
 */
export function expandEach(
  draft: PlanDraft,
  { valuesOf, maxTasks }: { readonly valuesOf: ValuesOf; readonly maxTasks: number },
): Expansion {
  const diagnostics: Diagnostic[] = [];
  const report: Report = (...finding) => diagnostics.push(buildPlanFinding(...finding));
  const tooMany = tooManyTasks(draft, valuesOf, maxTasks);
  if (tooMany !== null) diagnostics.push(tooMany);
  const templates = draft.tasks.map((task) => templateOf(task, tooMany === null ? valuesOf : () => null));
  reportRepeated(draft.tasks, report);
  const wanted = needsAmong(templates, report);
  const tasks = templates.flatMap((template) => {
    if (template.variables.length === 0) return [{ ...template.task, needs: wanted(template, null) }];
    reportSameIds(template, report);
    diagnostics.push(...checkUses(template.task, template.variables));
    return template.combinations.map((bindings, index) => ({
      ...fillTask(template.task, fillerFor(bindings, report)),
      id: { value: template.ids[index] as string, at: template.task.id.at },
      needs: wanted(template, index),
    }));
  });
  const notes = templates.filter(({ variables }) => variables.length > 0).map(noteOf);
  return { draft: { ...draft, tasks }, diagnostics, notes };
}

function templateOf(task: TaskDraft, valuesOf: ValuesOf): Template {
  const variables = (task.each ?? []).filter(({ name }) => NAME.test(name.value)); // others are reported
  const names = variables.map(({ name }) => name.value);
  const idText = variables.length === 0 ? task.id.value : idTemplate(task.id.value, names);
  const combinations = variables.reduce<readonly (readonly Binding[])[]>(
    (before, variable) => {
      const { name, source } = variable;
      const values = valuesOf(variable) ?? [null];
      return before.flatMap((bindings) =>
        values.map((value) => [...bindings, { name: name.value, from: source.kind, value }]),
      );
    },
    [[]],
  );
  const ids = distinctInCase(combinations.map((bindings) => idFrom(idText, bindings)));
  return { task, variables, idText, combinations, ids };
}

/** What is made of them may differ; but who needs that name would mean one of the two. */
function reportRepeated(tasks: readonly TaskDraft[], report: Report): void {
  const first = new Map<string, TaskDraft>();
  for (const task of tasks) {
    const before = first.get(task.id.value) ?? task;
    first.set(task.id.value, before);
    if (before === task || (before.each === undefined && task.each === undefined)) continue; // reported by the analysis
    report("duplicate-id", { id: task.id.value }, task.id.at);
  }
}

/** Counted before anything is made of it. */
function tooManyTasks(draft: PlanDraft, valuesOf: ValuesOf, maxTasks: number): Diagnostic | null {
  const counts = draft.tasks.map(({ each = [] }) =>
    each.reduce((product, variable) => product * (valuesOf(variable)?.length ?? 1), 1),
  );
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total <= maxTasks) return null;
  const most = Math.max(...counts);
  const largest = draft.tasks[counts.indexOf(most)] as TaskDraft;
  const from = (largest.each ?? []).map(sourceText).join(", ");
  const each = { task: largest.id.value, most, total, from };
  const at = largest.each?.[0]?.name.at ?? largest.id.at;
  return buildPlanFinding("too-many-tasks", { limit: maxTasks, ...(from !== "" && { each }) }, at);
}

/**
 * What the needs of a task mean: the id of a task that stands for many means all that are made of it; with variables in
 * it, the one that is made of the same values.
 */
function needsAmong(templates: readonly Template[], report: Report) {
  const all = new Map<string, Template>();
  const madeAs = new Map<string, string>();
  for (const template of templates) {
    if (template.variables.length === 0) continue;
    for (const name of [template.task.id.value, template.idText]) all.set(name, template);
    template.combinations.forEach((bindings, index) => {
      madeAs.set(idFrom(template.idText, bindings), template.ids[index] as string);
    });
  }
  return (template: Template, index: number | null): Located<string>[] =>
    template.task.needs.flatMap((need) => {
      const bindings = index === null ? [] : (template.combinations[index] ?? []);
      const rendered = idFrom(need.value, bindings);
      if (rendered !== need.value) return [{ value: madeAs.get(rendered) ?? rendered, at: need.at }];
      const meant = all.get(need.value);
      if (meant === undefined) return [need];
      if (meant !== template) return meant.ids.map((id) => ({ value: id, at: need.at }));
      if (index === 0) report("needs-itself", { task: template.task.id.value, isEach: true }, need.at);
      return [];
    });
}

function reportSameIds({ task, combinations, ids }: Template, report: Report): void {
  const first = new Map<string, number>();
  for (const [index, id] of ids.entries()) {
    const before = first.get(id);
    first.set(id, before ?? index);
    if (before === undefined) continue;
    const values = [before, index].map((at) =>
      (combinations[at] ?? []).map(({ value }) => value ?? "").join(", "),
    );
    const names = (combinations[0] ?? []).map(({ name }) => name);
    report("each-same-id", { values, id, names }, task.id.at);
    return; // one pair shows what is wrong
  }
}

function fillerFor(bindings: readonly Binding[], report: Report): Filler {
  const text = (written: string) => fill(written, bindings);
  const command: Filler["command"] = (run, at) =>
    fillCommand(run, bindings, (problem) => report("each-shell", problem, at));
  return {
    text,
    pattern: (written) => fill(written, bindings, asPattern),
    command,
    work: (work) => {
      if (work.kind === "command") return { ...work, run: command(work.run, work.at) };
      const { value: source, at } = work.prompt;
      // A file is filled when it has been read.
      const value =
        source.kind === "inline"
          ? { ...source, text: text(source.text) }
          : { ...source, file: text(source.file), fill: bindings };
      return { ...work, prompt: { value, at } };
    },
  };
}

function noteOf({ task, variables, combinations, ids }: Template): EachNote {
  const known = !(combinations[0] ?? []).some(({ value }) => value === null);
  return { id: task.id.value, from: variables.map(sourceText).join(", "), tasks: ids, known };
}

/** What a task that stands for many probably did not mean: a variable it never uses, or a part that no value has. */
function checkUses(task: TaskDraft, variables: readonly EachVariable[]): Diagnostic[] {
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
