// kill -9 of plait at points that are spread over a run, by what it has told and by the git calls it has made; then `resume`
// until it ends. PLAIT_FULL_SWEEPS=1: before and after every single git call.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Fact } from "../../src/core/facts.ts";
import { expectNothingLeft, tree, usersThings } from "./observe.ts";
import {
  factsOf,
  git,
  journal,
  makeRepo,
  orphans,
  type Place,
  type Plait,
  plait,
  runIds,
  runPlan,
  startPlait,
  startRun,
  until,
  writePlan,
  writeProgram,
} from "./support.ts";

type GitKill = "before" | "after" | "while";
/** How it is cut off: at a fact by a signal, once or again when it is resumed; before, after or while a git call works. */
type How = "SIGKILL" | "SIGKILL twice" | "SIGTERM" | GitKill;

const { PLAIT_FULL_SWEEPS: isFull } = process.env;

/** What a calm run tells, does and makes. */
let calm: { readonly facts: number; readonly calls: number; readonly tree: string };

beforeAll(async () => {
  const place = makeRepo();
  const shim = gitShim(place, null);
  const started = startRun(place, planIn(place), [], { env: shim.env });
  shim.aim(started.pid);
  const { code } = await started.end;
  expect(code).toBe(0);
  calm = { facts: started.facts.length, calls: shim.calls(), tree: tree(place) };
  expect(calm.facts).toBeGreaterThan(20);
  expect(calm.calls).toBeGreaterThan(20);
});

/** Points from the first to the last, as parts of the whole run. */
const spread = (how: How, count: number): { readonly how: How; readonly at: number }[] =>
  Array.from({ length: count }, (_, i) => ({ how, at: (i + 1) / count }));

const points = [
  ...spread("SIGKILL", 9),
  ...spread("SIGKILL twice", 2),
  ...spread("before", 3),
  ...spread("after", 3),
  ...spread("while", 3),
  ...spread("SIGTERM", 3),
];

test.concurrent.for(points)(
  "I1 I2 I3 I4 I5 I8: cut off at $at ($how), it is resumed to the same tree",
  ({ how, at }) => sweep(how, Math.max(1, Math.round(at * (isGitKill(how) ? calm.calls : calm.facts)))),
);

const isGitKill = (how: How): how is GitKill => how === "before" || how === "after" || how === "while";

if (isFull === "1") {
  test("I1 I4 I5: killed before and after every git call", { timeout: 3_600_000 }, async () => {
    const failed: string[] = [];
    const tried = (by: GitKill, n: number) =>
      sweep(by, n).catch((error: unknown) => void failed.push(`${by} call ${n}: ${error}`));
    for (let n = 1; n <= calm.calls; n += 1) await Promise.all([tried("before", n), tried("after", n)]);
    expect(failed).toEqual([]);
  });
}

async function sweep(how: How, n: number): Promise<void> {
  const place = makeRepo();
  const plan = planIn(place);
  const before = usersThings(place);
  const code = await cutOff(place, plan, { how, n });
  if (!isMerged(place)) expect(usersThings(place)).toEqual(before); // I3: no landing has begun
  if (how === "SIGKILL twice" && !isComplete(place)) {
    const resumed = startPlait(place, ["resume", "--json"]);
    await killAfter(resumed, 4);
    await until(() => orphans(place).length === 0);
  }
  const wasComplete = isComplete(place);
  if (!wasComplete) await goOn(place, plan);
  expect(tree(place)).toBe(calm.tree); // I1, I4
  expect(git(place, "status", "--porcelain")).toBe("");
  expectRanOnce(place);
  // Who is killed after the last fact has nobody to remove the lock, which died with it.
  if (!wasComplete || code === 0) expectNothingLeft(place, { refs: keptRefs(place) });
}

/** Starts the run and ends it at that point, or lets it come to its end if that is earlier. */
async function cutOff(
  place: Place,
  plan: string,
  { how, n }: { how: How; n: number },
): Promise<number | null> {
  const shim = gitShim(place, isGitKill(how) ? { how, n } : null);
  const started = startRun(place, plan, [], isGitKill(how) ? { env: shim.env } : {});
  shim.aim(started.pid);
  if (!isGitKill(how)) await killAfter(started, n, how === "SIGTERM" ? how : "SIGKILL");
  const { code } = await started.end;
  expect([null, 0, ...(how === "SIGTERM" ? [143] : [])]).toContain(code);
  if (code !== null) expect(orphans(place)).toEqual([]);
  await until(() => orphans(place).length === 0); // I5: without anybody's help
  return code;
}

/** It may end meanwhile: then it is killed while it puts things away, or not at all. */
async function killAfter(started: Plait, facts: number, signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
  await started.seen(() => started.facts.length >= facts).catch(() => undefined);
  started.signal(signal);
  await started.end;
}

/** What a user does: resume, or start again where nothing had begun. */
async function goOn(place: Place, plan: string): Promise<void> {
  const hasBegun = lastJournal(place).length > 0;
  const { code, stderr } = hasBegun ? await plait(place, ["resume", "--json"]) : await runPlan(place, plan);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(isComplete(place)).toBe(true);
}

/** What cut-off attempts had done stays, and the report names it. */
function keptRefs(place: Place): string[] {
  const ended = factsOf(lastJournal(place), "attempt.ended");
  const hasFailed = (attempt: string) => ended.some((one) => one.attempt === attempt && one.failure !== null);
  return factsOf(lastJournal(place), "attempt.saved").flatMap(({ attempt, ref }) =>
    hasFailed(attempt) ? [ref] : [],
  );
}

/** No attempt runs twice, and what had ended was not done again (I4). */
function expectRanOnce(place: Place): void {
  const ran = Object.fromEntries(
    readdirSync(place.outside).map((name) => [
      name,
      readFileSync(join(place.outside, name), "utf8").split("\n").length - 1,
    ]),
  );
  expect(
    Object.values(ran).every((times) => times === 1),
    JSON.stringify(ran),
  ).toBe(true);
  const ended = factsOf(lastJournal(place), "attempt.ended").filter(({ failure }) => failure === null);
  expect(ended.map(({ attempt }) => attempt.split("/")[0]).sort()).toEqual(["a", "b", "c", "d"]);
  for (const { attempt } of ended) expect(ran[attempt.replace("/", ".")], attempt).toBe(1);
}

function lastJournal(place: Place): Fact[] {
  return runIds(place)
    .map((run) => journal(place, run))
    .reduce((longest, one) => (one.length > longest.length ? one : longest), []);
}

function isComplete(place: Place): boolean {
  return factsOf(lastJournal(place), "run.ended").some(({ outcome }) => outcome === "complete");
}

function isMerged(place: Place): boolean {
  return factsOf(lastJournal(place), "integration.advanced").flatMap(({ tasks }) => tasks).length === 4;
}

/** Four tasks, two that need others, one that commits by itself; each leaves a sign outside when it runs. */
function planIn(place: Place): string {
  const ran = `run echo ran >> ${place.outside}/$PLAIT_TASK.$PLAIT_ATTEMPT_N`;
  return writePlan(
    place,
    [
      { id: "a", does: [ran, "write a.txt a1"] },
      { id: "b", needs: ["a"], does: [ran, "run cat a.txt a.txt > b.txt"] },
      { id: "c", does: [ran, "write new/c.txt c1", "commit mine", "append new/c.txt c2"] },
      { id: "d", needs: ["c"], does: [ran, "delete dir/c.txt", "run mv new/c.txt d.txt"] },
    ],
    // Who is cut off twice has crashed, which costs a try.
    { gates: ["test -e a.txt && test ! -e bad"], defaults: { retries: 2 } },
  );
}

type Shim = {
  readonly env: Record<string, string>;
  /** Only the calls of this process count. */
  readonly aim: (pid: number) => void;
  readonly calls: () => number;
};

/** A git in front of git, which counts the calls of plait itself and kills it before, after or while one of them works. */
function gitShim(
  { root, env: { PATH = "" } }: Place,
  kill: { readonly how: GitKill; readonly n: number } | null,
): Shim {
  const bin = join(root, "bin");
  const [calls, target] = [join(root, "calls"), join(root, "pid")];
  mkdirSync(bin);
  const die = `kill -9 $PPID`;
  const act = {
    before: `${die}; exit 137`,
    while: `${die}; exec "$git" "$@"`,
    after: `"$git" "$@"; code=$?; ${die}; exit $code`,
  };
  writeProgram(
    join(bin, "git"),
    `git=${execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim()}
[ "$PPID" = "$(cat ${target})" ] || exec "$git" "$@"
printf x >> ${calls}
[ "$(wc -c < ${calls})" -ge ${kill?.n ?? 1_000_000} ] || exec "$git" "$@"
${act[kill?.how ?? "before"]}`,
  );
  return {
    env: { PATH: `${bin}:${PATH}` },
    aim: (pid) => writeFileSync(target, String(pid)),
    calls: () => (existsSync(calls) ? readFileSync(calls).length : 0),
  };
}
