import { afterAll, expect } from "vitest";
import { findParseProblem } from "./command-check.ts";
import { listTextCommands, type Words } from "./find-commands.ts";

/** Commands that a test's plait printed for people to type: each must be one that the command line accepts. */
const seen = new Map<string, Words>();

/** Remembers what was printed; checked once, when the file's tests are over. */
export function notePrinted(text: string): void {
  const joined = text.replaceAll(/\n {8}(?=\S)/g, " "); // a long hint wraps
  for (const words of listTextCommands(joined)) seen.set(words.join("\0"), words);
}

async function listBadCommands(): Promise<string[]> {
  const found = [...seen.values()].map(async (words) => {
    const problem = await findParseProblem(words);
    return problem === null ? [] : [`${words.join(" ")}: ${problem}`];
  });
  return (await Promise.all(found)).flat();
}

afterAll(async () => {
  expect(await listBadCommands()).toEqual([]);
});
