// Agents that hang, leave processes behind, or print without end.

import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectNothingLeft, filesBelow, isSaved, textAt, usersThings } from "./observe.ts";
import {
  factsOf,
  git,
  journal,
  makeRepo,
  type Place,
  type Plait,
  plait,
  runId,
  runPlan,
  runsFolder,
  startPlait,
  startRun,
  until,
  writePlan,
} from "./support.ts";

test.concurrent("I2 I3 I5 I9: agents that ignore signals end at their total and idle limits, with their work saved", async () => {
  const place = makeRepo();
  const before = usersThings(place);
  const plan = writePlan(place, [
    { id: "total", timeout: "6s", does: ["write total.txt half", "hang deaf"] },
    { id: "idle", "idle-timeout": "4s", does: ["write idle.txt half", "hang deaf"] },
    { id: "good", does: ["write good.txt x"] },
  ]);
  expect(await runPlan(place, plan)).toMatchObject({ code: 1 });
  const ended = factsOf(journal(place), "attempt.ended").map(({ attempt, failure, exit }) => [
    attempt,
    { failure, exit },
  ]);
  expect(Object.fromEntries(ended)).toMatchObject({
    "total/1": { failure: { reason: "timeout", clock: "total" }, exit: { signal: "SIGKILL" } },
    "idle/1": { failure: { reason: "timeout", clock: "idle" }, exit: { signal: "SIGKILL" } },
    "good/1": { failure: null },
  });
  const run = runId(place);
  expect(isSaved(place, "total.txt", "half") && isSaved(place, "idle.txt", "half")).toBe(true);
  expect(textAt(place, `refs/heads/plait/${run}/integration`, "good.txt")).toBe("x");
  expect(usersThings(place)).toEqual(before);
  expectNothingLeft(place, {
    refs: [new RegExp(`^refs/plait/${run}/`, "m"), `refs/heads/plait/${run}/integration`],
  });
});

test.concurrent("I5 I8: what agents leave running ends with them, whatever it holds or hides", async () => {
  const place = makeRepo();
  const plan = writePlan(place, [
    { id: "daemon", does: ["daemon 5m", "write daemon.txt x"] },
    { id: "holding", does: ["daemon 5m holding", "write holding.txt x"] },
    {
      id: "bare",
      does: [
        "run env -i PATH=$PATH setsid sleep 300 > /dev/null 2>&1 < /dev/null & sleep 0.2",
        "write bare.txt x",
      ],
    },
    { id: "command", command: "sleep 300 & echo x > command.txt" },
  ]);
  const { code } = await runPlan(place, plan);
  expectNothingLeft(place);
  expect(code).toBe(0);
});

/** What no terminal must ever get from an agent: it renames windows, clears screens, writes over what was there. */
const EVIL = "\\033]0;owned\\007\\033[2J\\233A\\r";
const MIB = 1024 * 1024;

test.concurrent("I9 I10: fifty megabytes of lines and of one line, and much noise, fill neither memory nor disk", async () => {
  const place = makeRepo();
  const plan = writePlan(place, [
    { id: "lines", does: ["flood 50MB", "write lines.txt x"] },
    { id: "unbroken", does: ["flood 50MB unbroken", "write unbroken.txt x"] },
    { id: "noise", command: `head -c 12582912 /dev/urandom; printf '${EVIL}'; echo x > noise.txt` },
  ]);
  const started = startRun(place, plan);
  let peak = 0;
  const sampling = setInterval(() => {
    peak = Math.max(peak, peakBytes(started.pid));
  }, 50);
  const { code } = await started.end;
  clearInterval(sampling);
  expect(code).toBe(0);
  for (const task of ["lines", "unbroken", "noise"]) {
    const size = statSync(join(runsFolder(place), runId(place), "logs", `${task}.1.log`)).size;
    expect(size).toBeGreaterThan(MIB);
    expect(size).toBeLessThanOrEqual(8 * MIB);
  }
  expect(total(filesBelow(join(runsFolder(place), runId(place)), []))).toBeLessThan(40 * MIB);
  expect(peak).toBeGreaterThan(0);
  expect(peak).toBeLessThan(200 * MIB);
  expectNothingLeft(place);
});

function peakBytes(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
  } catch {
    return 0; // it has ended
  }
}

const total = (files: Readonly<Record<string, string>>): number =>
  Object.values(files).reduce((sum, text) => sum + text.length, 0);

test.concurrent("nothing that an agent, a command or a gate prints reaches the terminal with its control characters", async () => {
  const place = makeRepo();
  const evil = `printf '${EVIL}%s\\n' owned`;
  const plan = evilPlan(place, evil);
  const human = await plait(place, ["run", "--agent", "demo", plan]);
  expect(human.code).toBe(1);
  const json = await plait(place, ["resume", "--json"]);
  expect(json.code).toBe(1);
  for (const text of [human.stdout, human.stderr, json.stdout, json.stderr])
    expect(text).not.toMatch(/[^\P{Cc}\n\t]/u);
});

function evilPlan(place: Place, evil: string): string {
  return writePlan(place, [
    { id: "command", command: `${evil}; ${evil} >&2; echo x > x.txt; exit 1` },
    { id: "gate", does: ["write gate.txt x"], gates: [`${evil}; exit 1`] },
    { id: "setup", does: ["write setup.txt x"], setup: `${evil}; exit 1` },
    { id: "name", does: [`run : > "$(printf '${EVIL}')"`], gates: ["exit 1"] },
    { id: "says", does: [`say \u001b]0;owned\u0007\u001b[2J`, "fail agent-error \u001b[2Jno"] },
  ]);
}

test.concurrent("what a set-up began is cleared up once, in the same environment, by the driver after a kill -9, of attempts and of gates; what was copied stays hidden (I13)", async () => {
  const place = makeRepo();
  const log = join(place.outside, "log");
  writeFileSync(join(place.repo, ".env"), "PRIVATE=1\n");
  const say = (what: string) => `echo ${what} "$PLAIT_TASK/$PLAIT_ATTEMPT" $NAME "$PWD" >> ${log}`;
  const onceStuck = (sign: string) =>
    `[ -e ${place.outside}/${sign} ] || { touch ${place.outside}/${sign}; sleep 600; }`;
  const plan = writePlan(
    place,
    [
      {
        id: "t",
        does: [`run ${onceStuck("agent")}; echo x > x.txt`],
        env: { NAME: "of-task" },
        gates: [{ name: "g", run: onceStuck("gate"), env: { NAME: "of-gate" } }],
      },
    ],
    { setup: [say("up")], teardown: [say("down")] },
  );
  const killedAt = async (started: Plait, sign: string) => {
    await until(() => existsSync(join(place.outside, sign)));
    started.signal("SIGKILL");
    await started.end;
  };
  await killedAt(startRun(place, plan), "agent");
  rmSync(join(place.repo, ".env")); // the worktree still has its copy
  await killedAt(startPlait(place, ["resume", "--json"]), "gate");
  const { code, stderr } = await plait(place, ["resume", "--json"]);
  expect([code, stderr]).toEqual([0, ""]);
  const lines = readFileSync(log, "utf8").trim().split("\n");
  const told = (what: string) =>
    lines.filter((line) => line.startsWith(`${what} `)).map((line) => line.slice(what.length + 1));
  expect(told("down").sort()).toEqual(told("up").sort());
  expect(told("up").filter((line) => line.startsWith("t/"))).toHaveLength(2);
  expect(told("up").filter((line) => line.includes(" of-gate "))).toHaveLength(2);
  expect(git(place, "log", "--all", "--format=%H", "--", ".env")).toBe("");
  expect(git(place, "for-each-ref", "refs/plait")).toContain("/t/1");
});
