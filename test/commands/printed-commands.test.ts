import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commands } from "../../src/cli/commands.ts";
import { evolve } from "../../src/core/evolve.ts";
import type { RunState } from "../../src/core/run-state.ts";
import { formatCommand, type PlaitVerb, plait, VERBS } from "../../src/core/text/command.ts";
import { runSeed } from "../sim/run.ts";
import {
  findParseProblem,
  findRefusal,
  listPrintedCommands,
  listWords,
  type PrintedCommand,
} from "./command-check.ts";

/** PLAIT_SIM_SEEDS=10000 runs more of them. */
const seeds = Array.from({ length: Number(process.env["PLAIT_SIM_SEEDS"] ?? "60") }, (_, i) => i + 1);

/** One of this many states is looked at, each last one, and those that are rare. */
const EVERY = 29;
const RARE: ReadonlySet<string> = new Set(["worktree.opened", "landing.refused", "run.held"]);

type SeenState = { readonly state: RunState; readonly isRunning: boolean; readonly where: string };

function* listStates(): Generator<SeenState> {
  for (const seed of seeds) {
    const { facts } = runSeed(seed);
    let state: RunState | null = null;
    for (const [n, fact] of facts.entries()) {
      state = evolve(state, fact);
      const isSeen = n % EVERY === 0 || n === facts.length - 1 || RARE.has(fact.type);
      if (state === null || !isSeen) continue;
      const where = `seed ${seed}, fact ${n}`;
      if (state.ended === null) yield { state, isRunning: true, where };
      yield { state, isRunning: false, where };
    }
  }
}

/** Parsing is slow, and the same for commands that differ in figures only. */
function createCheck() {
  const parsed = new Set<string>();
  return async ({ command, isLater }: PrintedCommand, state: RunState, isRunning: boolean) => {
    const shape = formatCommand(command).replaceAll(/\d+/g, "0");
    const unparsed = parsed.has(shape) ? null : await findParseProblem(listWords(command));
    parsed.add(shape);
    return unparsed ?? (isLater ? null : findRefusal(state, command, isRunning));
  };
}

describe("every command that plait tells a person to type", () => {
  test("is one that `decide` accepts now, in the states of simulated runs", {
    timeout: 300_000,
  }, async () => {
    const problems = new Map<string, string>();
    const verbs = new Set<string>();
    const check = createCheck();
    for (const { state, isRunning, where } of listStates()) {
      for (const printed of listPrintedCommands(state, isRunning)) {
        verbs.add(printed.command.verb);
        const problem = await check(printed, state, isRunning);
        const key = `${printed.from}: ${printed.command.verb}: ${problem}`;
        if (problem !== null && !problems.has(key))
          problems.set(key, `${where}: ${formatCommand(printed.command)}`);
      }
    }
    expect(Object.fromEntries(problems)).toEqual({});
    // What the simulator never gets to would be checked by nobody.
    expect([...verbs].sort()).toEqual(
      expect.arrayContaining(["approve", "drop", "land", "logs", "open", "resume"]),
    );
    expect([...verbs].sort()).toEqual(expect.arrayContaining(["retry", "stop", "submit", "undo", "watch"]));
  });

  test("names a verb of the command line", () => {
    const known = new Set(commands.map(({ name }) => name));
    expect(VERBS.filter((verb) => !known.has(verb))).toEqual([]);
  });

  test("a command that the parser does not know is found", async () => {
    expect(await findParseProblem(["plait", "retry", "a", "--sideways"])).toMatch(/--sideways/);
    expect(await findParseProblem(listWords(plait("go on" as PlaitVerb)))).not.toBeNull();
    expect(await findParseProblem(["plait", "resume", "r", "--redo", "a"])).toMatch(/--plan/);
    expect(await findParseProblem(["plait", "resume", "r", "--budget-usd", "2"])).toBeNull();
  });
});

const root = join(import.meta.dirname, "../..");
const FOLDERS = [
  "test/cli/golden",
  "src/cli/render/run/pictures",
  "src/report/pictures",
  "test/cli/tmux/golden",
];

/** In text that was printed, a command ends with its line, or before a gap that its purpose stands behind. */
const PRINTED = /(?:^|[\s`(])(plait (?:[a-z]+)(?: (?!\s)[^\s`)]+)*)/gm;

test("every command in the goldens is parsed", async () => {
  const files = FOLDERS.flatMap((folder) => listFiles(join(root, folder)));
  const found = new Set<string>();
  for (const file of files)
    for (const [, text = ""] of readFileSync(file, "utf8").matchAll(PRINTED)) found.add(text);
  const verbs = new Set(commands.map(({ name }) => name.split(" ")[0]));
  const typed = [...found].filter(
    (text) =>
      verbs.has(text.split(" ")[1] ?? "") && /^plait (?!runs )\w+ [^[]/.test(text) && !/[>[]/.test(text),
  );
  expect(typed.length).toBeGreaterThan(20);
  const problems: string[] = [];
  for (const text of typed) {
    const words = text
      .replace(/[.,;:]$/, "")
      .split(" ")
      .map((word) => word.replace(/^<.*>$/, "x"));
    const problem = await findParseProblem(words);
    if (problem !== null) problems.push(`${text}: ${problem}`);
  }
  expect(problems).toEqual([]);
});

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}
