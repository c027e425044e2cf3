import { spawn } from "node:child_process";
import { existsSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { LocalRun, RunOutcome } from "../../src/app/index.ts";
import type { AttemptId } from "../../src/core/ids.ts";
import { plainText } from "../../src/core/text/sentence.ts";
import { makePlace, type Place, plaitIn } from "./place.ts";
import { main } from "./plait.ts";
import { actOnRun, begin, findRun, runTexts } from "./run-place.ts";

let place: Place;
let run: LocalRun;
let outcome: Promise<RunOutcome>;

/** The agent says hello, and goes on when the test says so. */
const plan = (gate: string) => `plait: 1
name: live
defaults: { agent: demo }
tasks:
  - id: slow
    owns: [src/slow.txt]
    prompt: |
      demo: say Hello
      demo: run while [ ! -e ${gate}/go ]; do sleep 0.05; done
      demo: write src/slow.txt done-by-the-agent
      demo: say Bye
  - id: later
    needs: [slow]
    owns: [src/later.txt]
    prompt: |
      demo: write src/later.txt done
`;

const slow = "slow/1" as AttemptId;

const hostOf = ({ repo, env }: Place) => ({
  ...{ cwd: repo, env, version: "test", command: "a test", allowRoot: true, allowNested: true },
});
const textsOf = (at: Place, { view }: LocalRun) => runTexts(hostOf(at), view);

/** Where the system shows it. */
const openJournals = (): number =>
  !existsSync("/proc/self/fd")
    ? 0
    : readdirSync("/proc/self/fd").filter((fd) => {
        const path = `/proc/self/fd/${fd}`;
        return existsSync(path) && readlinkSync(path).endsWith("journal.ndjson");
      }).length;

beforeAll(async () => {
  place = makePlace();
  run = await begin(place, plan(dirname(place.repo)));
  const hello = new Promise<void>((resolve) => {
    run.view.subscribe({
      activity: ({ action }) => (plainText(action ?? "").startsWith("Bash") ? resolve() : undefined),
    });
  });
  outcome = run.drive();
  await hello;
});

// In this order: the last one lets the agent go on.
describe("a run that is driven", () => {
  it("is shown with its driver", async () => {
    const { code, stdout } = await plaitIn(place, "status");
    expect(code).toBe(0);
    expect(stdout).toContain(`running, process ${process.pid}`);
    expect(stdout).toMatch(/▸ slow {3}running {9}1/);
    expect(stdout).toMatch(/◦ later {2}waiting .* for slow/);
    expect(stdout).toContain(`plait watch ${run.view.run}`);
    const { process: running, endedAt } = JSON.parse((await plaitIn(place, "status", "--json")).stdout);
    expect({ pid: running.pid, endedAt }).toEqual({ pid: process.pid, endedAt: null });
    expect((await plaitIn(place, "runs")).stdout).toMatch(/0 of 2 +running/);
  });

  it("shows what an agent has said so far, and no diff before it is saved", async () => {
    const { stdout } = await plaitIn(place, "logs", "slow");
    expect(stdout).toContain("text   Hello\n");
    expect(stdout).not.toContain("agent ended");
    const diff = await plaitIn(place, "diff", "slow");
    expect({ code: diff.code, stdout: diff.stdout }).toEqual({ code: 0, stdout: "" });
    expect(diff.stderr).toContain("slow #1 is running");
  });

  it("is looked into until nobody wants to know any more", async () => {
    const texts = textsOf(place, run);
    const abort = new AbortController();
    const said: string[] = [];
    const show = (item: unknown): void => {
      said.push(JSON.stringify(item));
      if (said.length === 3) abort.abort();
    };
    expect(await texts.log(slow, { signal: abort.signal, show })).toEqual({ ok: true });
    expect(said.join("\n")).toContain('"text":"Hello"');
    expect(await texts.diff(slow)).toMatchObject({ ok: true, kind: "at-work" });
    expect(await texts.prompt(slow)).toContain("demo: say Hello");
  });

  it("is not cleaned, named or not", async () => {
    const named = await plaitIn(place, "clean", run.view.run);
    expect(named.code).toBe(1);
    expect(named.stdout).toContain(`${run.view.run} not removed: it is running: process ${process.pid}`);
    expect(named.stdout).toContain(`plait stop ${run.view.run}`);
    expect((await plaitIn(place, "clean", "--days", "0")).stdout).toContain(
      "not removed: it is running: process",
    );
    expect(existsSync(run.view.folder)).toBe(true);
  });

  it("is followed to its end by logs and watch", async () => {
    const following = [["logs", "slow", "-f"], ["logs", "-f"], ["logs", "slow", "-f", "--raw"], ["watch"]];
    const ends = following.map((args) => plaitIn(place, ...args));
    const looks = Array.from({ length: 5 }, () =>
      textsOf(place, run).log(slow, { signal: new AbortController().signal, show: () => undefined }),
    );
    writeFileSync(join(dirname(place.repo), "go"), "");
    const [task, facts, raw, watched] = await Promise.all(ends);
    expect([task, facts, raw, watched].map((end) => end?.code)).toEqual([0, 0, 0, 0]);
    expect(task?.stdout).toMatch(
      /text {3}Hello[\s\S]*write {2}src\/slow.txt[\s\S]*text {3}Bye[\s\S]*merged as [0-9a-f]{7}\n$/,
    );
    expect(task?.stdout.match(/Hello/g)).toHaveLength(1);
    expect(facts?.stdout).toMatch(
      /slow #1[\s\S]*later #1 .*started[\s\S]*landed on main[\s\S]*ended, complete\n$/,
    );
    expect(raw?.stdout).toMatch(/"text":"Hello"[\s\S]*"text":"Bye"/);
    expect(watched?.stdout).toContain("2 of 2 done");
    expect(await outcome).toBe("complete");
    await Promise.all(looks);
    expect(openJournals()).toBe(0);
    // The screen is no place for a secret either, while `plait diff` is what git has: a patch (I13).
    const env = { ...place.env, LATE_TOKEN: "done-by-the-agent" };
    expect(JSON.stringify(await textsOf({ ...place, env }, run).diff(slow))).toContain("+[masked]");
    expect((await plaitIn({ ...place, env }, "diff", "slow")).stdout).toContain("+done-by-the-agent\n");
  });

  it("and is complete is not resumed, in the same words everywhere, and no process is started to say so", async () => {
    const host = hostOf(place);
    const found = await findRun(host, run.view.run);
    const started: unknown[] = [];
    const program = (words: readonly string[]) => {
      started.push(words);
      return [process.execPath, "--version"];
    };
    const acted = found.ok ? await actOnRun(host, found, { kind: "resume" }, program) : found;
    const message = `${run.view.run} is complete`;
    expect([acted, started]).toMatchObject([{ ok: false, refusal: { message } }, []]);
    const typed = await plaitIn(place, "resume", run.view.run);
    expect([typed.code, typed.stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

const LIMITED = `plait: 1
name: limited
defaults: { agent: demo }
tasks:
  - { id: first, prompt: "demo: write src/first.txt x" }
  - { id: second, needs: [first], prompt: "demo: on attempt 1: fail rate-limit 60m\\ndemo: write src/second.txt x" }
`;

it("a run that waits for a limit lands when it is asked to, and says what happens", async () => {
  const other = makePlace();
  const begun = await begin(other, LIMITED);
  const limited = new Promise<void>((resolve) => {
    begun.view.subscribe({
      fact: (_, { indices }) => (indices.phases.backoff === 1 ? resolve() : undefined),
    });
  });
  const ended = begun.drive();
  await limited;
  const { code, stdout } = await plaitIn(other, "land");
  const text = `Landing 1 merged task of ${begun.view.run} on main. The run then ends with 1 task left.\nnext  plait watch`;
  expect([code, stdout]).toEqual([0, expect.stringContaining(text)]);
  expect(await ended).toBe("incomplete");
  expect(begun.view.state().landing.kind).toBe("landed");
});

describe("a watcher", () => {
  it("that leaves lets the run go on", async () => {
    const other = makePlace();
    const begun = await begin(other, plan(dirname(other.repo)));
    const ended = begun.drive();
    await begun.ask({ kind: "pause" });
    const child = spawn(process.execPath, [main, "watch"], {
      ...{ cwd: other.repo, env: other.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    const started = new Promise<void>((resolve) => {
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        resolve(); // the first words: that the run is paused
      });
    });
    const code = new Promise((resolve) => child.on("close", resolve));
    await Promise.race([started, code]);
    child.kill("SIGINT");
    expect(await code).toBe(0);
    expect(said).toContain(`${begun.view.run} continues\nnext  plait watch ${begun.view.run} `);
    expect(begun.view.state().ended).toBe(null);
    await begun.ask({ kind: "stop", mode: "stop" });
    expect(await ended).toBe("stopped");
  });
});

it("whose plait process was killed is interrupted in the log of its task too", async () => {
  const other = makePlace();
  writeFileSync(join(other.repo, "plan.yaml"), plan(dirname(other.repo)));
  const child = spawn(process.execPath, [main, "run", "plan.yaml", "--progress", "plain"], {
    ...{ cwd: other.repo, env: other.env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const code = new Promise((resolve) => child.on("close", resolve));
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (/slow +start/.test(text)) child.kill("SIGKILL");
  });
  await code;
  expect((await plaitIn(other, "logs", "slow")).stdout).toMatch(/^. slow #1 {2}interrupted, demo\n/);
});
