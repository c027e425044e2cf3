import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, makePlace, type Place, plaitIn } from "./place.ts";

/** How the result lands can be decided at the start and at the landing, in the same words. */

const TWO = `plait: 1
name: shop
tasks:
  - { id: search, title: Add search, prompt: "demo: write src/search.txt x" }
  - { id: tax, title: Add tax, needs: [search], prompt: "demo: write src/tax.txt x" }
`;

const run = (place: Place, plan: string, ...flags: string[]) => {
  writeFileSync(join(dirname(place.repo), "plan.yaml"), plan);
  return plaitIn(place, "run", "../plan.yaml", "--allow-root", "--agent", "demo", ...flags);
};

const subjects = (place: Place, range: string) =>
  git(place, "log", "--reverse", "--format=%s", range).split("\n");

describe.concurrent("plait land", () => {
  it("lands on another branch, in another style than the run was started with", async () => {
    const place = makePlace();
    git(place, "branch", "release");
    expect(await run(place, TWO, "--land", "never")).toMatchObject({ code: 0 });
    const main = git(place, "rev-parse", "main");
    const [whole, stat, names] = await Promise.all(
      [[], ["--stat"], ["--name-only"]].map((flags) => plaitIn(place, "diff", ...flags)),
    );
    expect(names?.stdout).toBe("src/search.txt\nsrc/tax.txt\n");
    expect(stat?.stdout).toContain("2 files changed, 2 insertions(+)");
    expect(whole?.stdout).toMatch(/^diff --git a\/src\/search.txt[\s\S]*^diff --git a\/src\/tax.txt/m);
    const typo = await plaitIn(place, "land", "--onto", "relaese");
    expect(typo).toMatchObject({ code: 2, stdout: "" });
    expect(typo.stderr).toContain('unknown branch "relaese"');
    expect(typo.stderr).toContain("did you mean release? Or create it: git branch relaese");
    const draft = await plaitIn(place, "land", "--draft");
    expect(draft.code).toBe(2);
    expect(draft.stderr).toContain("--draft needs a pull request");
    const landed = await plaitIn(place, "land", "--onto", "release", "--as", "squash", "--allow-root");
    expect(landed.code, landed.stderr).toBe(0);
    expect(landed.stdout).toContain("release");
    expect(git(place, "rev-parse", "main")).toBe(main);
    expect(subjects(place, `${main}..release`)).toEqual(["shop: 2 tasks"]);
    expect(git(place, "show", "release:src/tax.txt")).toBe("x");
    const undone = await plaitIn(place, "undo");
    expect(undone.code).toBe(0);
    expect(git(place, "rev-parse", "release")).toBe(main);
  });

  it("names the commits that a merge brings along to an older branch, before it lands", async () => {
    const place = makePlace();
    git(place, "branch", "release");
    for (const n of [1, 2]) git(place, "commit", "-q", "--allow-empty", "-m", `feature ${n}`);
    await run(place, TWO, "--land", "never");
    const [first, second] = git(place, "log", "--format=%h", "release..main").split("\n");
    const text = `warning: A merge also lands 2 commits that release does not have: ${first} feature 2, ${second} feature 1. To leave them out: --as rebase or --as squash`;
    const landed = await plaitIn(place, "land", "--as", "merge", "--onto", "release", "--allow-root");
    expect([landed.code, landed.stderr]).toEqual([
      0,
      expect.stringMatching(new RegExp(`${text}[\\s\\S]*landed`)),
    ]);
    expect((await plaitIn(place, "undo")).code).toBe(0);
    const alone = await plaitIn(place, "land", "--as", "squash", "--onto", "release", "--allow-root");
    expect([alone.code, alone.stderr]).toEqual([0, expect.not.stringContaining("also lands")]);
    expect(subjects(place, "main@{0}..release")).toEqual(["shop: 2 tasks"]);
    const started = await run(place, TWO.replace("shop", "next"), "--onto", "release", "--land-as", "merge");
    expect(started.stderr).toContain("A merge also lands 2 commits that release does not have");
  });

  it("undo without a name takes the landing that came last, not the run that started last", async () => {
    const place = makePlace();
    const one = (id: string) =>
      `plait: 1\nname: ${id}\ntasks: [{ id: ${id}, prompt: "demo: write ${id}.txt x" }]\n`;
    expect(await run(place, one("first"), "--land", "never")).toMatchObject({ code: 0 });
    expect(await run(place, one("second"))).toMatchObject({ code: 0 });
    expect(await plaitIn(place, "land", "first")).toMatchObject({ code: 0 });
    expect((await plaitIn(place, "undo")).stdout).toMatch(/^Undid first-/);
  });

  it("I3: undo leaves the user's commits where they merged the run themselves before it landed", async () => {
    const place = makePlace();
    await run(place, TWO, "--land", "never");
    const [branch = ""] = git(place, "branch", "--list", "plait/*", "--format=%(refname:short)").split("\n");
    git(place, "merge", "-q", branch);
    writeFileSync(join(place.repo, "mine.txt"), "mine\n");
    git(place, "add", "mine.txt");
    git(place, "commit", "-qm", "my own work");
    const mine = git(place, "rev-parse", "main");
    const landed = await plaitIn(place, "land", "--onto", "main", "--allow-root");
    expect([landed.code, landed.stdout + landed.stderr]).toEqual([
      0,
      expect.stringContaining("main already had this work"),
    ]);
    const undone = await plaitIn(place, "undo");
    expect([undone.code, undone.stderr]).toEqual([
      1,
      expect.stringContaining("not undone: The landing did not move main\nnext  plait status"),
    ]);
    expect(git(place, "rev-parse", "main")).toBe(mine);
  });

  it("of two landings undoes the last, then the first, and says each time what is on the branch", async () => {
    const place = makePlace();
    const [one, two] = [
      "demo: write src/one.txt x",
      "demo: on attempt 1: fail crash\\ndemo: write src/two.txt x",
    ];
    const plan = `plait: 1\nname: shop\ntasks:\n  - { id: one, prompt: "${one}" }\n  - { id: two, retries: 0, prompt: "${two}" }\n`;
    const start = git(place, "rev-parse", "--short", "main");
    expect((await run(place, plan, "--land", "partial")).code).toBe(1);
    const first = git(place, "rev-parse", "--short", "main");
    const partly = `| result | partly landed on \`main\`, from \`${start}\` to \`${first}\` |`;
    expect((await plaitIn(place, "report")).stdout).toContain(partly);
    expect((await plaitIn(place, "resume", "--allow-root")).code).toBe(0);
    const undone = await plaitIn(place, "undo");
    expect(undone.stdout).toMatch(/^Undid the last landing of shop-\w+: main is back at /);
    expect(undone.stdout).toContain(`an earlier landing is still on main: ${first}; undo it too: plait undo`);
    const [status, runs, report] = await Promise.all(
      ["status", "runs", "report"].map((one) => plaitIn(place, one)),
    );
    expect(status?.stdout).toContain(`partly landed on main as ${first}`);
    expect(status?.stdout).toMatch(
      /next {2}plait land \S+ +land the rest\n[\s\S]* plait undo \S+ +undo the landing/,
    );
    expect(runs?.stdout).toContain(`partly landed ${first}, last landing undone  main`);
    expect(report?.stdout).toContain(`**Partly landed on main as ${first}, last landing undone`);
    expect(report?.stdout).toContain(
      `| result | partly landed on \`main\`, from \`${start}\` to \`${first}\`; a later`,
    );
    expect((await plaitIn(place, "undo")).stdout).toMatch(
      new RegExp(`^Undid shop-\\w+: main is back at ${start}`),
    );
    expect(git(place, "rev-parse", "--short", "main")).toBe(start);
    expect((await plaitIn(place, "status")).stdout).toMatch(/undone, ended .*[\s\S]*land 2 merged tasks/);
    expect((await plaitIn(place, "undo")).stderr).toContain("no run has landed in this repository");
  });

  it("names one reason where the server refuses the push, and keeps the rest in the report", async () => {
    const place = makePlace();
    const server = join(dirname(place.repo), "server.git");
    git(place, "init", "-q", "--bare", server);
    const lines = "for n in 1 2 3 4 5 6 7 8 9; do echo rule $n: no pushes to main >&2; done; exit 1";
    writeFileSync(join(server, "hooks/pre-receive"), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
    git(place, "remote", "add", "origin", server);
    const { code, stdout } = await run(place, TWO, "--push");
    expect(code).toBe(1);
    expect(stdout).toContain(
      "server  not pushed: rule 1: no pushes to main (pre-receive hook declined)\ntime ",
    );
    expect(stdout).not.toContain("rule 2");
    expect(stdout).toMatch(/next {4}plait land \S+ +push again\n/);
    expect((await plaitIn(place, "report")).stdout).toContain("remote: rule 9: no pushes to main");
  });

  it("checks before anything starts or lands that there is a remote to push to", async () => {
    const place = makePlace();
    const started = await run(place, TWO, "--push");
    expect(started).toMatchObject({ code: 3, stderr: expect.stringContaining("cannot push the result") });
    expect((await run(place, TWO, "--land", "never")).code).toBe(0);
    const main = git(place, "rev-parse", "main");
    const landed = await plaitIn(place, "land", "--push");
    expect(landed).toMatchObject({ code: 3, stderr: expect.stringContaining("git remote add origin <url>") });
    expect(git(place, "rev-parse", "main")).toBe(main);
  });

  it("names the commands that lead to a push where the server has commits of others, and they work", async () => {
    const place = makePlace();
    const server = join(dirname(place.repo), "server.git");
    git(place, "init", "-q", "--bare", "-b", "main", server);
    git(place, "remote", "add", "origin", server);
    git(place, "push", "-q", "-u", "origin", "main");
    const tree = git(place, "rev-parse", "main^{tree}");
    const theirs = git(place, "commit-tree", tree, "-p", "main", "-m", "theirs");
    git(place, "push", "-q", "origin", `${theirs}:main`);
    git(place, "update-ref", "refs/remotes/origin/main", "main");
    const { code, stdout } = await run(place, TWO, "--push");
    expect(code).toBe(1);
    expect(stdout.replaceAll(/ +/g, " ")).toMatch(
      /next git pull --no-rebase origin main merge the new commits of origin\n git push origin main push main\n plait land \S+ record that the work is pushed\n/,
    );
    expect(stdout).not.toContain("push again");
    git(place, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main");
    const again = await plaitIn(place, "land");
    expect(again.code).toBe(1);
    const said = `${again.stdout}${again.stderr}`.replaceAll(/ +/g, " ");
    expect(said).toContain("next git push origin main push main\n");
    expect(said).not.toContain("git pull");
    git(place, "push", "-q", "origin", "main");
    const last = await plaitIn(place, "land");
    expect(last.code, last.stdout + last.stderr).toBe(0);
  });

  it("lands on the branch that the start named, and not on the one that is checked out", async () => {
    const place = makePlace();
    git(place, "branch", "release");
    const main = git(place, "rev-parse", "main");
    const missing = await run(place, TWO, "--onto", "nowhere");
    expect(missing).toMatchObject({ code: 2 });
    expect(missing.stderr).toContain('unknown branch "nowhere"');
    expect((await plaitIn(place, "runs")).stdout).not.toContain("shop-");
    const ran = await run(place, `${TWO}land: { onto: release, as: squash }\n`);
    expect(ran.code, ran.stderr).toBe(0);
    expect(git(place, "rev-parse", "main")).toBe(main);
    expect(git(place, "show", "release:src/search.txt")).toBe("x");
  });
});

const SUMMARIES = `plait: 1
name: shop
gates: [{ name: tests, run: "test ! -e src/red.txt" }]
land: { co-author: true }
tasks:
  - id: search
    title: Add search
    prompt: |
      demo: write src/search.txt x
      demo: say The page asks the index.
  - id: tax
    needs: [search]
    prompt: |
      Show prices with the tax of the country that the visitor comes from, wherever they are shown at all
      demo: write src/tax.txt x
`;

describe.concurrent("the history that lands", () => {
  it("has one commit for each task, with its subject, its summary and the tree that was checked", async () => {
    const place = makePlace();
    const main = git(place, "rev-parse", "main");
    const ran = await run(place, SUMMARIES);
    expect(ran.code, ran.stderr).toBe(0);
    const runs = JSON.parse((await plaitIn(place, "runs", "--json")).stdout);
    const trailers = (task: string) =>
      `Plait-Run: ${runs.runs[0].run}\nPlait-Task: ${task}\nPlait-Attempt: 1\nCo-Authored-By: demo agent <demo@localhost>\n`;
    expect(git(place, "log", "--reverse", "--format=%B", `${main}..main`)).toBe(
      `Add search

The page asks the index.

${trailers("search")}
Show prices with the tax of the country that the visitor comes from…

…wherever they are shown at all

${trailers("tax")}`.trim(),
    );
    expect(git(place, "log", "--merges", "--format=%H", "main")).toBe("");
    const status = JSON.parse((await plaitIn(place, "status", "--json")).stdout);
    const commits = git(place, "log", "--reverse", "--format=%H", `${main}..main`).split("\n");
    expect(status.tasks.map(({ commit }: { commit: string }) => commit)).toEqual(commits);
    for (const commit of commits) expect(ran.stdout).toContain(commit.slice(0, 7));
    const trees = git(place, "log", "--reverse", "--format=%T", `${main}..main`).split("\n");
    const facts = (await plaitIn(place, "watch", "--json")).stdout.split("\n").filter(Boolean);
    const green = facts.map((line) => JSON.parse(line)).filter(({ type }) => type === "gate.judged");
    for (const tree of trees) expect(green.map((one) => one.tree)).toContain(tree);
  });
});
