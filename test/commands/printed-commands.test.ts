import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { allCodes } from "../../src/app/codes.ts";
import { commands } from "../../src/cli/commands.ts";
import { evolve } from "../../src/core/evolve.ts";
import type { RunState } from "../../src/core/run-state.ts";
import { type PlaitVerb, plait, VERBS } from "../../src/core/text/command.ts";
import { runSeed } from "../sim/run.ts";
import { findParseProblem, findRefusal, parse } from "./command-check.ts";
import { listCommandWords, listTextCommands } from "./find-commands.ts";
import { listPrintedCommands, PRODUCERS, type PrintedCommand, type SeenState } from "./producers.ts";

/** PLAIT_SIM_SEEDS=10000 runs more of them. */
const seeds = Array.from({ length: Number(process.env["PLAIT_SIM_SEEDS"] ?? "60") }, (_, i) => i + 1);

/** One of this many states is looked at, each last one, and those that are rare. */
const EVERY = 29;
const RARE: ReadonlySet<string> = new Set(["worktree.opened", "landing.refused", "run.held", "run.stopping"]);

function* listStates(): Generator<SeenState> {
  for (const seed of seeds) {
    const { facts } = runSeed(seed);
    let state: RunState | null = null;
    for (const [n, fact] of facts.entries()) {
      const before = state;
      state = evolve(before, fact);
      const isSeen = n % EVERY === 0 || n === facts.length - 1 || RARE.has(fact.type);
      if (state === null || !isSeen) continue;
      const seen = {
        ...{ state: { ...state, allowRoot: true }, before }, // so that each command that starts agents needs its flag
        ...{ fact, facts: facts.slice(0, n + 1), where: `seed ${seed}, fact ${n}` },
      };
      if (state.ended === null) yield { ...seen, isRunning: true };
      yield { ...seen, isRunning: false };
    }
  }
}

/** Null where one of its moments accepts it. */
async function findProblem({ words, moments }: PrintedCommand): Promise<string | null> {
  const parsed = await parse(words);
  if ("problem" in parsed) return parsed.problem;
  const refusals = moments.map((moment) => findRefusal(moment, parsed));
  return refusals.includes(null) ? null : (refusals[0] ?? null);
}

describe("every command that plait tells a person to type", () => {
  test("is one that `decide` accepts now, in the states of simulated runs", {
    timeout: 300_000,
  }, async () => {
    const problems = new Map<string, string>();
    const verbs = new Set<string | undefined>();
    const heard = new Set<string>();
    for (const seen of listStates()) {
      for (const printed of listPrintedCommands(seen)) {
        const { words, from } = printed;
        verbs.add(words[1]);
        heard.add(from);
        const problem = await findProblem(printed);
        const key = `${from}: ${words[1]}: ${problem}`;
        if (problem !== null && !problems.has(key)) problems.set(key, `${seen.where}: ${words.join(" ")}`);
      }
    }
    expect(Object.fromEntries(problems)).toEqual({});
    // Reviewers of a pull request have no plait.
    expect(Object.keys(PRODUCERS).filter((one) => !heard.has(one))).toEqual(["pull request"]);
    // What the simulator never gets to would be checked by nobody.
    expect([...verbs].sort()).toEqual(
      expect.arrayContaining(["approve", "drop", "land", "logs", "open", "resume"]),
    );
    expect([...verbs].sort()).toEqual(expect.arrayContaining(["retry", "stop", "submit", "undo", "watch"]));
  });

  test("names a verb of the command line", () => {
    expect([...VERBS].sort()).toEqual(commands.map(({ name }) => name).sort());
  });

  test("a command that the parser does not know is found", async () => {
    expect(await findParseProblem(["plait", "retry", "a", "--sideways"])).toMatch(/--sideways/);
    expect(await findParseProblem(["plait", "go", "on"])).not.toBeNull();
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

test("every command in the goldens is parsed", async () => {
  const files = FOLDERS.flatMap((folder) => listFiles(join(root, folder)));
  const found = new Map<string, readonly string[]>();
  for (const file of files)
    for (const words of listTextCommands(readFileSync(file, "utf8"))) found.set(words.join(" "), words);
  expect(found.size).toBeGreaterThan(40);
  const problems: string[] = [];
  for (const [text, words] of found) {
    const problem = await findParseProblem(words);
    if (problem !== null) problems.push(`${text}: ${problem}`);
  }
  expect(problems).toEqual([]);
});

test("examples in help and commands in explanations are parsed", async () => {
  const explained = allCodes.flatMap(({ explanation }) => explanation.match(/`plait [^`]+`/g) ?? []);
  const texts = [...commands.flatMap(({ examples }) => examples), ...explained];
  // A name alone, as in "`plait spec graph` redraws it", is not a command to type.
  const names = new Set(commands.map(({ name }) => `plait ${name}`));
  const all = texts.flatMap(listTextCommands).filter((words) => !names.has(words.join(" ")));
  expect(all.length).toBeGreaterThan(60);
  const problems = await Promise.all(
    all.map(async (words) => [words.join(" "), await findParseProblem(words)]),
  );
  expect(problems.filter(([, problem]) => problem !== null)).toEqual([]);
});

test("a command is found in a sentence up to its last word", () => {
  const find = (text: string) => listTextCommands(text).map((words) => words.slice(1).join(" "));
  expect(find("All is saved; plait resume r --allow-root continues the run.")).toEqual([
    "resume r --allow-root",
  ]);
  expect(find("resolve it: plait open a --run r, then plait submit a --run r")).toEqual([
    "open a --run r",
    "submit a --run r",
  ]);
  expect(find("plait runs agents, `plait spec status <id> --set approved` and (plait clean)")).toEqual([
    "runs",
    "spec status main --set approved",
    "clean",
  ]);
  expect(find("plait diff a | git apply  plait report r > r.md")).toEqual(["diff a", "report r"]);
  expect(find("next  plait run 'my plan.yaml' --copy a")).toEqual(["run my plan.yaml --copy a"]);
  expect(find("Usage: plait run <plan> [options]; plait cpo run x; plait <command> --help")).toEqual([
    "run main",
  ]);
  expect(listCommandWords(plait("go on" as PlaitVerb))).toEqual([]);
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
