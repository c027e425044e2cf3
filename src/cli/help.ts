import { exitCodeMeanings } from "./exit-codes.ts";
import { bold, dim, type Line } from "./render/line.ts";

/** Help is examples first: people copy them. */
type Example = readonly [command: string, says: string];

/** For `plait` alone: three things to try. */
export function shortHelp(version: string): Line[] {
  const examples: Example[] = [
    ["plait validate plan.yaml", "check a plan"],
    ["plait plan plan.yaml", "see what a run would do"],
    ["plait explain unknown-key", "read more about a finding"],
  ];
  const width = longest(examples);
  return [
    [bold("plait"), ` ${version}, runs many headless coding agents at once, from a plan`],
    [],
    ...examples.map(([command, says]): Line => ["  ", bold(command.padEnd(width)), "  ", dim(says)]),
    [],
    ["all commands and flags: plait --help"],
  ];
}

export function exampleText(examples: readonly (Example | undefined)[]): string {
  const rows = examples.filter((example) => example !== undefined);
  const width = longest(rows);
  return ["Examples:", ...rows.map(([command, says]) => `  ${command.padEnd(width)}  ${says}`)].join("\n");
}

export function exitCodeText(): string {
  const width = longest(exitCodeMeanings);
  return ["Exit codes:", ...exitCodeMeanings.map(([code, says]) => `  ${code.padEnd(width)}  ${says}`)].join(
    "\n",
  );
}

function longest(rows: readonly (readonly [string, string])[]): number {
  return Math.max(...rows.map(([left]) => left.length));
}
