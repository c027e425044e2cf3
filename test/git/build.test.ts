import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Revision } from "../../src/core/facts.ts";
import { oid } from "../../src/core/ids.ts";
import type { LandStyle } from "../../src/core/plan.ts";
import type { BuildInput } from "../../src/git/index.ts";
import {
  addHook,
  buildIt,
  type LandRig,
  landIt,
  landRig,
  MERGE,
  placeWith,
  startedRig,
  status,
  TASKS,
} from "./landing.ts";
import { filesBelow, type Place, SOME_FILES, sh, usersThings } from "./support.ts";

const { "b.txt": _, ...REST } = SOME_FILES;
const LANDED = { ...REST, "a.txt": "landed\n", "new/n.txt": "n\n" };

const SQUASH: LandStyle = { ...MERGE, as: "squash" };
const REBASE: LandStyle = { ...MERGE, as: "rebase" };

/** Builds on the target as it is now. */
async function built(it: LandRig, style: LandStyle, more: Partial<BuildInput> = {}): Promise<Revision> {
  const onto = oid(sh(it.place, "git rev-parse main"));
  const answer = await buildIt(it, { onto, style, ...more });
  if (answer.kind !== "built") throw new Error(JSON.stringify(answer));
  return answer.result;
}

async function landed(it: LandRig, to: Revision): Promise<void> {
  expect(await landIt(it, { to })).toMatchObject({ kind: "landed" });
  expect(status(it.place)).toBe("");
}

const log = (it: LandRig, format: string, range: string) =>
  sh(it.place, `git log --format='${format}' ${range}`);

describe("what lands", () => {
  test("as a merge, while the target has not moved: the integration branch itself", async () => {
    const it = await landRig(undefined, TASKS);
    expect(await built(it, MERGE)).toEqual(it.to);
  });

  test("as a merge that is to have a message: a commit of its own, with the tree that was gated", async () => {
    const it = await landRig(undefined, TASKS);
    const message = "Take {count} of {plan}\n\n{tasks}\n\nIn short: {tasks} of {run}\n\nTicket: 7";
    const result = await built(it, { ...MERGE, message, signoff: true });
    expect(result.tree).toBe(it.to.tree);
    expect(log(it, "%P", `-1 ${result.commit}`)).toBe(`${it.base.commit} ${it.to.commit}`);
    expect(log(it, "%B", `-1 ${result.commit}`)).toBe(
      "Take 2 of plan\n\n- t1: Do t1\n- t2: Do t2\n\nIn short: t1, t2 of r1\n\nTicket: 7\nPlait-Run: r1\nSigned-off-by: User <user@example.com>\n",
    );
    await landed(it, result);
  });

  test("as a squash: one commit that names run and tasks, the same on each try", async () => {
    const it = await landRig(undefined, TASKS);
    const result = await built(it, SQUASH);
    expect(await built(it, SQUASH)).toEqual(result);
    expect(result.tree).toBe(it.to.tree);
    expect(log(it, "%P%n%an%n%B", `-1 ${result.commit}`)).toBe(
      `${it.base.commit}\nUser\nplan: 2 tasks\n\n- Do t1\n- Do t2\n\nPlait-Run: r1\nPlait-Task: t1\nPlait-Task: t2\n`,
    );
    await landed(it, result);
    expect(filesBelow(it.place.repo)).toEqual(LANDED);
  });

  test("as a rebase: one commit a task by who did the work, in the order of merging", async () => {
    const it = await landRig(undefined, TASKS);
    const result = await built(it, REBASE);
    expect(await built(it, REBASE)).toEqual(result);
    expect(result.tree).toBe(it.to.tree);
    const format = "%p|%an|%cn|%s|%(trailers:key=Plait-Task,valueonly,separator=)";
    expect(log(it, format, `--reverse ${it.base.commit}..${result.commit}`)).toBe(
      `${it.base.commit.slice(0, 7)}|Agent|User|Do t1|t1\n${log(it, "%h", `-1 ${result.commit}~1`)}|Agent|User|Do t2|t2`,
    );
    const own = await built(it, { ...REBASE, author: "user", signoff: true });
    const line = "User|Signed-off-by: User <user@example.com>";
    expect(log(it, "%an|%(trailers:key=Signed-off-by,separator=)", `${it.base.commit}..${own.commit}`)).toBe(
      `${line}\n${line}`,
    );
    await landed(it, own);
    expect(filesBelow(it.place.repo)).toEqual(LANDED);
  });
});

/** Three tasks, of which the first was sent back once it was merged. */
const REDONE = `${TASKS}
task t1 'echo better > a.txt'`;

describe("one commit a task", () => {
  test("also of a task that was merged twice, at its first place", async () => {
    const it = await landRig(undefined, REDONE);
    const result = await built(it, REBASE);
    expect(result.tree).toBe(it.to.tree);
    expect(log(it, "%s", `--reverse ${it.base.commit}..${result.commit}`)).toBe("Do t1\nDo t2");
    expect(sh(it.place, `git show ${result.commit}~1:a.txt`)).toBe("better");
    await landed(it, result);
  });

  test("in the order of merging, where the second change of a task needs what another did between", async () => {
    const it = await landRig(undefined, `${TASKS}; task t1 'echo m > new/n.txt'`);
    const result = await built(it, REBASE);
    expect(result.tree).toBe(it.to.tree);
    expect(log(it, "%s", `--reverse ${it.base.commit}..${result.commit}`)).toBe("Do t1\nDo t2\nDo t1");
  });

  test("unless changes only fit together: then they are one commit that names both", async () => {
    const it = await landRig(undefined, `${TASKS}; task t3 'git show main~2:a.txt > a.txt'`);
    sh(it.place, "echo theirs > a.txt; git commit -qam users");
    const answer = await buildIt(it, { onto: oid(sh(it.place, "git rev-parse main")), style: REBASE });
    if (answer.kind !== "built") throw new Error(JSON.stringify(answer));
    const { commit } = answer.result;
    expect(sh(it.place, `git show ${commit}:a.txt; git show ${commit}:new/n.txt`)).toBe("theirs\nn");
    expect(log(it, "%s|%(trailers:key=Plait-Task,valueonly,separator=+)", `-1 ${commit}`)).toBe(
      "plan: 3 tasks|t1+t2+t3",
    );
    expect(answer.commits?.map((one) => `${one.attempt} ${one.commit}`)).toEqual([
      `t1/1 ${commit}`,
      `t2/1 ${commit}`,
      `t3/1 ${commit}`,
    ]);
  });
});

describe("on a target that moved", () => {
  test.each([
    ["merge", MERGE, ["Merge plait run r1 into main", "users", "start"]],
    ["squash", SQUASH, ["plan: 2 tasks", "users", "start"]],
    ["rebase", REBASE, ["Do t2", "Do t1", "users", "start"]],
  ])("%s: both are there", async (_as, style, subjects) => {
    const it = await landRig(undefined, TASKS);
    sh(it.place, "echo u > users.txt; git add -A; git commit -qm users");
    const onto = oid(sh(it.place, "git rev-parse main"));
    expect(await landIt(it)).toEqual({ kind: "moved", onto });
    const result = await built(it, style);
    expect(await built(it, style)).toEqual(result);
    await landed(it, result);
    expect(filesBelow(it.place.repo)).toEqual({ ...LANDED, "users.txt": "u\n" });
    expect(log(it, "%s", "--first-parent main").split("\n")).toEqual(subjects);
    expect(await landIt(it, { to: result })).toMatchObject({ kind: "landed", from: onto }); // told once more
  });

  test.each([
    ["merge", MERGE],
    ["squash", SQUASH],
    ["rebase", REBASE],
  ])("%s: in a way that conflicts says where", async (_as, style) => {
    const it = await landRig(undefined, TASKS);
    sh(it.place, "echo u > a.txt; git commit -qam users");
    const onto = oid(sh(it.place, "git rev-parse main"));
    expect(await buildIt(it, { onto, style })).toEqual({
      kind: "conflict",
      paths: ["a.txt"],
      types: ["CONFLICT (contents)"],
    });
  });

  test("to a history of its own is a conflict, not a crash", async () => {
    const it = await landRig();
    const onto = oid(sh(it.place, "git commit-tree -m other HEAD^{tree}"));
    const unrelated = { kind: "conflict", paths: [], types: ["unrelated histories"] };
    expect(await buildIt(it, { onto })).toEqual(unrelated);
  });

  test("by what landed before: only what is new since then, and a task that is there already makes no commit", async () => {
    const it = await landRig(undefined, TASKS);
    const first = oid(sh(it.place, `git rev-parse ${it.to.commit}~2`)); // t1 is merged
    const partly = await built(it, SQUASH, { tip: first });
    await landed(it, partly);
    sh(it.place, "echo mine > a.txt; git commit -qam mine"); // on top of what landed
    for (const style of [SQUASH, REBASE]) {
      const rest = await built(it, style, { base: first });
      expect(sh(it.place, `git diff --name-only main ${rest.commit}`)).toBe("new/n.txt");
      expect(sh(it.place, `git rev-list --count main..${rest.commit}`)).toBe("1");
    }
    await landed(it, await built(it, SQUASH, { base: first }));
    const again = await built(it, REBASE, { base: first });
    expect(again.commit).toBe(sh(it.place, "git rev-parse main")); // nothing is left to land
  });
});

describe("the user's hooks", () => {
  test("see each message and what lands, and may change the message", async () => {
    const place = placeWith(TASKS);
    addHook(
      place,
      "prepare-commit-msg",
      'echo "$2 $(git diff --cached --name-only | tr "\\n" " ")" >> ../seen',
    );
    addHook(place, "commit-msg", 'echo "Ticket: 7" >> "$1"');
    for (const name of ["pre-commit", "pre-merge-commit", "post-commit", "post-rewrite"])
      addHook(place, name, "touch ../ran; exit 1");
    const it = await startedRig(place);
    const before = usersThings(place);
    const result = await built(it, REBASE);
    const ofRun = "Plait-Run: r1\nPlait-Task: t1\nPlait-Attempt: 1\nTicket: 7\n";
    expect(log(it, "%B", `-1 ${result.commit}~1`)).toBe(`Do t1\n\n${ofRun}`);
    expect(log(it, "%(trailers:key=Ticket,valueonly)", `-1 ${result.commit}`)).toBe("7\n");
    expect(readFileSync(join(place.root, "seen"), "utf8")).toBe(
      "message a.txt b.txt \nmessage a.txt b.txt new/n.txt \n",
    );
    expect(existsSync(join(place.root, "ran"))).toBe(false);
    expect(usersThings(place)).toEqual(before);
    expect(readdirSync(it.runDir)).not.toContain("landing-message");
  });

  test.each([
    ["a hook", "hook", (place: Place) => addHook(place, "commit-msg", "echo not like this >&2; exit 1")],
    ["a hook that leaves nothing", "hook", (place: Place) => addHook(place, "commit-msg", ': > "$1"')],
    ["a key", "sign", (place: Place) => sh(place, "git config gpg.program false")],
    ["nobody", "identity", (place: Place) => sh(place, "git config --global --unset user.email")],
  ])("%s refuses: in its own words, and nothing is half done", async (_what, why, arrange) => {
    const place = placeWith(TASKS);
    arrange(place);
    const it = await startedRig(place);
    const before = usersThings(place);
    const answer = await buildIt(it, { style: { ...SQUASH, sign: true } });
    expect(answer).toMatchObject({ kind: "refused", why });
    const said = {
      hook: /not like this|removed the commit message/,
      sign: /gpg failed to sign/,
      identity: /user\.email/,
    };
    expect(answer).toMatchObject({ detail: expect.stringMatching(said[why as keyof typeof said]) });
    expect(usersThings(place)).toEqual(before);
  });

  test("that were planted since the start do not run", async () => {
    const it = await landRig(undefined, TASKS);
    addHook(it.place, "commit-msg", "touch ../ran");
    const answer = await buildIt(it, { style: SQUASH });
    expect(answer).toMatchObject({
      kind: "refused",
      why: "config",
      detail: expect.stringMatching(
        /^Changed since the run started: \S+commit-msg \(added\)\. .*plait restore /,
      ),
    });
    expect(existsSync(join(it.place.root, "ran"))).toBe(false);
  });
});
