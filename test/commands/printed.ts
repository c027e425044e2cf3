import { afterAll, expect } from "vitest";
import { commands } from "../../src/cli/commands.ts";
import { commandLines } from "../../src/cli/compat/command-lines.ts";
import { findParseProblem } from "./command-check.ts";

/** Commands that a test's plait printed for people to type: each must be one that the command line accepts. */
const seen = new Set<string>();
const VERBS = new Set(commands.flatMap(({ name }) => name.split(" ")[0] ?? []));

/** On a line of its own, below `next`, or at the end of a hint; a purpose stands behind three spaces. */
const NEXT = /^(?:next)? {2,}(plait .+?)(?: {3,}.*)?$/gm;
const HINT = /(?:help|hint|error|warning): .*: (plait [a-z][^`\n]*)$/gm;

/** Remembers what was printed; checked once, when the file's tests are over. */
export function notePrinted(text: string): void {
  const joined = text.replaceAll(/\n {8}(?=\S)/g, " "); // a long hint wraps
  for (const pattern of [NEXT, HINT])
    for (const [, command = ""] of joined.matchAll(pattern)) seen.add(command.trim());
}

function listBadCommands(texts: Iterable<string>): Promise<string[]> {
  const typed = [...texts].filter((text) => {
    const [, verb = ""] = text.split(" ");
    return VERBS.has(verb) && !(verb in commandLines) && !/[|<>…]| (?:and|or|then) | --help$/.test(text);
  });
  return Promise.all(
    typed.map(async (text) => {
      const words = (text.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) =>
        word.replace(/^(['"])(.*)\1$/, "$2"),
      );
      const problem = await findParseProblem(words);
      return problem === null ? [] : [`${text}: ${problem}`];
    }),
  ).then((found) => found.flat());
}

afterAll(async () => {
  expect(await listBadCommands(seen)).toEqual([]);
});
