import type { Binding } from "../draft.ts";
import type { Command } from "../plan.ts";
import { fill } from "./variables.ts";

/** How a value is written at places that would read more into it than its characters. */

/** In a pattern of paths. What comes from outside is the name of a thing, so its wildcards are plain characters. */
export function asPattern(value: string, { from }: Binding): string {
  if (from === "values") return value; // written in the plan, perhaps as a pattern
  return (
    value
      .replace(/[*?[{(]/g, "[$&]")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: names of files may hold them, and patterns may not
      .replace(/[\u0000-\u001f\u007f\\]/g, "?")
      .replaceAll("::", "[:]:")
      .replace(/^!/, "?")
      .replace(/^~/, "[~]")
  );
}

/** A value in a shell line that needs quotes, which the line does not allow. */
export type ShellProblem = { readonly value: string; readonly name: string };

export function fillCommand(
  command: Command,
  bindings: readonly Binding[],
  refuse: (problem: ShellProblem) => void,
): Command {
  if (command.kind === "argv")
    return { kind: "argv", argv: command.argv.map((word) => fill(word, bindings, asArgument)) };
  const line = fill(command.line, bindings, (written, binding) => {
    const value = asArgument(written, binding);
    if (NEEDS_NO_QUOTES.test(value)) return value;
    if (HAS_OWN_QUOTING.test(command.line)) refuse({ value, name: binding.name });
    return `'${value.replaceAll("'", "'\\''")}'`;
  });
  return { kind: "shell", line };
}

/** A file whose name begins with a dash looks like an option. */
function asArgument(value: string, { from }: Binding): string {
  return from === "files" && value.startsWith("-") ? `./${value}` : value;
}

const NEEDS_NO_QUOTES = /^[\w@%+:,./-]+$/;

/**
 * Inside quotes, comments, arithmetic and here-documents our quotes would mean something else, and a name such as
 * $(rm -rf ~) would be run. To find out where exactly a line is plain takes a whole shell; so all of it must be.
 */
const HAS_OWN_QUOTING = /['"\\`#]|<<|\(\(/;
