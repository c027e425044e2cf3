// Every git call of a run fails once, or from then on until somebody repairs git. PLAIT_FULL_SWEEPS=1: at every single call,
// else at calls that are spread over the run; PLAIT_SWEEP_SEED=<n> takes others.

import { existsSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import type { Fact } from "../../src/core/facts.ts";
import { failingGit, type GitFault } from "./failing-git.ts";
import { expectNothingLeft, tree, usersThings } from "./observe.ts";
import {
  type End,
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
/** Many times what the slowest takes on a busy machine: only a hang comes to it. */
const HANG_MS = 120_000;

const LANDING = /the landing is unfinished: .*, and (?<unfinished>\S+) stays until a resume finishes it/;

/** What a calm run does and makes. */
let calm: { readonly calls: number; readonly tree: string };

beforeAll(async () => {
  const place = makeRepo();
  const counted = failingGit(place, null);
  const { code } = await counted.start([...RUN, planIn(place)]).end;
  expect(code).toBe(0);
  calm = { calls: counted.calls().length, tree: tree(place) };
  expect(calm.calls).toBeGreaterThan(100);
});

/** Parts of the whole run, from the first call to the last. */
const spread = (count: number): number[] =>
  Array.from({ length: count }, (_, i) => (i + ((Number(seed) * 0.37) % 1)) / count);

const POINTS = { once: isFull === "1" ? 200 : 36, from: isFull === "1" ? 60 : 12 };

test.concurrent.for(spread(POINTS.once))(
  "I1 I2 I3 I8: a call that fails once, at %d of the run: it lands, and no task pays for it",
  async (at) => {
    const { place, end, failed } = await runWith("nth", at);
    expect({ code: end.code, failed, stderr: end.stderr }).toMatchObject({ code: 0 });
    expect(tree(place), failed).toBe(calm.tree);
    expect(git(place, "status", "--porcelain"), failed).toBe("");
    const attempts = factsOf(facts(place), "attempt.started").map(({ attempt }) => attempt);
    expect(attempts.sort(), failed).toEqual(["a/1", "b/1", "c/1"]);
    expectNothingLeft(place);
  },
);

test.concurrent.for(spread(POINTS.from))(
  "I1 I2 I3 I5: calls that fail from %d of the run on: it stops with what git said, and a resume lands it",
  async (at) => {
    const { place, end, failed, before } = await runWith("from", at);
    expect(orphans(place), failed).toEqual([]);
    const isLanded = factsOf(facts(place), "run.landed").length > 0;
    // Once it has landed, what cannot be removed any more is named, and stays.
    if (end.code === 0)
      return expect({ isLanded, tree: tree(place) }).toEqual({ isLanded: true, tree: calm.tree });
    expect({ code: end.code, failed, stderr: end.stderr }).toMatchObject({ code: 3 });
    expect(`${end.stderr}${JSON.stringify(facts(place))}`).toContain("fatal: told to fail");
    const { unfinished } = LANDING.exec(end.stderr)?.groups ?? {};
    // A landing that git can neither finish nor undo is named, and finished by the resume. Everything else is as before (I3).
    if (unfinished !== undefined) expect(existsSync(unfinished), failed).toBe(true);
    else if (!isLanded) expect(usersThings(place), failed).toEqual(before);
    if (runIds(place).length === 0) expectNothingLeft(place);
    const again = runIds(place).length === 0 ? [...RUN, planIn(place)] : ["resume", "--json"];
    const { code, stderr } = await plait(place, again);
    expect({ code, failed, stderr }).toMatchObject({ code: 0 });
    expect(tree(place), failed).toBe(calm.tree);
    expect(git(place, "status", "--porcelain"), failed).toBe("");
  },
);

type Ran = {
  readonly place: Place;
  readonly end: End;
  /** The number and name of the call. */
  readonly failed: string;
  readonly before: ReturnType<typeof usersThings>;
};

async function runWith(kind: Extract<GitFault, { n: number }>["kind"], at: number): Promise<Ran> {
  const place = makeRepo();
  const before = usersThings(place);
  const plan = planIn(place);
  const failing = failingGit(place, { kind, n: 1 + Math.floor(at * calm.calls) });
  const started = failing.start([...RUN, plan]);
  const limit = setTimeout(() => started.signal("SIGKILL"), HANG_MS);
  const end = await started.end;
  clearTimeout(limit);
  const failed = failing.failed() ?? "none";
  expect(end.signal, `it hangs: ${failed}`).toBeNull();
  expect(end.stderr, failed).not.toContain("bug in plait");
  return { place, end, failed, before };
}

function facts(place: Place): Fact[] {
  const [run] = runIds(place);
  return run === undefined ? [] : journal(place, run);
}

function planIn(place: Place): string {
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
