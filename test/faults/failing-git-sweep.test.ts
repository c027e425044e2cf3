// Every git call of a run fails once, or from then on until somebody repairs git. PLAIT_FULL_SWEEPS=1: at every single call,
// else at calls that are spread over the run and at the most delicate ones; PLAIT_SWEEP_SEED=<n> takes others.

import { execFileSync } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { expect, test } from "vitest";
import type { Fact } from "../../src/core/facts.ts";
import { failingGit, type GitFault } from "./failing-git.ts";
import { expectNothingLeft, tree, usersThings } from "./observe.ts";
import {
  type End,
  emptyPlace,
  factsOf,
  git,
  journal,
  makeRepo,
  orphans,
  type Place,
  plait,
  runIds,
  writePlan,
} from "./support.ts";

const { PLAIT_FULL_SWEEPS: isFull, PLAIT_SWEEP_SEED: seed = "0" } = process.env;
const RUN = ["run", "--agent", "demo", "--json"];
const LANDING = /the landing is unfinished: .*, and (?<unfinished>\S+) stays until a resume finishes it/;
/** Many times what the slowest takes on a busy machine: only a hang comes to it. */
const HANG_MS = 120_000;
let superproject: string | null = null;

/** A repository, what is planned in it, and what a calm run does and makes there. */
type Scenario = {
  readonly make: () => Place;
  readonly plan: (place: Place) => string;
  readonly attempts: readonly string[];
  /** Calls that are always among those that fail: where a failure could be read as an answer, or leave the most behind. */
  readonly always: (call: string, fromEnd: number) => boolean;
  readonly calls: readonly string[];
  readonly tree: string;
};

const scenarios: Record<string, Scenario> = {
  files: await runCalmly({
    make: makeRepo,
    plan: planFiles,
    attempts: ["a/1", "b/1", "c/1"],
    always: (_, fromEnd) => fromEnd < 16, // the landing
  }),
  submodule: await runCalmly({
    make: makeSuperproject,
    plan: planSubmodule,
    attempts: ["bump/1", "use/1"],
    always: (call) => ["config", "ls-tree", "fetch"].includes(call),
  }),
};

async function runCalmly(scenario: Omit<Scenario, "calls" | "tree">): Promise<Scenario> {
  const place = scenario.make();
  const counted = failingGit(place, null);
  const { code, stderr } = await counted.start([...RUN, scenario.plan(place)]).end;
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return { ...scenario, calls: counted.calls(), tree: tree(place) };
}

type Point = { readonly name: string; readonly n: number; readonly calls: number };

/** Every call; by default as many from the first to the last, and those that are always among them. */
function points(name: string, count: number, { withAlways = true } = {}): Point[] {
  const { calls, always } = scenarios[name] as Scenario;
  const shift = (Number(seed) * 0.37) % 1;
  const spread = Array.from({ length: count }, (_, i) => Math.floor(((i + shift) / count) * calls.length));
  const isChosen = (call: string, i: number) =>
    isFull === "1" || spread.includes(i) || (withAlways && always(call, calls.length - 1 - i));
  return calls.flatMap((call, i) => (isChosen(call, i) ? [{ name, n: i + 1, calls: calls.length }] : []));
}

test.concurrent.for([...points("files", 24), ...points("submodule", 8)])(
  "I1 I2 I3 I8: $name: call $n of $calls fails once: the run lands, and no task pays for it",
  async ({ name, n }) => {
    const { place, end, failed, scenario } = await runWith(name, "nth", n);
    expect({ code: end.code, failed, stderr: end.stderr }).toMatchObject({ code: 0 });
    expectLanded(place, scenario, failed);
    const attempts = factsOf(facts(place), "attempt.started").map(({ attempt }) => attempt);
    expect(attempts.sort(), failed).toEqual(scenario.attempts);
    expectNothingLeft(place);
  },
);

test.concurrent.for([...points("files", 8), ...points("submodule", 8, { withAlways: false })])(
  "I1 I2 I3 I5: $name: calls fail from $n of $calls on: it stops with what git said, and a resume lands it",
  async ({ name, n }) => {
    const { place, end, failed, before, scenario } = await runWith(name, "from", n);
    expect(orphans(place), failed).toEqual([]);
    const isLanded = factsOf(facts(place), "run.landed").length > 0;
    // Once it has landed, what cannot be removed any more is named, and stays.
    if (end.code === 0)
      return expect({ isLanded, tree: tree(place) }).toEqual({ isLanded: true, tree: scenario.tree });
    expect({ code: end.code, failed, stderr: end.stderr }).toMatchObject({ code: 3 });
    expect(`${end.stderr}${JSON.stringify(facts(place))}`).toContain("fatal: told to fail");
    const unfinished = findUnfinished(place);
    // A landing that git can neither finish nor undo is named, and finished by the resume. Everything else is as before (I3).
    if (unfinished !== null) expect(existsSync(unfinished), failed).toBe(true);
    else if (!isLanded) expect(usersThings(place), failed).toEqual(before);
    if (runIds(place).length === 0) expectNothingLeft(place);
    const again = runIds(place).length === 0 ? [...RUN, scenario.plan(place)] : ["resume", "--json"];
    const { code, stderr } = await plait(place, again);
    expect({ code, failed, stderr }).toMatchObject({ code: 0 });
    expectLanded(place, scenario, failed);
  },
);

function expectLanded(place: Place, scenario: Scenario, failed: string): void {
  expect(tree(place), failed).toBe(scenario.tree);
  // The commits that it records are there (I2).
  if (scenario.make === makeSuperproject) git(place, "submodule", "update");
  expect(git(place, "status", "--porcelain"), failed).toBe("");
}

type Ran = {
  readonly place: Place;
  readonly end: End;
  /** The number and name of the call. */
  readonly failed: string;
  readonly before: ReturnType<typeof usersThings>;
  readonly scenario: Scenario;
};

async function runWith(
  name: string,
  kind: Extract<GitFault, { n: number }>["kind"],
  n: number,
): Promise<Ran> {
  const scenario = scenarios[name] as Scenario;
  const place = scenario.make();
  const before = usersThings(place);
  const plan = scenario.plan(place);
  const failing = failingGit(place, { kind, n });
  const started = failing.start([...RUN, plan]);
  const limit = setTimeout(() => started.signal("SIGKILL"), HANG_MS);
  const end = await started.end;
  clearTimeout(limit);
  const failed = failing.failed() ?? "none";
  expect(end.signal, `it hangs: ${failed}`).toBeNull();
  expect(end.stderr, failed).not.toContain("bug in plait");
  return { place, end, failed, before, scenario };
}

/** What stays of a landing that is neither finished nor undone, as the run reported it. */
function findUnfinished(place: Place): string | null {
  const details = factsOf(facts(place), "effect.failed").map(({ detail }) => detail);
  return details.map((detail) => LANDING.exec(detail)?.groups?.["unfinished"]).findLast(Boolean) ?? null;
}

function facts(place: Place): Fact[] {
  const [run] = runIds(place);
  return run === undefined ? [] : journal(place, run);
}

function planFiles(place: Place): string {
  return writePlan(
    place,
    [
      { id: "a", does: ["write a.txt a1"] },
      { id: "b", needs: ["a"], does: ["run cat a.txt a.txt > b.txt"] },
      { id: "c", does: ["write new/c.txt c1", "commit mine", "append new/c.txt c2"] },
    ],
    { gates: ["test -e a.txt"] },
  );
}

/** With a submodule that cannot be fetched any more. All are copies of one, so that runs make the same trees. */
function makeSuperproject(): Place {
  superproject ??= makeSubmodule();
  const place = emptyPlace();
  cpSync(superproject, place.repo, { recursive: true, verbatimSymlinks: true });
  return place;
}

function makeSubmodule(): string {
  const place = makeRepo();
  const script = `
git init -q -b main lib; cd lib; echo 1 > lib.txt; git add .; git commit -qm lib; cd ../repo
git -c protocol.file.allow=always submodule --quiet add "$PWD/../lib" vendor/lib; git commit -qm submodule; rm -rf ../lib`;
  execFileSync("sh", ["-ec", script], { cwd: place.root, env: place.env });
  return place.repo;
}

function planSubmodule(place: Place): string {
  const dated = "GIT_AUTHOR_DATE=@1700000000 GIT_COMMITTER_DATE=@1700000000"; // the same commit each time
  return writePlan(
    place,
    [
      { id: "bump", does: [`run cd vendor/lib && echo 2 > lib.txt && ${dated} git commit -qam two`] },
      { id: "use", needs: ["bump"], does: ["run cp vendor/lib/lib.txt seen.txt"] },
    ],
    { gates: ["grep -q . vendor/lib/lib.txt"] },
  );
}
