import { mkdtempSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { askedIn } from "./asked.ts";
import { commit, files, findingsIn, trailers, write } from "./integrate-place.ts";
import { git, makePlace, type Place } from "./place.ts";
import { finish } from "./run-place.ts";

/** What a fresh clone says otherwise than the place of the run, where its journal is. */
async function asInClone(place: Place): Promise<string[]> {
  const clone = { ...place, repo: join(mkdtempSync(join(dirname(place.repo), "clone-")), "repo") };
  git(place, "clone", "-q", place.repo, clone.repo);
  const plan = join(dirname(place.repo), "plan.yaml");
  const told = async (where: Place) => {
    const { stdout } = await askedIn(where, "integrate", plan, "--no-checks", "--json");
    return JSON.parse(stdout).findings as { weight: string; code: string; about: string }[];
  };
  const [here, there] = [await told(place), await told(clone)];
  const known = new Set(here.map((one) => JSON.stringify(one)));
  const others = there.filter((one) => !known.has(JSON.stringify(one)));
  expect(there.length).toBe(here.length);
  return others.map(({ weight, code, about }) => `${weight} ${code} ${about}`);
}

describe("whose work it is", () => {
  it("is told by branches of the older tool, merged or not, also in a worktree of their own", async () => {
    const place = makePlace(files);
    for (const [task, name] of [
      ["task-001-a", "a.txt"],
      ["task-002-b", "kept.txt"],
    ] as const) {
      git(place, "checkout", "-q", "-b", `feature/${task}`, "main");
      commit(place, { [name]: "done\n" });
    }
    git(place, "checkout", "-q", "main");
    commit(place, { "unrelated.txt": "u\n" });
    git(place, "merge", "-q", "--no-edit", "feature/task-001-a");
    git(place, "worktree", "add", "-q", "../theirs", "feature/task-002-b");
    const open = await findingsIn(place);
    expect(open.findings).toEqual(["must task-not-merged task-002-b"]);
    expect(open.report.tasks[0]).toMatchObject({ status: "merged", from: "branch", files: 1 });
    expect(open.report.tasks[0].commits).toHaveLength(2);
    git(place, "merge", "-q", "--no-edit", "feature/task-002-b");
    expect((await findingsIn(place)).findings).toEqual(["must outside-scope task-002-b kept.txt"]);
  });

  it("is told apart where the branch of one task began on that of another", async () => {
    const place = makePlace(files);
    git(place, "checkout", "-q", "-b", "feature/task-001-a");
    commit(place, { "a.txt": "done\n" });
    git(place, "checkout", "-q", "-b", "feature/task-002-b");
    commit(place, { "b.txt": "done\n" });
    git(place, "checkout", "-q", "main");
    git(place, "merge", "-q", "--no-ff", "--no-edit", "feature/task-002-b"); // and with it the other
    const { findings, report } = await findingsIn(place);
    expect(findings).toEqual([]);
    expect(report.tasks).toMatchObject([{ files: 1 }, { files: 1 }]);
    expect(report.tasks.map(({ commits }: { commits: unknown[] }) => commits.length)).toEqual([2, 2]);
  });

  it("is not the work of others that a task merged into its own branch", async () => {
    const place = makePlace(files);
    git(place, "checkout", "-q", "-b", "theirs");
    commit(place, { "b.txt": "begun\n" }, trailers("task-002-b"));
    git(place, "checkout", "-q", "main");
    commit(place, { "a.txt": "done\n" }, trailers("task-001-a"));
    git(place, "checkout", "-q", "theirs");
    git(place, "merge", "-q", "--no-ff", "main", "-m", "Take main in", "-m", trailers("task-002-b"));
    commit(place, { "b.txt": "done\n" }, trailers("task-002-b"));
    git(place, "checkout", "-q", "main");
    git(place, "merge", "-q", "--no-ff", "--no-edit", "theirs");
    const { findings, report } = await findingsIn(place);
    expect(findings).toEqual([]);
    expect(report.tasks).toMatchObject([{ files: 1 }, { files: 1 }]);
    // Where nothing but such a merge names the task, its branch is the task's work.
    const other = makePlace(files);
    commit(other, { "a.txt": "done\n" }, trailers("task-001-a"));
    git(other, "checkout", "-q", "-b", "theirs", "HEAD^");
    commit(other, { "b.txt": "done\n", "kept.txt": "stray\n" });
    git(other, "merge", "-q", "--no-ff", "main", "-m", "Take main in", "-m", trailers("task-002-b"));
    git(other, "checkout", "-q", "main");
    git(other, "merge", "-q", "--ff-only", "theirs");
    expect((await findingsIn(other)).findings).toEqual(["must outside-scope task-002-b kept.txt"]);
  });

  it("is told by ownership where a server made one commit of several tasks; a shallow clone cuts it off", async () => {
    const place = makePlace(files);
    const listed = ["task-001-a", "task-002-b"].map(
      (task) => `* Work\n\n${trailers(task)}\nPlait-Attempt: 1`,
    );
    const bye = "---------\n\nCo-authored-by: X <x@example.com>";
    commit(place, { "a.txt": "A\n", "b.txt": "B\n", "kept.txt": "x\n" }, ...listed, bye);
    const squashed = await findingsIn(place);
    expect(squashed.findings).toEqual([
      "must outside-scope task-001-a or task-002-b kept.txt", // nobody's, whoever did it
    ]);
    expect(squashed.report.findings[0].task).toBe(null);
    expect(squashed.report.tasks).toMatchObject([{ files: 1 }, { files: 1 }]);
    const clone = { ...place, repo: join(dirname(place.repo), "clone") };
    git(place, "clone", "-q", "--depth", "1", `file://${place.repo}`, clone.repo);
    const cut = await findingsIn(clone);
    const unclear = ["unclear scope-unclear task-001-a", "unclear scope-unclear task-002-b"];
    expect([cut.code, cut.findings]).toEqual([0, unclear]);
    commit(place, {});
    git(clone, "fetch", "-q", "--depth", "1");
    git(clone, "reset", "-q", "--hard", "FETCH_HEAD");
    expect(await findingsIn(clone)).toMatchObject({
      code: 0,
      findings: ["unclear task-without-commits task-001-a", "unclear task-without-commits task-002-b"],
    });
  });

  it("is told by the journal of its run, as the branch is now; of what is not merged, why", async () => {
    const place = makePlace();
    const run = await finish(
      place,
      `plait: 1
name: pair
defaults: { agent: demo, retries: 0, fix-rounds: 0 }
tasks:
  - { id: a, owns: [src/a.txt], prompt: "demo: write src/a.txt done\\ndemo: write src/b.txt stray" }
  - { id: b, owns: [src/b.txt], prompt: "demo: crash" }
`,
      { land: "partial" },
    );
    const { code, stdout } = await askedIn(place, "integrate", "--no-checks", "--out", "reports");
    expect(code).toBe(1);
    expect(stdout).toContain(`must fix[task-not-merged]: b: not merged into main: failed: `);
    expect(stdout).toContain("src/b.txt:1: must fix[outside-scope]: a: ");
    expect(stdout).toContain("reports/integration-report.json: written");
    expect(await asInClone(place)).toEqual(["must task-without-commits b"]); // why, only the journal knows
    git(place, "rm", "-q", "src/b.txt");
    commit(place, {}, trailers("b", "by-hand"));
    commit(place, { "late.txt": "x\n" }, "Plait-Task: a"); // beside what its run did
    const mended = await askedIn(
      place,
      "integrate",
      "../plan.yaml",
      "--no-checks",
      "--json",
      "--run",
      run.slice(0, -1),
    );
    const { judged, tasks, findings } = JSON.parse(mended.stdout);
    expect(await asInClone(place)).toEqual(["must task-without-commits b"]);
    write(place, "other.yaml", "plait: 1\ntasks: [{ id: a, prompt: x }]\n");
    const other = await askedIn(place, "integrate", "other.yaml", "--run", run, "--no-checks");
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringContaining(`${run} is a run of another plan`),
    ]);
    expect(judged).toMatchObject({
      kind: "landed",
      ref: "main",
      run,
      commit: git(place, "rev-parse", "main"),
    });
    expect(tasks.map(({ task, from, status }: Record<string, string>) => [task, from, status])).toEqual([
      ["a", "run", "merged"],
      ["b", "run", "not-merged"],
    ]);
    expect(findings.map(({ weight }: { weight: string }) => weight)).toEqual(["must", "should", "must"]);
  });
});
