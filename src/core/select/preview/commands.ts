import type { TaskId } from "../../ids.ts";
import type { Command, Gate, Plan, Preparation } from "../../plan.ts";

/** A command of the plan that a run executes as the user. */
export type CommandNote = {
  readonly when: "setup" | "task" | "gate" | "teardown" | "hook";
  /** The gate's name, or the moment of the hook; null where the command says it all. */
  readonly name: string | null;
  readonly command: string;
  /** Below the root of the tree; null is the root. */
  readonly dir: string | null;
  /** For whose trees it runs. */
  readonly tasks: readonly TaskId[];
  /** Also on the tree that lands. */
  readonly landing: boolean;
  /** A gate with `when`: it runs only if a matching path has changed. */
  readonly conditional: boolean;
};

type Occurrence = Omit<CommandNote, "tasks"> & { readonly task: TaskId | null };

/** Every command once, in the order in which a run comes to them. */
export function commandNotes(plan: Plan): CommandNote[] {
  return joined([
    ...hooks(plan, ["start"]),
    ...preparations(plan, "setup"),
    ...taskCommands(plan),
    ...gates(plan),
    ...preparations(plan, "teardown"),
    ...hooks(plan, ["failed", "held", "end"]),
  ]);
}

/** As one would type it. */
export function commandText(command: Command): string {
  return command.kind === "shell" ? command.line : command.argv.map(shellWord).join(" ");
}

function hooks(plan: Plan, moments: readonly (keyof Plan["hooks"])[]): Occurrence[] {
  return moments.flatMap((name) =>
    plan.hooks[name].map((command) => occurrence("hook", command, { name, task: null })),
  );
}

function preparations(plan: Plan, when: "setup" | "teardown"): Occurrence[] {
  const of = (prepare: Preparation, task: TaskId | null) =>
    prepare[when].map((command) => occurrence(when, command, { task, landing: task === null }));
  const forLanding = plan.gates.length > 0 ? of(plan.prepare, null) : [];
  return [...plan.tasks.flatMap((task) => of(task.prepare, task.id)), ...forLanding];
}

function taskCommands(plan: Plan): Occurrence[] {
  return plan.tasks.flatMap(({ id, work }) =>
    work.kind === "command" ? [occurrence("task", work.run, { task: id, name: id })] : [],
  );
}

function gates(plan: Plan): Occurrence[] {
  const of = (gate: Gate, task: TaskId | null) => {
    const conditional = gate.when.length > 0;
    return occurrence("gate", gate.run, {
      name: gate.name,
      dir: gate.dir,
      task,
      landing: task === null,
      conditional,
    });
  };
  const forTasks = plan.tasks.flatMap((task) => task.gates.map((gate) => of(gate, task.id)));
  return [...forTasks, ...plan.gates.map((gate) => of(gate, null))];
}

function occurrence(when: CommandNote["when"], command: Command, rest: Partial<Occurrence>): Occurrence {
  const nothing = { name: null, dir: null, task: null, landing: false, conditional: false };
  return { ...nothing, ...rest, when, command: commandText(command) };
}

function joined(occurrences: readonly Occurrence[]): CommandNote[] {
  const notes = new Map<string, CommandNote>();
  for (const { task, ...note } of occurrences) {
    const key = JSON.stringify([note.when, note.name, note.command, note.dir]);
    const known = notes.get(key) ?? { ...note, tasks: [] };
    notes.set(key, {
      ...known,
      tasks: task === null || known.tasks.includes(task) ? known.tasks : [...known.tasks, task],
      landing: known.landing || note.landing,
      conditional: known.conditional && note.conditional,
    });
  }
  return [...notes.values()];
}

/** A word as a shell takes it, quoted where it must be. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
