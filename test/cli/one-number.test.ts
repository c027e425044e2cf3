import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { formatAttemptNumber } from "../../src/core/select/attempt-number.ts";
import { attemptLines } from "../../src/core/select/task-attempts.ts";
import { taskRows } from "../../src/core/select/task-rows.ts";
import { askedIn } from "./asked.ts";
import { makePlace, type Place, plaitIn } from "./place.ts";
import { main } from "./plait.ts";
import { findRun } from "./run-place.ts";

/** A red gate, a fix that is red too, a retry whose plait process dies, and the attempt that resumes it. */
const NUMBERS = ["#1", "#2, fix 1 of 1", "#3, retry 1 of 1", "#4, retry 1 of 1"];

let place: Place;
let end: string;

beforeAll(async () => {
  place = makePlace();
  const mark = join(dirname(place.repo), "third");
  const plan = `plait: 1
name: numbers
defaults: { agent: demo, retries: 1, fix-rounds: 1 }
gates: [{ name: no-todo, run: "! grep -rn TODO src" }]
tasks:
  - id: a
    owns: [src/**]
    prompt: |
      demo: on attempt 1: write src/b.txt TODO
      demo: on attempt 2: write src/b.txt TODO again
      demo: on attempt 3: run touch ${mark}; sleep 60
      demo: on attempt 4: write src/b.txt done
`;
  writeFileSync(join(dirname(place.repo), "plan.yaml"), plan);
  const { repo: cwd, env } = place;
  const driver = spawn(process.execPath, [main, "run", "../plan.yaml"], { cwd, env, stdio: "ignore" });
  while (!existsSync(mark)) await new Promise((resolve) => setTimeout(resolve, 50));
  driver.kill("SIGKILL");
  end = (await plaitIn(place, "resume")).stdout;
});

it("the end and the status count the same attempts", async () => {
  const { stdout } = await askedIn(place, "status");
  expect(end).toMatch(/task +agent +attempts /);
  expect(end).toMatch(/✓ a +demo +4 /);
  expect(stdout).toMatch(/task +state +attempts /);
  expect(stdout).toMatch(/✓ a +merged +4 /);
  const { tasks } = JSON.parse((await askedIn(place, "status", "--json")).stdout);
  expect(tasks).toMatchObject([{ attempts: 4, number: { n: 4, count: { kind: "retry", n: 1, of: 1 } } }]);
});

it("reports give each attempt the same number", async () => {
  const markdown = (await askedIn(place, "report")).stdout;
  expect(markdown.match(/^\| a \|.*$/m)?.[0] ?? markdown).toMatch(/\| 4 \|/);
  expect(
    [...markdown.matchAll(/^- attempt (#.*?)(?:, continues #\d)?, \d+:\d\d/gm)].map(([, n]) => n),
  ).toEqual(NUMBERS);
  const junit = (await askedIn(place, "report", "--format", "junit")).stdout;
  expect([...junit.matchAll(/attempt (#[^:\n]*?), \d+:\d\d/g)].map(([, n]) => n)).toEqual(NUMBERS);
  const { tasks } = JSON.parse((await askedIn(place, "report", "--format", "json")).stdout);
  expect(tasks[0].attempts.map(formatAttemptNumber)).toEqual(NUMBERS);
});

it("the logs begin with it", async () => {
  const heads = await Promise.all(
    NUMBERS.map(async (_, i) => (await askedIn(place, "logs", "a", "--attempt", String(i + 1))).stdout),
  );
  expect(heads.map((text) => text.split("\n")[0])).toEqual(
    NUMBERS.map((number, i) => {
      const [n, count] = number.split(", ");
      const status = i === NUMBERS.length - 1 ? "merged" : "failed"; // that of the attempt, not of its task
      return `${status === "merged" ? "✓" : "✗"} a ${n}  ${status}, ${count === undefined ? "" : `${count}, `}demo`;
    }),
  );
  const { stdout } = await askedIn(place, "logs");
  expect(stdout.match(/ a #\d +started/g)).toHaveLength(4);
  expect(stdout).toMatch(/gate no-todo red.*; fixing now \(#2, fix 1 of 1\)/);
  expect(stdout).toMatch(/gate no-todo red.*; retrying in 0:05 \(#3, retry 1 of 1\)/);
});

it("the web UI folds the same facts to the same numbers", async () => {
  const host = { cwd: place.repo, env: place.env, version: "test", command: "a test" };
  const found = await findRun({ ...host, allowRoot: true, allowNested: true }, null);
  if (!found.ok) throw new Error(found.refusal.message);
  const { state } = found.known;
  const [row] = taskRows(state, state.clock);
  if (row === undefined) throw new Error("no row");
  expect([row.attempts, row.number && formatAttemptNumber(row.number)]).toEqual([4, NUMBERS[3]]);
  const lines = attemptLines(state, row, { now: state.clock });
  expect(
    lines.map(({ n, kind }) => `#${n}${kind === "" ? "" : `, ${kind.replace(/, continues.*/, "")}`}`),
  ).toEqual(NUMBERS);
});
