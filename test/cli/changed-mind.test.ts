import { readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { runFolder } from "../../src/engines/local/run-folder.ts";
import { acquireLock } from "../../src/journal/lock.ts";
import { asked, askedIn } from "./asked.ts";
import { git, makePlace, type Place } from "./place.ts";
import type { Run } from "./plait.ts";
import { finish } from "./run-place.ts";

const plan = (tasks: string) => `plait: 1
name: mind
defaults: { agent: demo, retries: 0 }
tasks:
${tasks}`;

const FIRST = plan(`  - { id: kept, prompt: "demo: write kept.txt 1" }
  - { id: bad, prompt: "demo: exit 1" }
  - { id: gone, prompt: "demo: exit 1" }
  - { id: after, needs: [bad], prompt: "demo: run cat bad.txt > after.txt" }
`);

/** The file as the user has edited it. */
function edit({ repo }: Place, text: string): void {
  writeFileSync(join(dirname(repo), "plan.yaml"), text);
}

/** Resumes the only run of the place while its driver still holds the lock, which it does until the command says that it waits. */
async function resumeWhilePutAway({ repo, env }: Place, ...args: readonly string[]): Promise<Run> {
  const runs = join(repo, ".git/plait/runs");
  const [run = ""] = readdirSync(runs);
  const taken = await acquireLock(runFolder(join(runs, run)).lock, { command: "plait run" });
  if (!taken.ok) throw new Error("nobody else has it");
  const isOver = new AbortController();
  let left: Promise<void> = Promise.resolve();
  const onStart = (readStderr: () => string): void => {
    left = (async () => {
      while (!isOver.signal.aborted && !readStderr().includes("Waiting for process")) await setTimeout(10);
      await taken.lock.release();
    })();
  };
  const answer = await asked(["resume", ...args], { cwd: repo, env, onStart });
  isOver.abort();
  await left;
  return answer;
}

describe("a plan that is changed while its run is not done", () => {
  it("lands nothing where the run was started so", async () => {
    const place = makePlace();
    edit(
      place,
      plan(`  - { id: a, retries: 0, prompt: "demo: on attempt 1: exit 1\\ndemo: write a.txt a" }\n`),
    );
    expect((await askedIn(place, "run", "../plan.yaml", "--land", "never", "--allow-root")).code).toBe(1);
    edit(place, plan(`  - { id: a, retries: 0, prompt: "demo: write b.txt b" }\n`));
    const args = ["--plan", "../plan.yaml", "--allow-root"];
    const { code, stderr, stdout } = await resumeWhilePutAway(place, ...args);
    expect([code, stdout, stderr]).toEqual([
      0,
      expect.not.stringContaining("landed"),
      expect.stringContaining("plait land"),
    ]);
    // Whoever types it in that second is not refused, and knows what they wait for.
    expect(stderr).toMatch(new RegExp(`^Waiting for process ${process.pid}, which is finishing mind-\\S+\n`));
    expect(git(place, "ls-files")).not.toContain("b.txt");
  });

  it("goes on with what is merged, what is changed, new or removed, and asks before it redoes", async () => {
    const place = makePlace();
    const run = await finish(place, FIRST);

    edit(place, FIRST.replace("write kept.txt 1", "write kept.txt other"));
    const refused = await askedIn(place, "resume", run, "--plan", "../plan.yaml", "--allow-root");
    expect(refused.code).toBe(2);
    expect(refused.stderr.replaceAll(/\s+/g, " ")).toContain(
      "revert the edit of `kept` in the plan, or run the task again: plait resume",
    );
    expect((await askedIn(place, "status", run)).stdout).toContain("1 of 4 done");

    edit(place, "plait: 1\ntasks: [{ id: kept }]\n");
    expect((await askedIn(place, "resume", run, "--plan", "../plan.yaml")).code).toBe(2);
    const alone = await askedIn(place, "resume", run, "--redo", "kept");
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining("--redo needs --plan")]);

    edit(
      place,
      plan(`  - { id: kept, prompt: "demo: write kept.txt 1" }
  - { id: bad, prompt: "demo: write bad.txt mended" }
  - { id: more, needs: [kept], prompt: "demo: write more.txt 2" }
  - { id: after, needs: [bad], prompt: "demo: run cat bad.txt > after.txt" }
`),
    );
    const again = await askedIn(place, "run", "../plan.yaml", "--dry-run");
    expect(again.code).toBe(0);
    const resumed = await askedIn(place, "resume", run, "--plan", "../plan.yaml", "--allow-root", "--json");
    expect(resumed.code).toBe(0);
    const facts = resumed.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const starts = facts.filter(({ type }) => type === "attempt.started").map(({ attempt }) => attempt);
    expect(starts.filter((id: string) => id.startsWith("kept"))).toEqual(["kept/1"]);
    expect(starts).toEqual(expect.arrayContaining(["bad/2", "more/1", "after/1"]));

    edit(place, plan(`  - { id: kept, prompt: "demo: write kept.txt anew" }\n`));
    const redone = await askedIn(
      place,
      "resume",
      run,
      "--plan",
      "../plan.yaml",
      "--redo",
      "kept",
      "--allow-root",
    );
    expect([redone.code, redone.stdout]).toEqual([0, expect.stringContaining("landed")]);
  });

  it("or only the words of one task are, and the next run of the plan says that one is unfinished", async () => {
    const place = makePlace();
    const run = await finish(place, plan('  - { id: bad, prompt: "demo: exit 1" }\n'));
    const words = join(dirname(place.repo), "words.md");
    writeFileSync(words, " \n");
    const empty = await askedIn(place, "retry", "bad", "--prompt-file", words);
    expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining("is empty")]);
    expect((await askedIn(place, "retry", "bad", "--prompt-file", "no.md")).code).toBe(2);

    const other = await askedIn(place, "run", "../plan.yaml", "--allow-root");
    expect(other.stderr).toContain(`the last run of this plan, ${run}, is unfinished (0 of 1 done)`);

    writeFileSync(words, "demo: write bad.txt good\n");
    const retried = await askedIn(
      place,
      "retry",
      "bad",
      "--run",
      run,
      "--prompt-file",
      words,
      "--allow-root",
    );
    expect([retried.code, retried.stdout]).toEqual([0, expect.stringContaining("landed")]);
  });
});
