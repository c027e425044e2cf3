import { exitCodeMeanings } from "./exit-codes.ts";
import { bold, dim, type Line, plainText } from "./render/line.ts";
import { wrapWords } from "./render/width.ts";

/** Help is examples first: people copy them. */
type Example = readonly [command: string, says: string];

/** For `plait` alone: what people do most, and then what they look up. */
export function shortHelp(version: string, width: number): Line[] {
  const examples: Example[] = [
    ["plait run plan.yaml", "run a plan, and land the result on your branch"],
    ["plait demo", "see a small run, by an agent that costs nothing"],
    ["plait status", "how far the latest run is, and what to type next"],
    ["plait resume", "go on with a run that was stopped or cut off"],
    ["plait plan plan.yaml", "see what a run would do"],
    ["plait validate plan.yaml", "check a plan"],
    ["plait explain unknown-key", "read more about a finding"],
  ];
  const first = `${version}, runs many headless coding agents at once, from a plan`;
  return [
    ...wrapWords(`plait ${first}`, width).map(
      (line, index): Line => (index === 0 ? [bold("plait"), line.slice("plait".length)] : [line]),
    ),
    [],
    ...twoColumns(examples, width),
    [],
    ...wrapWords("all commands and flags: plait --help", width).map((line): Line => [line]),
  ];
}

export function exampleText(examples: readonly (Example | undefined)[], width: number): string {
  const rows = examples.filter((example) => example !== undefined);
  return plain(["Examples:"], twoColumns(rows, width));
}

export function exitCodeText(width: number): string {
  return plain(["Exit codes:"], twoColumns(exitCodeMeanings, width));
}

/** Below this the right column would be a ladder of single words. */
const LEAST_RIGHT = 26;

/** Commander's own lists look like ours. Its width for the left side holds for the whole list. */
export function itemText(term: string, says: string, room: { left: number; width: number }): string {
  return plain(says === "" ? [`  ${term}`] : twoColumns([[term, says]], room.width, room.left));
}

/** Left as it is, because it is copied; the right side is wrapped, or goes below where there is no room beside. */
function twoColumns(
  rows: readonly (readonly [string, string])[],
  width: number,
  left: number = Math.max(...rows.map(([text]) => text.length)),
): Line[] {
  const right = width - left - 4;
  if (right >= LEAST_RIGHT) {
    return rows.flatMap(([text, says]) =>
      wrapWords(says, right).map((line, index): Line => {
        return ["  ", bold((index === 0 ? text : "").padEnd(left)), "  ", dim(line)];
      }),
    );
  }
  return rows.flatMap(([text, says]): Line[] => [
    ["  ", bold(text)],
    ...wrapWords(says, width - 4).map((line): Line => ["    ", dim(line)]),
  ]);
}

/** Commander prints texts, without colours. */
function plain(...parts: readonly (readonly (string | Line)[])[]): string {
  const text = (line: string | Line) => (typeof line === "string" ? line : plainText(line).trimEnd());
  return parts.flat().map(text).join("\n");
}
