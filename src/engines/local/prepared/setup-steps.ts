// A setup in steps: commands whose result is made once and given to other trees, because it is known what they depend on and what they
// make, and commands that run in each tree. Of installers plait knows it, of other commands the plan says it.

import type { Command, SetupCommand } from "../../../core/plan.ts";
import { commandText } from "../../../core/select/preview/commands.ts";
import { isInstall } from "./install-commands.ts";

export type SetupStep = {
  readonly kind: "each-tree" | "installs" | "declared";
  /** Of `declared` exactly one. */
  readonly commands: readonly SetupCommand[];
};

/** Installers count as such until the first command that may change anything. */
export function splitSetup(setup: readonly SetupCommand[]): SetupStep[] {
  const steps: SetupStep[] = [];
  for (const command of setup.flatMap(splitInstalls)) {
    const kind = findKind(command, steps);
    const last = steps.at(-1);
    if (last?.kind === kind && kind !== "declared")
      steps[steps.length - 1] = { kind, commands: [...last.commands, command] };
    else steps.push({ kind, commands: [command] });
  }
  return steps;
}

function findKind(command: SetupCommand, before: readonly SetupStep[]): SetupStep["kind"] {
  if (isDeclared(command)) return "declared";
  return isInstall(command) && before.every(({ kind }) => kind !== "each-tree") ? "installs" : "each-tree";
}

function isDeclared({ outputs = [] }: SetupCommand): boolean {
  return outputs.length > 0;
}

/** For each command of a setup with a result that other trees get: its installers, or null where the result is its outputs. */
export function findReused(setup: readonly SetupCommand[]): ReadonlyMap<SetupCommand, string | null> {
  const reused = new Map<SetupCommand, string | null>();
  const isFirst = (command: SetupCommand) => setup.slice(0, setup.indexOf(command)).every(isReusable);
  for (const command of setup) {
    const [first = command] = splitInstalls(command);
    if (isDeclared(command)) reused.set(command, null);
    else if (isInstall(first) && isFirst(command)) reused.set(command, commandText(first));
  }
  return reused;
}

const isReusable = (command: SetupCommand): boolean => isDeclared(command) || isInstall(command);

/** Words and quoted strings joined by `&&`. Whatever else a shell knows may tie the parts of a line together. */
const JOINED = /^(?:&&|'[^']*'|"[^"\\$`!]*"|[^'"\\$`!;|&<>(){}#\r\n])*$/;
const PARTS = /(?:'[^']*'|"[^"]*"|[^'"&])+/g;

/** A line that begins with installers: these, then the rest. A `cd` holds for the rest of its line too. */
function splitInstalls(command: SetupCommand): SetupCommand[] {
  if (command.kind !== "shell" || isDeclared(command) || isInstall(command)) return [command];
  if (!JOINED.test(command.line)) return [command];
  const parts = command.line.match(PARTS)?.map((part) => part.trim()) ?? [];
  const toCommand = (some: readonly string[]): Command => ({ kind: "shell", line: some.join(" && ") });
  const end = parts.findIndex((part) => part.startsWith("cd ") || !isInstall(toCommand([part])));
  if (end <= 0 || parts.includes("")) return [command];
  return [toCommand(parts.slice(0, end)), toCommand(parts.slice(end))];
}
