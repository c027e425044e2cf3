// Signals to plait, readers that are gone, and an agent that kills it.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectNothingLeft, isSaved, refs, textAt, usersThings } from "./observe.ts";
import {
  factsOf,
  journal,
  makeRepo,
  marked,
  orphans,
  type Place,
  type Plait,
  plait,
  runId,
  runIds,
  runPlan,
  startPlait,
  startRun,
  until,
  writePlan,
  writeProgram,
} from "./support.ts";

/** A run whose two agents have done something and hang: one of them hears no signal but the last. */
async function hangingRun(place: Place): Promise<Plait> {
  const sign = (name: string) => `run touch ${place.outside}/${name}`;
  const plan = writePlan(place, [
    { id: "slow", does: ["write slow.txt half", sign("slow"), "on attempt 1: hang"] },
    { id: "deaf", does: ["write deaf.txt half", sign("deaf"), "on attempt 1: hang deaf"] },
    { id: "next", needs: ["slow"], does: ["run cat slow.txt slow.txt > next.txt"] },
  ]);
  const started = startRun(place, plan);
  await until(() => existsSync(join(place.outside, "slow")) && existsSync(join(place.outside, "deaf")));
  return started;
}

const signals = [
  { signal: "SIGTERM", code: 143, to: "it" },
  { signal: "SIGHUP", code: 129, to: "it" },
  { signal: "SIGINT", code: 130, to: "it" },
  { signal: "SIGINT", code: 130, to: "its whole group" },
] as const;

test.concurrent.for(signals)(
  "I2 I3 I5 I8: $signal to $to stops the agents, saves their work and exits $code",
  async ({ signal, code, to }) => {
    const place = makeRepo();
    const before = usersThings(place);
    const started = await hangingRun(place);
    if (to === "it") started.signal(signal);
    else started.signalGroup(signal);
    expect(await started.end).toMatchObject({ code });
    const run = runId(place);
    expect(isSaved(place, "slow.txt", "half") && isSaved(place, "deaf.txt", "half")).toBe(true);
    expect(usersThings(place)).toEqual(before);
    expectNothingLeft(place, { refs: [`refs/plait/${run}/slow/1`, `refs/plait/${run}/deaf/1`] });
    expect(journal(place).at(-1)).toMatchObject({ type: "run.ended", outcome: "stopped" });
    if (to === "it") return;
    expect(await plait(place, ["resume", "--json"])).toMatchObject({ code: 0 });
    expect(Object.keys(refs(place, "refs/heads"))).toEqual(["refs/heads/main"]);
    expect(existsSync(join(place.repo, "next.txt"))).toBe(true);
  },
);

test.concurrent("I2 I5: a second Ctrl-C kills at once, and resume saves what was left", async () => {
  const place = makeRepo();
  const started = await hangingRun(place);
  started.signalGroup("SIGINT");
  await started.seen(({ type }) => type === "run.stopping");
  started.signalGroup("SIGINT");
  expect(await started.end).toMatchObject({ code: 130 });
  expect(marked(runId(place))).toEqual([]);
  await until(() => orphans(place).length === 0);
  expect(factsOf(journal(place), "run.stopping").map(({ mode }) => mode)).toEqual(["stop", "kill"]);
  expect(await plait(place, ["resume", "--json"])).toMatchObject({ code: 0 });
  expect(isSaved(place, "slow.txt", "half") && isSaved(place, "deaf.txt", "half")).toBe(true);
  expect(existsSync(join(place.repo, "next.txt"))).toBe(true);
});

const readers = [
  { stream: "stdout", how: "closed" },
  { stream: "stderr", how: "closed" },
  { stream: "stdout", how: "full" },
  { stream: "stderr", how: "full" },
] as const;

test.concurrent.for(readers)("I1: the run completes with $stream $how", async (unread) => {
  const place = makeRepo();
  const plan = writePlan(place, [{ id: "a", does: ["write a.txt done"] }]);
  // Facts go to stdout, progress to stderr: each is asked for where nobody reads it.
  const args = ["run", "--agent", "demo", plan, ...(unread.stream === "stdout" ? ["--json"] : [])];
  const started = startPlait(place, args, { unread });
  const isOver = () => runIds(place).length > 0 && journal(place).at(-1)?.type === "run.ended";
  if (unread.how === "full") {
    // Its last words may wait for a reader for ever, like those of any program; its work does not.
    await until(isOver);
    started.signal("SIGKILL");
    await started.end;
  } else expect(await started.end).toMatchObject({ code: 0 });
  expect(journal(place).at(-1)).toMatchObject({ type: "run.ended", outcome: "complete" });
  expect(textAt(place, "main", "a.txt")).toBe("done");
});

test.concurrent("I1 I2 I5 I9: an agent that kills plait each time is given up, the other task is merged", async () => {
  const place = makeRepo();
  const kill = "run kill -9 $(cut -d ' ' -f 4 /proc/$PPID/stat)";
  const plan = writePlan(place, [
    { id: "killer", does: ["write killer.txt work", kill] },
    // It may be found dead twice as well, and nobody can tell whose fault that was: it has a retry for that.
    { id: "good", retries: 1, does: ["write good.txt good"] },
  ]);
  expect(await runPlan(place, plan)).toMatchObject({ signal: "SIGKILL" });
  await until(() => orphans(place).length === 0);
  expect(await plait(place, ["resume", "--json"])).toMatchObject({ signal: "SIGKILL" });
  await until(() => orphans(place).length === 0);
  expect(await plait(place, ["resume", "--json"])).toMatchObject({ code: 1 });
  const failures = factsOf(journal(place), "attempt.ended").map(({ attempt, failure }) => [
    attempt,
    failure?.reason,
  ]);
  expect(failures.filter(([attempt]) => attempt?.startsWith("killer/"))).toHaveLength(2);
  expect(isSaved(place, "killer.txt", "work")).toBe(true);
  expect(factsOf(journal(place), "integration.advanced").flatMap(({ tasks }) => tasks)).toMatchObject([
    { task: "good" },
  ]);
});

test.concurrent("I5 I8: a signal before the run has begun ends what was asked of the agent, and leaves nothing", async () => {
  const place = makeRepo();
  const asked = join(place.outside, "asked");
  const claude = join(place.outside, "claude");
  writeProgram(
    claude,
    `case "$*" in *--version*) echo "2.1.197 (Claude Code)";; *) touch ${asked}; sleep 600;; esac`,
  );
  const { PATH = "" } = place.env;
  const env = { PATH: `${place.outside}:${PATH}` };
  const plan = writePlan(place, [{ id: "a", prompt: "x", agent: "claude" }]);
  const started = startPlait(place, ["run", plan, "--allow-root"], { env });
  await until(() => existsSync(asked));
  started.signal("SIGTERM");
  const { code, stderr } = await started.end;
  expect({ code, stderr }).toEqual({
    code: 143,
    stderr: expect.stringContaining("interrupted before the run started"),
  });
  await until(() => orphans(place).length === 0);
  expect(runIds(place)).toEqual([]);
});
