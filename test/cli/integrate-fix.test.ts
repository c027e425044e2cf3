import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Fact } from "../../src/core/facts.ts";
import { askedIn } from "./asked.ts";
import { git, makePlace, type Place } from "./place.ts";
import { finish } from "./run-place.ts";

/** `kept.txt` is beyond its limits; when it is asked again, it reverts that. */
const PLAN = `plait: 1
name: pair
defaults: { agent: demo, retries: 0, fix-rounds: 0 }
gates: [test -f a.txt]
tasks:
  - id: a
    owns: [b.txt, c.txt]
    prompt: "demo: on attempt 1: write b.txt b\\ndemo: on attempt 1: write kept.txt no\\ndemo: on attempt 2: run echo kept > kept.txt\\ndemo: on attempt 3+: say no"
  - { id: b, owns: [d.txt], prompt: "demo: write d.txt d" }
`;

type Report = {
  readonly exit: number;
  readonly fix: { readonly isLanded: boolean; readonly rounds: readonly object[] };
};

function commitFile(place: Place, name: string, text: string): string {
  writeFileSync(join(place.repo, name), text);
  git(place, "add", name);
  git(place, "commit", "-q", "-m", `edit ${name}`);
  return git(place, "rev-parse", "HEAD");
}

function factsOf({ repo }: Place, run: string): Fact[] {
  const text = readFileSync(join(repo, ".git/plait/runs", run, "journal.ndjson"), "utf8");
  const parsed = text.split("\n").flatMap((line) => {
    const [, body] = /(\{.*\})/.exec(line) ?? [];
    return body === undefined ? [] : [JSON.parse(body)];
  });
  return parsed.map((one) => one.fact ?? one);
}

describe("findings that are sent back to the agents of their tasks", () => {
  const place = makePlace({ "a.txt": "a\n", "kept.txt": "kept\n" });
  const fix = (...more: string[]) =>
    askedIn(place, "integrate", "../plan.yaml", "--fix", "--no-checks", ...more);
  let run = "";

  it("need consent, a clean checkout and a place that is no gate", async () => {
    run = await finish(place, PLAN);
    expect(git(place, "show", "main:kept.txt")).toBe("no");
    const unasked = await fix();
    expect([unasked.code, unasked.stderr]).toEqual([
      2,
      expect.stringContaining("start without asking: plait integrate ../plan.yaml --fix --yes"),
    ]);
    const gate = await fix("--yes", "--enforce");
    expect([gate.code, gate.stderr]).toEqual([
      2,
      expect.stringContaining("--fix and --enforce cannot be combined"),
    ]);
    writeFileSync(join(place.repo, "a.txt"), "edited\n");
    const dirty = await fix("--yes");
    expect([dirty.code, dirty.stderr]).toEqual([
      3,
      expect.stringContaining("commit or stash them: git stash"),
    ]);
    git(place, "checkout", "-q", "a.txt");
    const lone = await askedIn(place, "integrate", "../plan.yaml", "--rounds", "2");
    expect([lone.code, lone.stderr]).toEqual([2, expect.stringContaining("--rounds needs --fix")]);
  });

  it("are fixed on top of what people committed since, in the run that has the task, land and fit (I1, I8, I11)", async () => {
    const edited = commitFile(place, "person.txt", "mine\n");
    const { code, stdout, stderr } = await fix("--yes");
    expect(stderr).toContain("round 1 of 2: send 1 finding to 1 task");
    expect(stderr).toContain(`  a: demo, continues in ${run}\n    kept.txt:1: outside-scope: a: `);
    expect(stdout).toContain("the parts fit");
    expect(code).toBe(0);
    expect(git(place, "show", "main:kept.txt")).toBe("kept");
    expect(git(place, "show", "main:person.txt")).toBe("mine");
    expect(git(place, "for-each-ref", "refs/plait", "refs/heads/plait")).toBe("");
    expect(git(place, "status", "--porcelain")).toBe("");
    expect(readdirSync(join(dirname(place.repo), "home/.local/state/plait/worktrees"))).toEqual([]);
    const facts = factsOf(place, run);
    expect(facts.find(({ type }) => type === "integration.caught-up")).toMatchObject({
      to: { commit: edited },
    });
    expect(facts.findLast(({ type }) => type === "attempt.started")).toMatchObject({
      attempt: "a/2",
      continues: "a/1",
      base: { commit: edited },
    });
    const prompt = readFileSync(join(place.repo, ".git/plait/runs", run, "prompts/a.2.md"), "utf8");
    expect(prompt).toContain("| kept.txt:1: [outside-scope] a: ");
  });

  it("that an agent cannot fix are told, with exit 1, and what landed stays landed", async () => {
    commitFile(place, "late.txt", "x\n");
    git(place, "commit", "-q", "--amend", "-m", "late\n\nPlait-Task: a");
    const { code, stdout } = await fix("--yes", "--json", "--rounds", "1");
    const report: Report = JSON.parse(stdout);
    expect(report).toMatchObject({ exit: 1, fix: { isLanded: false, rounds: [{ run, isLanded: false }] } });
    expect(code).toBe(1);
    const status = await askedIn(place, "status", "--json");
    expect(JSON.parse(status.stdout)).toMatchObject({ landing: { kind: "landed" } });
  });
});

describe("findings of a run that is to land never, and was merged by hand", () => {
  const place = makePlace({ "a.txt": "a\n", "kept.txt": "kept\n" });
  const fix = () => askedIn(place, "integrate", "../plan.yaml", "--fix", "--no-checks", "--yes");

  it("are fixed on the branch of the run, and that branch is checked again", async () => {
    const run = await finish(place, PLAN, { land: "never" });
    git(place, "merge", "-q", "--no-ff", "--no-edit", `plait/${run}/integration`);
    const { code, stdout } = await fix();
    expect(stdout).toContain(`checked: plait/${run}/integration at `);
    expect([code, git(place, "show", `plait/${run}/integration:kept.txt`)]).toEqual([0, "kept"]);
    git(place, "merge", "-q", "--ff-only", `plait/${run}/integration`);
  });

  it("that no agent can get are named as such", async () => {
    commitFile(place, "late.txt", "x\n");
    git(place, "commit", "-q", "--amend", "-m", "late\n\nPlait-Task: a\nPlait-Task: b");
    const { code, stderr } = await fix();
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("left to you: 1 finding, no single task owns it"),
    ]);
  });
});
