// A night in fast motion: what befalls fifteen tasks between six in the evening and the next morning, through the program as its
// user has it, in one story. Each part has tests of its own; here they happen to one run.

import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { findRun, type Host, loadPlan, reviseRun } from "../../src/app/index.ts";
import { defaultCaps, defaultLayers, defaultPolicy } from "../../src/config/settings.ts";
import type { Fact } from "../../src/core/facts.ts";
import { type Clock, systemClock } from "../../src/util/clock.ts";
import { git, makePlace, type Place, plaitIn } from "../cli/place.ts";
import { main } from "../cli/plait.ts";

const plain = Array.from({ length: 5 }, (_, n) => `plain-${n + 1}`);

const planOf = ({ repo }: Place, extra: string) => {
  const root = dirname(repo);
  return `plait: 1
name: night
concurrency: 4
defaults: { agent: demo, retries: 0, fix-rounds: 1 }
gates:
  - { name: sound, run: "test -f sound.txt && ! grep -rq BAD ." }
  # Red whenever nobody has asked for a while, as tests are that depend on the time.
  - { name: moody, retries: 2, run: "test -f ${root}/asked || { touch ${root}/asked; exit 1; }" }
tasks:
${plain.map((id) => `  - { id: ${id}, prompt: "demo: sleep 20ms\\ndemo: write ${id}.txt ${id}" }`).join("\n")}
  - { id: mends-1, prompt: "demo: on attempt 1: write m1.txt BAD\\ndemo: on attempt 2+: write m1.txt good" }
  - { id: mends-2, prompt: "demo: on attempt 1: write m2.txt BAD\\ndemo: on attempt 2+: write m2.txt good" }
  - { id: broken, artifacts: ["*.trace"], prompt: "demo: write why.trace because\\ndemo: exit 3" }
  - { id: waits-long, needs: [${plain.slice(0, 4).join(", ")}], prompt: "demo: write waits-long.txt 1" }
${extra}`;
};

const LAST = '  - { id: last, needs: [mends-1, mends-2], prompt: "demo: write last.txt 1" }\n';

/** With other words for one task, and new ones, of which two change the same file. */
const EDITED = `${LAST.replace("last.txt 1", "last.txt edited")}  - { id: new, prompt: "demo: write new.txt 1" }
  - { id: left, prompt: "demo: run until ls ../right/* >/dev/null 2>&1; do sleep 0.05; done\\ndemo: write same.txt left" }
  - id: right
    fix-rounds: 0
    prompt: |
      demo: run until git log --format=%B --glob='refs/heads/plait/*/integration' | grep -q 'Plait-Task: left'; do sleep 0.05; done
      demo: write same.txt right
  - { id: limited, needs: [left, new], prompt: "demo: on attempt 1: fail usage-limit 1h\\ndemo: write limited.txt at last" }
  - { id: after-right, needs: [right], prompt: "demo: run cat same.txt > after.txt" }
`;

/** As after a night's sleep of the machine: the wall clock has gone on, the other has not. */
function sleeper(): Clock & { readonly sleep: (ms: number) => void } {
  let slept = 0;
  return {
    ...systemClock,
    now: () => systemClock.now() + slept,
    sleep: (ms) => {
      slept += ms;
    },
  };
}

it("a night with a red base, a flaky gate, fix loops, a conflict, a limit, a killed terminal, a sleep, an edit and a failure (I1, I2, I4, I5, I8)", async () => {
  const place = makePlace({ "a.txt": "a\n", "same.txt": "old\n", ".gitignore": "*.trace\n" });
  const { repo, env } = place;
  const file = join(dirname(repo), "plan.yaml");
  const plait = (...args: string[]) => plaitIn(place, ...args);

  // Six in the evening: the base is red, and nothing is merged.
  writeFileSync(file, planOf(place, LAST));
  const red = await plait("run", file, "--allow-root");
  expect([red.code, red.stdout]).toEqual([3, expect.stringContaining("sound is red on")]);
  writeFileSync(join(repo, "sound.txt"), "yes\n");
  git(place, "add", "-A");
  git(place, "commit", "-q", "-m", "sound");

  // It runs, and the terminal that it runs in is closed.
  const terminal = spawn(process.execPath, [main, "run", file, "--allow-root", "--json"], { cwd: repo, env });
  const closed = new Promise<number | null>((done) => terminal.on("close", (code) => done(code)));
  let seen = "";
  let hangUp = (): void => {
    terminal.kill("SIGHUP");
    hangUp = () => undefined; // a second one would end it at once
  };
  terminal.stdout.setEncoding("utf8").on("data", (text: string) => {
    seen += text;
    if (seen.split('"integration.advanced"').length > 4) hangUp();
  });
  expect(await closed).toBe(129);
  const [, run = ""] = /"run":"(night-\w+)"/.exec(seen) ?? [];
  expect(git(place, "log", "--format=%s", "-1")).toBe("sound");

  // Somebody edits the plan, goes on with it, and closes the lid: the limit is over when it is opened again.
  writeFileSync(file, planOf(place, EDITED));
  const clock = sleeper();
  let closeLid = (): void => {
    clock.sleep(3_600_000);
    closeLid = () => undefined;
  };
  const host: Host = {
    cwd: repo,
    env,
    version: "test",
    command: "resume",
    allowRoot: true,
    allowNested: true,
    clock,
  };
  const found = await findRun(host, run);
  const { plan, texts } = await loadPlan(file, { caps: defaultCaps, layers: defaultLayers(), cwd: repo });
  if (!found.ok || plan === null) throw new Error("there is no run, or no plan");
  const policy = { ...defaultPolicy, slots: 4, failFast: false, land: plan.land, budgetUsd: null };
  const revised = await reviseRun(host, found, { plan, texts, policy, redo: [] });
  if (!revised.ok) throw new Error(revised.refusal.message);
  const { view, drive } = revised.run;
  const facts: Fact[] = [...revised.run.past];
  view.subscribe({
    fact: (fact, after) => {
      facts.push(fact);
      const { active, queued, parked } = after.indices.phases;
      if (parked === 1 && active + queued === 0) closeLid();
    },
  });
  expect(await drive()).toBe("incomplete");
  const { state } = view;
  expect(state().indices.phases).toMatchObject({ merged: 12, failed: 2, skipped: 1, parked: 0 });
  const tries = (task: string) =>
    facts.filter((fact) => fact.type === "attempt.started" && fact.attempt.startsWith(`${task}/`));
  expect(tries("limited")).toHaveLength(2);
  expect(tries("mends-1").length + tries("mends-2").length).toBeGreaterThanOrEqual(4);

  // Outside of this test no hour has passed: what is known of the account's limit is from the future.
  rmSync(join(env["HOME"] ?? "", ".local/state/plait/accounts.json"));

  // Morning: the report says what needs a person; the conflict is resolved by hand, and what waited for it goes on.
  const report = readFileSync(join(repo, ".git/plait/runs", run, "report.md"), "utf8");
  for (const word of ["Needs you", "broken", "right", "same.txt", "moody", "why.trace"])
    expect(report).toContain(word);
  const opened = await plait("open", "right", "--run", run);
  expect([opened.code, opened.stdout]).toEqual([0, expect.stringContaining("same.txt")]);
  const [, worktree = ""] = /(\/\S*\/right)(?:\s|$)/m.exec(opened.stdout) ?? [];
  expect(readFileSync(join(worktree, "same.txt"), "utf8")).toMatch(
    /<<<<<<< .*left.*=======.*right.*>>>>>>> /s,
  );
  writeFileSync(join(worktree, "same.txt"), "left and right\n");
  const accepted = await plait("submit", "right", "--run", run, "--allow-root");
  expect([accepted.code, accepted.stdout]).toEqual([1, expect.stringContaining("14 of 15 done, 1 failed")]);

  // What is merged lands, and the one that failed is named; nothing is left of the rest.
  const landed = await plait("land", run, "--allow-root");
  expect([landed.code, landed.stdout]).toEqual([1, expect.stringContaining("partly landed")]);
  const files = git(place, "ls-files").split("\n");
  const made = [...plain, "limited", "waits-long", "new", "after", "last", "m1", "m2"].map(
    (name) => `${name}.txt`,
  );
  expect(files.sort()).toEqual([".gitignore", "a.txt", "same.txt", "sound.txt", ...made].sort());
  const text = (path: string) => readFileSync(join(repo, path), "utf8").trim();
  expect(["same.txt", "after.txt", "last.txt", "m1.txt"].map(text)).toEqual([
    "left and right",
    "left and right",
    "edited",
    "good",
  ]);
  expect(git(place, "status", "--short")).toBe("");
  expect(git(place, "worktree", "list").split("\n")).toHaveLength(1);
  expect(git(place, "for-each-ref", "--format=%(refname)", "refs/heads")).toBe("refs/heads/main");
  const folder = join(repo, ".git/plait/runs", run);
  expect(readFileSync(join(folder, "report.md"), "utf8")).toContain("broken");
  const [kept] = readdirSync(join(folder, "artifacts/broken"));
  expect(existsSync(join(folder, "artifacts/broken", kept ?? "", "work/why.trace"))).toBe(true);
});
