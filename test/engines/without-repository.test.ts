// Runs in folders that are in no repository. The tasks work in the folder itself; nothing there is plait's to change.

import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cleanRuns } from "../../src/app/clean-runs.ts";
import type { Refusal } from "../../src/app/index.ts";
import { readLog } from "../../src/app/read-log.ts";
import { reviseRun } from "../../src/app/revise-run.ts";
import { findRun, listRuns, repositoryOfRuns } from "../../src/app/runs.ts";
import { findAttempt, taskDiff } from "../../src/app/task-files.ts";
import { decide } from "../../src/core/decide.ts";
import type { TaskId } from "../../src/core/ids.ts";
import { listNextSteps } from "../../src/core/select/next-steps.ts";
import { formatCommand } from "../../src/core/text/command.ts";
import { plainText } from "../../src/core/text/sentence.ts";
import {
  drive,
  factsOf,
  folderPlace,
  type Place,
  place,
  promptOf,
  resume,
  runPlan,
  sh,
  start,
} from "./local.ts";

const FILES = {
  "notes.txt": "one\n",
  "deep/more.txt": "two\n",
  "deep/deep/leaf.txt": "x\n",
  ".env": "TOKEN=x\n",
};

const LOOK = `defaults: { access: read-only, retries: 0 }
tasks:
  - { id: look, prompt: "demo: run pwd > $TMPDIR/seen\\ndemo: say The notes are short." }
  - { id: below, dir: deep, command: "echo In $(basename $PWD), $(git rev-parse 2>&1)" }
  - { id: sum, needs: [look, below], prompt: "demo: say Done." }
`;

/** Everything below a folder: what it is, when it was changed, and what is in it. */
function listing(folder: string): string[] {
  const names = ["", ...(readdirSync(folder, { recursive: true }) as string[])].sort();
  return names.map((name) => {
    const { mode, mtimeMs, ctimeMs, isFile } = statOf(join(folder, name));
    return [name, mode, mtimeMs, ctimeMs, isFile ? readFileSync(join(folder, name), "utf8") : ""].join(" ");
  });
}

function statOf(path: string) {
  const found = lstatSync(path);
  return { mode: found.mode, mtimeMs: found.mtimeMs, ctimeMs: found.ctimeMs, isFile: found.isFile() };
}

const stateOf = ({ root }: Place): string => join(root, "state/plait");
const refsOf = (at: Place): string =>
  sh(at, `git --git-dir=${stateOf(at)}/none.git for-each-ref --format='%(refname)'`);

describe.concurrent("a plan of read-only tasks", () => {
  test("keeps the report files that a task wrote in the folder, and puts none there (I3)", async () => {
    const at = folderPlace({ ...FILES, "out/old.md": "old\n" });
    const plan = `defaults: { access: read-only, retries: 0 }
tasks:
  - { id: look, reports: ["out/*.md"], prompt: "demo: write out/new.md It is short." }
  - { id: gone, needs: [look], command: "rm out/new.md" }
  - { id: sum, needs: [look, gone], reports: ["out/*.md"], prompt: "demo: say Done." }
`;
    const ran = await runPlan(at, plan, { policy: { keepWorktrees: true } });
    expect(ran.outcome).toBe("complete");
    expect(readdirSync(join(ran.folder, "reports/look/1/out"))).toEqual(["new.md"]);
    expect(promptOf(ran, "sum/1")).toContain("| It is short.");
    expect(readdirSync(join(at.repo, "out"))).toEqual(["old.md"]);
    expect(existsSync(join(ran.folder, "reports/sum/1"))).toBe(false);
    expect(factsOf(ran, "attempt.saved").map(({ stays }) => stays)).toEqual([null, null, null]);
  });

  test("runs in the folder itself, hands reports on, and leaves nothing there (I1, I3, I8)", async () => {
    const at = folderPlace(FILES);
    const before = listing(at.repo);
    const ran = await runPlan(at, LOOK);
    expect(ran.outcome).toBe("complete");
    expect(listing(at.repo)).toEqual(before);
    expect(readFileSync(join(at.root, "seen"), "utf8").trim()).toBe(at.repo);
    expect(promptOf(ran, "sum/1")).toContain("The notes are short.");
    expect(promptOf(ran, "sum/1")).toContain("In deep, fatal: not a git repository");
    expect(factsOf(ran, "attempt.saved").map(({ changed, findings }) => [changed, findings])).toEqual(
      Array(3).fill([false, []]),
    );
    expect(ran.folder).toBe(join(stateOf(at), "runs", ran.state.run));
    expect(readFileSync(join(ran.folder, "report.md"), "utf8")).toContain(`| worked in | \`${at.repo}\`,`);
    expect(refsOf(at)).toBe("refs/heads/main");
    expect(readdirSync(join(stateOf(at), "worktrees"))).toEqual([]);
    expect(existsSync(join(stateOf(at), "none.git/worktrees"))).toBe(false);
  });

  test("goes on after a failure: nothing is open to a person, and no ref is spoken of", async () => {
    const at = folderPlace(FILES);
    const plan = `tasks: [{ id: a, access: read-only, retries: 0, prompt: "demo: on attempt 1: fail agent-error" }]\n`;
    const ran = await runPlan(at, plan);
    expect(ran.outcome).toBe("incomplete");
    expect(
      listNextSteps(ran.state, { isRunning: false }).map(({ command }) => formatCommand(command)),
    ).toEqual([`plait logs a --run ${ran.state.run}`, `plait retry a --run ${ran.state.run}`]);
    expect(decide(ran.state, { kind: "open", task: "a" as TaskId }, 0)).toMatchObject({
      ok: false,
      refusal: { message: expect.stringContaining("is not in a repository") },
    });
    expect(JSON.parse(readFileSync(join(ran.folder, "report.json"), "utf8")).saved.refs).toEqual([]);
    expect(refsOf(at)).toBe("refs/heads/main");
    const again = await drive(await resume(at, ran));
    expect(again.outcome).toBe("complete");
  });

  test("is found, read, revised and removed from its folder, and from no other (I3)", async () => {
    const at = folderPlace(FILES);
    const { state } = await runPlan(at, LOOK);
    const found = await findRun(at.host, null);
    if (!found.ok) throw new Error(found.refusal.message);
    expect(found.known.run).toBe(state.run);
    const shown: string[] = [];
    const attempt = findAttempt(found.known, "look" as TaskId, null);
    if (!attempt.ok) throw new Error("no attempt");
    const log = { attempt: attempt.attempt, follow: false, goOn: false, raw: "printed" } as const;
    await readLog(found.known, { ...log, show: (item) => shown.push(JSON.stringify(item)) });
    expect(shown.join()).toContain("The notes are short.");
    const diff = await taskDiff(found, attempt.attempt, { maxBytes: 1, stat: false });
    expect(diff).toMatchObject({ ok: false, refusal: { kind: "request" } });
    const [look, ...others] = state.index.plan.tasks;
    const writing = { ...state.index.plan, tasks: [{ ...look, access: "write" as const }, ...others] };
    const revising = { plan: writing as typeof state.index.plan, texts: new Map(), policy: state.policy };
    expect(await reviseRun(at.host, found, { ...revising, redo: [] })).toMatchObject({
      ok: false,
      refusal: { hint: expect.stringContaining("look is not read-only") },
    });

    const elsewhere = { ...at.host, cwd: join(at.repo, "deep") };
    expect(await repositoryOfRuns(elsewhere)).toMatchObject({ ok: false, refusal: { kind: "environment" } });
    const other = await runPlan({ ...at, repo: elsewhere.cwd, host: elsewhere }, LOOK);
    const cleaned = await cleanRuns(elsewhere, { run: null, days: -1, dryRun: false });
    expect(cleaned).toMatchObject({ ok: true, removed: [{ run: other.state.run }], stays: [] });
    expect(readdirSync(join(stateOf(at), "runs"))).toEqual([state.run]);
    expect(await cleanRuns(at.host, { run: state.run, days: 0, dryRun: false })).toMatchObject({ ok: true });
    expect(readdirSync(join(stateOf(at), "runs"))).toEqual([]);
  });

  test("that is about another folder works there, and is found from both", async () => {
    const at = folderPlace(FILES);
    const folder = join(at.repo, "deep");
    const ran = await runPlan(at, LOOK, { plan: { folder } });
    expect(ran.outcome).toBe("complete");
    expect(readFileSync(join(at.root, "seen"), "utf8").trim()).toBe(folder);
    for (const cwd of [at.repo, folder]) {
      const found = await repositoryOfRuns({ ...at.host, cwd });
      if (!found.ok) throw new Error(found.refusal.message);
      expect((await listRuns(found.repository)).runs.map(({ run }) => run)).toEqual([ran.state.run]);
    }
  });
});

describe.concurrent("a plan that needs a repository is refused, and nothing is made", () => {
  test.for([
    ["a task that writes", `tasks: [{ id: a, prompt: x }]`, "a is not read-only"],
    [
      "a set-up",
      `setup: touch x\ntasks: [{ id: a, access: read-only, prompt: x }]`,
      "setup or teardown commands",
    ],
    ["a done-file", `tasks: [{ id: a, access: read-only, done-file: D, prompt: x }]`, "a has a `done-file`"],
  ] as const)("%s", async ([, plan, says]) => {
    const at = folderPlace(FILES);
    const before = listing(at.repo);
    const refused = await start(at, `${plan}\n`).catch((error: Error) => error);
    expect(refused).toMatchObject({ message: expect.stringContaining("is not in a usable git repository") });
    const { kind, hint } = (refused as Error).cause as Refusal;
    expect(kind).toBe("environment");
    expect(plainText(hint)).toContain(says);
    expect(plainText(hint)).toContain("git init");
    expect([listing(at.repo), existsSync(join(at.root, "state"))]).toEqual([before, false]);
  });

  test("one about another repository than that it is asked for in", async () => {
    const [at, other] = [place(), place()];
    const refused = await start(at, LOOK, { plan: { folder: other.repo } }).catch((error: Error) => error);
    expect(refused).toMatchObject({ message: expect.stringContaining("not in this repository") });
    expect(refused).toMatchObject({
      cause: { kind: "environment", hint: `run it there: cd ${other.repo}` },
    });
  });

  test("one about a folder that is in a repository, or not there", async () => {
    const at = folderPlace({});
    mkdirSync(join(at.repo, "in"));
    sh(at, "git init -q in; cd in; git -c user.name=U -c user.email=u@x commit -q --allow-empty -m start");
    for (const [name, says] of Object.entries({ in: "is in a repository", gone: "is not a folder" })) {
      const folder = join(realpathSync(at.repo), name);
      for (const plan of [LOOK, "tasks: [{ id: a, prompt: x }]\n"]) {
        const refused = await start(at, plan, { plan: { folder } }).catch((error: Error) => error.message);
        expect(refused).toContain(says);
      }
    }
    expect(existsSync(join(at.root, "state"))).toBe(false);
  });
});
