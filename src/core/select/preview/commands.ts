import { groupBy } from "../../group-by.ts";
import type { TaskId } from "../../ids.ts";
import type { Command, Gate, Plan, Preparation } from "../../plan.ts";
import { shellWord } from "../../text/command.ts";

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
  /** Also on the final tree: the one that lands, or stays on the integration branch. */
  readonly finalTree: boolean;
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
    ...(plan.notify.command === null ? [] : [occurrence("hook", plan.notify.command, { name: "notify" })]),
  ]);
}

/** As one would type it. */
export function commandText(command: Command): string {
  return command.kind === "shell" ? command.line : command.argv.map((word) => shellWord(word)).join(" ");
}

function hooks(plan: Plan, moments: readonly (keyof Plan["hooks"])[]): Occurrence[] {
  return moments.flatMap((name) =>
    plan.hooks[name].map((command) => occurrence("hook", command, { name, task: null })),
  );
}

function preparations(plan: Plan, when: "setup" | "teardown"): Occurrence[] {
  const of = (prepare: Preparation, task: TaskId | null) =>
    prepare[when].map((command) => occurrence(when, command, { task, finalTree: task === null }));
  const forFinalTree = plan.gates.length > 0 ? of(plan.prepare, null) : [];
  return [...plan.tasks.flatMap((task) => of(task.prepare, task.id)), ...forFinalTree];
}

function taskCommands(plan: Plan): Occurrence[] {
  return plan.tasks.flatMap(({ id, work }) =>
    work.kind === "command" ? [occurrence("task", work.run, { task: id, name: id })] : [],
  );
}

function gates(plan: Plan): Occurrence[] {
  const of = (gate: Gate, task: TaskId | null) => {
    const { name, dir, when } = gate;
    return occurrence("gate", gate.run, {
      name,
      dir,
      task,
      finalTree: task === null,
      conditional: when.length > 0,
    });
  };
  const forTasks = plan.tasks.flatMap((task) => task.gates.map((gate) => of(gate, task.id)));
  return [...forTasks, ...plan.gates.map((gate) => of(gate, null))];
}

function occurrence(when: CommandNote["when"], command: Command, rest: Partial<Occurrence>): Occurrence {
  const nothing = { name: null, dir: null, task: null, finalTree: false, conditional: false };
  return { ...nothing, ...rest, when, command: commandText(command) };
}

function joined(occurrences: readonly Occurrence[]): CommandNote[] {
  const groups = groupBy(occurrences, (one) => JSON.stringify([one.when, one.name, one.command, one.dir]));
  return [...groups.values()].map((same) => {
    const { task: _, ...note } = same[0] as Occurrence;
    const finalTree = same.some((one) => one.finalTree);
    const conditional = same.every((one) => one.conditional);
    return { ...note, finalTree, conditional, tasks: [...new Set(same.flatMap(({ task }) => task ?? []))] };
  });
}
