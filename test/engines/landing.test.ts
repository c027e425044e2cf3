import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listNextSteps } from "../../src/core/select/next-steps.ts";
import { formatCommand, type NextStep } from "../../src/core/text/command.ts";
import { makeFakeGh } from "../support/fake-gh.ts";
import { drive, factsOf, type Place, place, resume, runPlan, sh } from "./local.ts";

const TWO = `tasks:
  - { id: one, title: First, prompt: "demo: write one.txt 1" }
  - { id: two, needs: [one], title: Second, prompt: "demo: write two.txt 2" }
`;

const quiet = { kind: "stop", mode: "drain" } as const;
const undo = [quiet, { kind: "undo" }] as const;

/** A server that takes what has no merge in it. */
function withServer(at: Place): Place {
  sh(at, `git init -q --bare ../server.git; git remote add origin ../server.git; git push -q -u origin main`);
  const hook = join(at.root, "server.git/hooks/update");
  writeFileSync(
    hook,
    '#!/bin/sh\ntest -z "$(git rev-list --merges "$3" "^$2" 2>/dev/null)" || { echo no merges here; exit 1; }\n',
  );
  chmodSync(hook, 0o755);
  return at;
}

describe.concurrent("a landing", () => {
  test("that conflicts with a target that moved is over when somebody has merged it as they were told (I1, I8)", async () => {
    const at = place({ "same.txt": "old\n" });
    const ran = await runPlan(
      at,
      `gates: ["grep -q both same.txt || grep -q ours same.txt || grep -q old same.txt"]
defaults: { fix-rounds: 0 }
tasks:
  - { id: one, prompt: "demo: run echo theirs > ${at.repo}/same.txt; env -u GIT_CONFIG_COUNT git -C ${at.repo} commit -qam theirs\\ndemo: write same.txt ours" }
`,
    );
    expect(ran.outcome).toBe("not-landed");
    const [refused] = factsOf(ran, "landing.refused");
    expect(refused).toMatchObject({
      detail: "New commits on main conflict with the run",
      files: ["same.txt"],
    });
    const [merge] = listNextSteps(ran.state, { isRunning: false });
    expect(() => sh(at, formatCommand((merge as NextStep).command))).toThrow();
    sh(at, "echo both > same.txt; git commit -qam merged");
    const landed = await drive(await resume(at, ran, [{ kind: "land" }]));
    expect(landed.outcome).toBe("complete");
    expect(sh(at, "cat same.txt; git log -1 --format=%s; git for-each-ref --format='%(refname)'")).toBe(
      "both\nmerged\nrefs/heads/main",
    );
  });

  test("as one commit a task goes to a server that wants a line, and can be taken back (I1, I3, I7)", async () => {
    const at = withServer(place());
    const land = "land: { as: rebase, signoff: true, author: user, push: true }\n";
    const ran = await runPlan(at, `${land}gates: ["true"]\n${TWO}`);
    expect(ran.outcome).toBe("complete");
    expect(sh(at, "git log --format='%s %an' | head -2; git log --merges --oneline")).toBe(
      "Second U\nFirst U",
    );
    expect(sh(at, "git log -1 --format=%B")).toContain("Signed-off-by: U <u@example.com>");
    expect(factsOf(ran, "run.published")).toMatchObject([{ remote: "origin", branch: "main", url: null }]);
    expect(sh(at, "git rev-parse main; git -C ../server.git rev-parse main")).toMatch(/^(\w+)\n\1$/);

    const undone = await drive(await resume(at, ran, undo));
    expect(undone.outcome).toBe("not-landed");
    // Others may have it: it is taken out by a commit, and not out of the history.
    expect(factsOf(undone, "landing.undone")).toMatchObject([{ how: "reverted" }]);
    expect(sh(at, "ls; git status --short; git log -1 --format=%s")).toMatch(/^a.txt\nRevert /);
    expect(sh(at, `git ls-tree --name-only plait/${ran.state.run}/integration`)).toBe(
      "a.txt\none.txt\ntwo.txt",
    );
    const again = await drive(await resume(at, undone, [{ kind: "land" }]));
    expect(again.outcome).toBe("complete");
    expect(existsSync(join(at.repo, "two.txt"))).toBe(true);
    expect(sh(at, "git rev-parse main; git -C ../server.git rev-parse main")).toMatch(/^(\w+)\n\1$/);
  });

  test("of what was merged since an earlier one is taken back by itself, and then the earlier one", async () => {
    const at = place();
    const plan = `land: partial
tasks:
  - { id: one, prompt: "demo: write one.txt 1" }
  - { id: two, retries: 0, prompt: "demo: on attempt 1: exit 1\\ndemo: write two.txt 2" }
`;
    const first = await runPlan(at, plan);
    const both = await drive(await resume(at, first));
    expect(sh(at, "ls")).toBe("a.txt\none.txt\ntwo.txt");
    const half = await drive(await resume(at, both, undo));
    expect(sh(at, "ls")).toBe("a.txt\none.txt");
    const none = await drive(await resume(at, half, undo));
    expect(sh(at, "ls; git log --format=%s")).toBe("a.txt\nstart");
    const all = await drive(await resume(at, none, [{ kind: "land" }]));
    expect(all.outcome).toBe("complete");
    expect(sh(at, "ls")).toBe("a.txt\none.txt\ntwo.txt");
  });

  test("that is taken back lands again without what had landed before it", async () => {
    const at = place();
    const plan = `land: { when: partial, as: rebase }
tasks:
  - { id: one, prompt: "demo: write one.txt 1" }
  - { id: two, retries: 0, prompt: "demo: on attempt 1: exit 1\\ndemo: write two.txt 2" }
`;
    const first = await runPlan(at, plan);
    sh(at, "echo mine > one.txt; git commit -q -a -m mine");
    const both = await drive(await resume(at, first));
    const half = await drive(await resume(at, both, undo));
    expect(sh(at, "ls; cat one.txt")).toBe("a.txt\none.txt\nmine");
    const again = await drive(await resume(at, half, [{ kind: "land" }]));
    expect(again.outcome).toBe("complete");
    expect(sh(at, "ls; cat one.txt")).toBe("a.txt\none.txt\ntwo.txt\nmine");
  });

  test("that the server refuses is landed here, and says so in the server's words", async () => {
    const at = withServer(place());
    // Signed off: a commit of its own, which joins two lines.
    const ran = await runPlan(at, `land: { as: merge, signoff: true, push: true }\n${TWO}`);
    expect(ran.outcome).toBe("not-landed");
    expect(factsOf(ran, "publishing.refused")[0]?.detail).toContain("no merges here");
    expect(existsSync(join(at.repo, "two.txt"))).toBe(true);
  });

  test("as a pull request leaves the branch as it is", async () => {
    const at = place();
    const gh = makeFakeGh(at.root, at.repo, at.host.env);
    const host = { ...at.host, env: { ...at.host.env, PATH: `${gh.bin}:${at.host.env["PATH"]}` } };
    const ran = await runPlan({ ...at, host }, `land: { as: squash, pull-request: true }\n${TWO}`);
    expect(ran.outcome).toBe("complete");
    expect(factsOf(ran, "run.published")).toMatchObject([
      { branch: `plait/${ran.state.run}`, url: "https://github.com/acme/shop/pull/1" },
    ]);
    expect(sh(at, "git log --format=%s main; git status --short")).toBe("start");
    expect(sh(at, `git -C ../server.git log --format=%s plait/${ran.state.run}`).split("\n")).toHaveLength(2);
    const [pull] = gh.pulls();
    expect(pull).toMatchObject({ base: "main", head: `plait/${ran.state.run}`, title: "First and second" });
    const told = pull?.body ?? "";
    expect(told).toMatch(/\| `one` First \| merged \| 1 \|.*\n\| `two` Second \| merged \|/);
    expect(told).toContain("```mermaid\nflowchart LR");
    expect(told).not.toContain(at.root); // of no use to who reads it there
  });

  test("that others changed stays, and the message names the files; one that they built on is taken back by a commit of its own", async () => {
    const at = place();
    const ran = await runPlan(at, TWO);
    sh(at, "echo mine > one.txt; git commit -q -a -m mine");
    const before = sh(at, "git rev-parse main; git for-each-ref");
    const refused = await drive(await resume(at, ran, undo));
    expect(factsOf(refused, "undo.refused")[0]?.files).toContain("one.txt");
    expect(refused.outcome).toBe("complete");
    expect(sh(at, "git rev-parse main; git for-each-ref")).toBe(before);

    sh(at, "git reset -q --hard HEAD~1; echo mine > mine.txt; git add -A; git commit -q -m mine");
    const undone = await drive(await resume(at, refused, undo));
    expect(factsOf(undone, "landing.undone")).toMatchObject([{ how: "reverted" }]);
    expect(sh(at, "ls; git status --short; git log -1 --format=%s")).toMatch(/^a.txt\nmine.txt\nRevert /);
  });
});
