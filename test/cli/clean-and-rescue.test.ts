import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { asked } from "./asked.ts";
import { git, makePlace, type Place } from "./place.ts";
import type { Run } from "./plait.ts";
import { begin, finish } from "./run-place.ts";

/** One task is merged, one fails with work to keep: nothing lands. */
const plan = `plait: 1
name: part
defaults: { agent: demo, retries: 0 }
tasks:
  - id: good
    owns: [src/good.txt]
    prompt: |
      demo: write src/good.txt good
  - id: bad
    owns: [src/bad.txt]
    prompt: |
      demo: write src/bad.txt half
      demo: fail agent-said-no it cannot be done
`;

let place: Place;
let run: string;

beforeAll(async () => {
  place = makePlace();
  run = await finish(place, plan, { slots: 2 });
});

const look = (...args: string[]): Promise<Run> => asked(args, { cwd: place.repo, env: place.env });
const refs = (): string[] => git(place, "for-each-ref", "--format=%(refname)").split("\n");

/** What is the user's, byte for byte (I3). */
function users({ repo }: Place): unknown {
  const files = ["HEAD", "index", "config", "logs/HEAD", "refs/heads/main"].map((name) =>
    readFileSync(join(repo, ".git", name), "latin1"),
  );
  return [
    files,
    git(place, "status", "--porcelain"),
    git(place, "worktree", "list"),
    readdirSync(repo).sort(),
  ];
}

// In this order: what is there is looked at, restored, and then removed.
describe("rescue", () => {
  it("says which branch leaves it no room", async () => {
    git(place, "branch", "rescue");
    const { code, stderr } = await look("rescue", "--branch", `${run}/bad/1`);
    expect(code).toBe(2);
    expect(stderr).toContain("branch rescue is in the way of");
    git(place, "branch", "-D", "rescue");
  });

  it("lists what is saved, what is nowhere else first, and makes a branch of it", async () => {
    const { stdout } = await look("rescue");
    expect(stdout).toMatch(new RegExp(`^${run}/bad/1 .* 1 file {2}agent reported it is blocked: it ca`, "m"));
    expect(stdout).toContain(`plait rescue --branch ${run}/bad/1`);
    const before = users(place);
    const { code, stdout: said } = await look("rescue", "--branch", `${run}/bad/1`);
    expect(code).toBe(0);
    expect(said).toContain(`rescue/${run}/bad-1 is at`);
    expect(said).toContain(`git switch rescue/${run}/bad-1`);
    expect(git(place, "show", `rescue/${run}/bad-1:src/bad.txt`)).toBe("half");
    expect(users(place)).toEqual(before);
  });

  it("takes full names, and says the same when it is asked again", async () => {
    const asked = JSON.parse((await look("rescue", "--branch", `refs/plait/${run}/bad/1`, "--json")).stdout);
    expect(asked).toMatchObject({ v: 1, ref: `refs/plait/${run}/bad/1`, branch: `rescue/${run}/bad-1` });
  });

  it("overwrites no branch", async () => {
    git(place, "branch", `rescue/${run}/good-1`, "main");
    const { code, stderr } = await look("rescue", "--branch", `${run}/good/1`);
    expect(code).toBe(2);
    expect(stderr).toContain(`branch rescue/${run}/good-1 already exists`);
    expect(git(place, "rev-parse", `rescue/${run}/good-1`)).toBe(git(place, "rev-parse", "main"));
  });
});

describe("clean", () => {
  it("leaves what is younger than fourteen days, and says what would go", async () => {
    const before = refs();
    expect((await look("clean")).stdout).toBe("nothing to remove: no run ended more than 14 days ago\n");
    const refused = await look("clean", "--days", "0", "--dry-run");
    expect(refused.stdout).toContain(
      `${run} not removed: 1 merged task has not landed: good (1 file); saved work of 1 task not merged: bad`,
    );
    expect(refused.stdout).toContain(
      `  next  land it: plait land ${run}\n        or remove it: plait clean ${run} --force\n`,
    );
    const named = await look("clean", run);
    expect([named.code, named.stdout]).toEqual([1, refused.stdout]);
    const { stdout } = await look("clean", "--days", "0", "--dry-run", "--force");
    expect(stdout).toMatch(new RegExp(`^would remove ${run} {2}\\d.* KiB$`, "m"));
    expect(stdout).toContain(`refs/heads/plait/${run}/integration\n`);
    expect(refs()).toEqual(before);
    expect(existsSync(join(place.repo, ".git/plait/runs", run))).toBe(true);
  });

  it("does not take away the branch that somebody stands on", async () => {
    git(place, "switch", "-q", `plait/${run}/integration`);
    const { code, stdout } = await look("clean", run);
    expect(code).toBe(1);
    expect(stdout).toContain(
      `${run} not removed: its branch plait/${run}/integration is in use in ${place.repo}`,
    );
    git(place, "switch", "-q", "main");
    expect(refs()).toContain(`refs/plait/${run}/bad/1`);
  });

  it.each([
    [false, /help: resume it: plait resume \S+\n$/],
    [true, /help: resume it: plait resume \S+ --allow-root\n$/],
  ])("names what resumes an interrupted run, as root too (%s)", async (hasRootFlag, hint) => {
    const { view, close } = await begin(place, plan, {}, hasRootFlag);
    await close();
    const { code, stderr } = await look("watch", view.run);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: \S+ was interrupted \(process \d+ on \S+\)\n/);
    expect(stderr).toMatch(hint);
    await look("clean", view.run);
  });

  it("removes folder, saved work and branches of a run, and nothing else", async () => {
    const unfinished = await begin(place, plan);
    await unfinished.close();
    const before = users(place);
    const others = refs().filter((ref) => !ref.includes(`plait/${run}/`));
    const { code, stdout } = await look("clean", "--days", "0", "--json", "--force");
    expect(code).toBe(0);
    const { removed, stays } = JSON.parse(stdout);
    const { run: name } = unfinished.view;
    const hints = [`resume it: plait resume ${name}`, `or remove it: plait clean ${name}`];
    expect(stays).toEqual([{ run: name, why: "it was interrupted", hints }]);
    expect(removed).toEqual([
      {
        run,
        unlanded: 1,
        folder: join(place.repo, ".git/plait/runs", run),
        worktrees: null,
        bytes: expect.toSatisfy((bytes: number) => bytes > 1000),
        refs: [`refs/heads/plait/${run}/integration`, `refs/plait/${run}/bad/1`, `refs/plait/${run}/good/1`],
      },
    ]);
    expect(refs()).toEqual(others);
    expect(users(place)).toEqual(before);
    // The run that has not ended is there, until it is named.
    expect(readdirSync(join(place.repo, ".git/plait/runs"))).toEqual([unfinished.view.run]);
    expect((await look("clean", unfinished.view.run)).code).toBe(0);
    expect(readdirSync(join(place.repo, ".git/plait/runs"))).toEqual([]);
    expect(users(place)).toEqual(before);
    expect(refs().filter((ref) => ref.includes("/plait/"))).toEqual([]);
  });

  it("names a worktree with files that are saved nowhere, and leaves it", async () => {
    const large = plan.replace("defaults:", "save: { max-bytes: 1000 }\ndefaults:");
    const text = large.replace(
      "write src/bad.txt half",
      "run head -c 5000 /dev/zero | tr '\\\\0' x > src/bad.txt",
    );
    const name = await finish(place, text);
    const kept = git(place, "worktree", "list", "--porcelain").match(/^worktree (.*\.kept.*)$/m)?.[1] ?? "";
    expect(readdirSync(join(kept, "src"))).toContain("bad.txt");
    const { code, stdout } = await look("clean", name);
    expect(code).toBe(1);
    expect(stdout).toContain(`${name} not removed: its worktree ${kept} has unsaved files`);
    expect((await look("clean", "--days", "0")).stdout).toContain(`git worktree remove -f -f ${kept}`);
    expect(refs()).toContain(`refs/plait/${name}/good/1`);
    git(place, "worktree", "remove", "-f", "-f", kept);
    expect((await look("clean", name, "--force")).code).toBe(0);
    expect(refs().filter((ref) => ref.includes("/plait/"))).toEqual([]);
  });

  it("finishes what a clean that was cut off began, and takes old talks along", async () => {
    const left = join(place.repo, ".git/plait/runs/.part-abcd.removed");
    mkdirSync(left);
    utimesSync(left, 0, 0);
    // What was said with an agent about a tech spec: one long ago, one lately, one that goes on.
    const talks = join(place.repo, ".git/plait/spec");
    const names = [
      "2020-01-01T00-00-00-aaaaaaaa",
      "2020-01-01T00-00-00-bbbbbbbb",
      "2026-11-01T00-00-00-cccccccc",
    ];
    for (const name of names) mkdirSync(join(talks, name), { recursive: true });
    for (const name of names.slice(0, 2)) utimesSync(join(talks, name), 0, 0);
    const asked = join(place.env["HOME"] ?? "", ".local/state/plait/questions/question-bbbbbbbb");
    mkdirSync(asked, { recursive: true });
    expect(await look("clean")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("removed answers about tech specs"),
    });
    expect(existsSync(left)).toBe(false);
    expect(readdirSync(talks).sort()).toEqual(names.slice(1));
    rmSync(asked, { recursive: true });
    rmSync(talks, { recursive: true });
  });

  it("removes saved work whose run is not known any more", async () => {
    const commit = git(place, "rev-parse", "main");
    const child = git(place, "commit-tree", "-p", commit, "-m", "saved", `${commit}^{tree}`);
    git(place, "update-ref", "refs/plait/gone-abcd/task/1", child);
    expect((await look("clean")).stdout).toContain("nothing to remove");
    expect((await look("rescue")).stdout).toMatch(/^gone-abcd\/task\/1 .* \? {2}its run is unknown$/m);
    // A saved ref has the seconds of its commit: a moment later it is older than now.
    const { stdout } = await look("clean", "--days", "0");
    expect(stdout).toContain("refs/plait/gone-abcd/task/1\n");
    expect(refs()).not.toContain("refs/plait/gone-abcd/task/1");
  });
});

describe("clean of a run that landed on a branch that was reset", () => {
  it("leaves the only copy, names it, and the suggested branch makes room", async () => {
    const own = makePlace();
    const ask = (...args: string[]) => asked(args, { cwd: own.repo, env: own.env });
    const name = await finish(own, plan.replace(/ {2}- id: bad[\s\S]*/, ""), { slots: 1 });
    const landed = git(own, "rev-parse", "--short=7", "main");
    git(own, "reset", "-q", "--hard", "HEAD~1");
    const refused = await ask("clean", "--days", "0");
    expect(`${refused.stdout}${refused.stderr}`).toContain(
      `it landed on main as ${landed}, which is not on any branch now`,
    );
    expect(`${refused.stdout}${refused.stderr}`).toContain(`git branch ${name} ${landed}`);
    git(own, "branch", name, landed);
    expect((await ask("clean", "--days", "0")).stdout).toContain(name);
    expect(git(own, "for-each-ref", `refs/plait/${name}`)).toBe("");
  });
});
