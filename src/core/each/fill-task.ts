import type { EnvDraft, GateDraft, TaskDraft, TaskSettingsDraft, WorkDraft } from "../draft.ts";
import type { Command, Copy, SetupCommand } from "../plan.ts";
import type { Located, SourceRange } from "../source.ts";

/** What is done to the texts of a task, by what each of them is. */
export type Filler = {
  readonly text: (text: string) => string;
  readonly pattern: (text: string) => string;
  readonly command: (command: Command, at: SourceRange) => Command;
  readonly work: (work: WorkDraft) => WorkDraft;
};

/**
 * Goes through every text of a task in which a variable may stand. Its id and its needs are left to expand.ts, which
 * knows the other tasks.
 */
export function fillTask({ each: _, ...task }: TaskDraft, filler: Filler): TaskDraft {
  const pattern = located(filler.pattern);
  return {
    ...task,
    title: task.title === null ? null : filler.text(task.title).replace(/[\r\n]+/g, " "), // names may have them
    work: filler.work(task.work),
    owns: task.owns.map(({ mode, text }) => ({ mode, text: pattern(text) })),
    boundary: task.boundary.map(pattern),
    gates: { ...task.gates, gates: task.gates.gates.map((gate) => gateOf(gate, filler)) },
    artifacts: task.artifacts.map(pattern),
    ...(task.reports && { reports: task.reports.map(pattern) }),
    settings: settingsOf(task.settings, filler),
  };
}

function gateOf(gate: GateDraft, { text, pattern, command }: Filler): GateDraft {
  return {
    ...gate,
    name: gate.name === null ? null : text(gate.name),
    run: command(gate.run, gate.at),
    dir: gate.dir && located(text)(gate.dir),
    when: gate.when.map(located(pattern)),
    env: gate.env && envOf(gate.env, text),
    results: gate.results && located(pattern)(gate.results),
  };
}

function settingsOf(settings: TaskSettingsDraft, filler: Filler): TaskSettingsDraft {
  const { text, pattern, command } = filler;
  const { agent, group, env, doneFile, dir, prepare } = settings;
  const commands = (list: readonly Located<Command>[] | null) =>
    list?.map(({ value, at }) => ({ value: command(value, at), at })) ?? null;
  const words = Object.entries(agent?.value ?? {}).map(([key, word]) => [key, word && text(word)]);
  return {
    ...settings,
    agent: agent && { value: Object.fromEntries(words), at: agent.at },
    group: group && located(text)(group),
    env: env && envOf(env, text),
    ...(doneFile && { doneFile: located(text)(doneFile) }),
    ...(dir && { dir: located(text)(dir) }),
    prepare: {
      copy: prepare.copy?.map(({ value, at }) => ({ value: copyOf(value, { text, pattern }), at })) ?? null,
      envFiles: prepare.envFiles,
      setup: prepare.setup?.map(({ value, at }) => ({ value: setupOf(value, at, filler), at })) ?? null,
      teardown: commands(prepare.teardown),
    },
  };
}

function setupOf(setup: SetupCommand, at: SourceRange, { text, pattern, command }: Filler): SetupCommand {
  const { inputs, outputs } = setup;
  return {
    ...command(setup, at),
    ...(inputs && { inputs: inputs.map(pattern) }),
    ...(outputs && { outputs: outputs.map(text) }),
  };
}

function copyOf(copy: Copy, { text, pattern }: Pick<Filler, "text" | "pattern">): Copy {
  return typeof copy === "string" ? pattern(copy) : { from: text(copy.from), to: text(copy.to) };
}

function envOf(env: EnvDraft, text: Filler["text"]): EnvDraft {
  return env.map(({ name, value }) => ({ name, value: located(text)(value) }));
}

function located(change: (text: string) => string): (text: Located<string>) => Located<string> {
  return ({ value, at }) => ({ value: change(value), at });
}
