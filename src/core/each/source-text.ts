import type { EachVariable } from "../draft.ts";
import type { Command } from "../plan.ts";
import { listQuoted, quoted } from "../text/figures.ts";

/** Where the values of a variable come from, as people read it: "file in `src/**`". */
export function sourceText({ name, source }: EachVariable): string {
  switch (source.kind) {
    case "values":
      return `${name.value} in ${listQuoted(valuesOf(source.values), "values")}`;
    case "files": {
      const except =
        source.exclude.length === 0 ? "" : ` but for ${listQuoted(valuesOf(source.exclude), "patterns")}`;
      return `${name.value} in ${listQuoted(valuesOf(source.patterns), "patterns")}${except}`;
    }
    case "command":
      return `${name.value} in the lines of ${quoted(commandLine(source.run.value))}`;
  }
}

export function commandLine(command: Command): string {
  return command.kind === "shell" ? command.line : command.argv.join(" ");
}

function valuesOf(list: readonly { readonly value: string }[]): string[] {
  return list.map(({ value }) => value);
}
