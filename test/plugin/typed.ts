import { type CommandSpec, commands } from "../../src/cli/commands.ts";
import { commandLines } from "../../src/cli/compat/command-lines.ts";
import { type Flag, flags, globalFlags } from "../../src/cli/flags.ts";

// What somebody who follows a page would type, judged by the tables that the program itself is made of.

/** Every `plait …` of a line for the shell: after variables, pipes and other commands; up to what ends it. */
export function plaitLines(line: string): string[][] {
  const words = wordsOf(line);
  const starts = words.flatMap((word, i) => (word === "plait" && isStart(words[i - 1]) ? [i] : []));
  return starts.map((start) => {
    const end = words.findIndex((word, i) => i > start && ENDS.has(word));
    return words.slice(start + 1, end === -1 ? undefined : end);
  });
}

const ENDS = new Set(["&&", "||", "|", ";", ">", "#"]);

function isStart(before: string | undefined): boolean {
  return before === undefined || ENDS.has(before) || /^[A-Z_]+=/.test(before);
}

/** As a shell cuts them, as far as pages need it. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}

/** What is wrong with it, or null. */
export function problemOf(words: readonly string[]): string | null {
  const [first = "", second = ""] = words;
  if (first in commandLines || first === "" || first === "--version" || first === "--help") return null;
  const spec = commands.find(
    ({ name, alias }) => name === `${first} ${second}` || name === first || alias === first,
  );
  if (spec === undefined) return `there is no command ${first} ${second}`.trimEnd();
  return argumentProblem(spec, words.slice(spec.name.includes(" ") ? 2 : 1));
}

function argumentProblem(spec: CommandSpec, words: readonly string[]): string | null {
  const taken = [...spec.flags, ...globalFlags].map((name): Flag => flags[name]);
  let positional = 0;
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? "";
    if (!word.startsWith("-")) {
      if (!isOpen(word)) positional += 1;
      continue;
    }
    const flag = taken.find(({ usage }) => usage.split(/,? /).includes(word));
    if (flag === undefined) return `${spec.name} has no flag ${word}`;
    if (!flag.usage.includes("<")) continue;
    i += 1;
    const problem = valueProblem(flag, words[i]);
    if (problem !== null) return `${word} of ${spec.name} ${problem}`;
  }
  const most =
    spec.argument === undefined ? 0 : spec.argument[0].includes("...") ? Number.POSITIVE_INFINITY : 1;
  return positional > most ? `${spec.name} takes fewer words than ${words.join(" ")}` : null;
}

/** What the reader is to fill in. */
function isOpen(word: string): boolean {
  return /^[[<$…]/.test(word);
}

function valueProblem({ parse }: Flag, value: string | undefined): string | null {
  if (value === undefined) return "needs a value";
  if (isOpen(value)) return null;
  try {
    parse?.(value);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Every flag that some command takes. */
export const allFlags: ReadonlySet<string> = new Set(
  Object.values(flags).flatMap(({ usage }: Flag) => usage.match(/(?<!\w)--?[a-z][\w-]*/gi) ?? []),
);
