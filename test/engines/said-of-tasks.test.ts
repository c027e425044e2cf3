import { expect, test } from "vitest";
import { factsOf, place, promptOf, runPlan, sh } from "./local.ts";

test("hears its needs by name, says that it is done by a file, works in its folder, and is merged in the plan's words", async () => {
  const at = place({ "web/a.txt": "a\n", "a.txt": "a\n" });
  const ran = await runPlan(
    at,
    `merge-message: "Merge task {task}: {title}"
commit-message: "auto: {task}"
defaults: { done-file: .done, retries: 0 }
tasks:
  - { id: look, access: read-only, prompt: "demo: say All is well.\\\\nSummary: nothing found" }
  - { id: build, prompt: "demo: write .done early\\ndemo: run cat .done > seen.txt\\ndemo: commit all\\ndemo: say Built it." }
  - id: join
    title: Join both
    needs: [look, build]
    hears: { title: "Fan-out Summary (Batch 1)", from: { look: researcher, build: code-writer } }
    dir: web
    system-prompt: End with a result.
    prompt: "demo: run pwd > ../where.txt; ls -a > list.txt"
  - { id: lost, needs: [join], dir: nowhere, prompt: "demo: write x.txt x" }
  - { id: vague, prompt: "demo: write y.txt y\\ndemo: forget" }
`,
  );
  const failures = factsOf(ran, "attempt.ended").map(({ attempt, failure }) => [attempt, failure?.detail]);
  expect(Object.fromEntries(failures)).toMatchObject({
    "look/1": undefined,
    "build/1": undefined,
    "join/1": undefined,
    "lost/1": "the base commit has no folder nowhere",
    "vague/1": "the agent did not create its done-file .done",
  });
  expect(promptOf(ran, "join/1")).toContain(
    "Fan-out Summary (Batch 1):\n- researcher: nothing found\n- code-writer: Built it.\n",
  );
  expect(promptOf(ran, "join/1")).toContain("| All is well.");
  expect(promptOf(ran, "join/1")).toContain(
    "### `build`\n\nMerged; these changes are in your worktree: `seen.txt`.\n\n##",
  );
  const branch = `plait/${ran.state.run}/integration`;
  expect(sh(at, `git log --first-parent --format=%s ${branch}`)).toBe(
    "Merge task join: Join both\nMerge task build: build\nstart",
  );
  expect(sh(at, `git log --no-merges --format=%s ${branch}`)).toContain("auto: join\n");
  // The file that says "done" was there, and is in no commit (I8).
  expect(sh(at, `git show ${branch}:seen.txt`)).toBe("early");
  expect(sh(at, `git show ${branch}:where.txt`)).toMatch(/\/join\/web$/);
  expect(sh(at, `git log --format= --name-only ${branch} | sort -u | paste -sd,`)).toBe(
    "a.txt,seen.txt,web/a.txt,web/list.txt,where.txt",
  );
});

test("a done-file that the repository has says nothing, and that it is put aside is no work", async () => {
  const at = place({ ".done": "old\n" });
  const ran = await runPlan(
    at,
    `defaults: { done-file: .done, retries: 0 }
tasks:
  - { id: idle, prompt: "demo: say Nothing to do." }
  - { id: vague, prompt: "demo: write a.txt a\\ndemo: forget" }
  - { id: good, prompt: "demo: write b.txt b" }
`,
  );
  const why = factsOf(ran, "attempt.ended").map(({ attempt, failure }) => [attempt, failure?.reason]);
  expect(Object.fromEntries(why)).toEqual({
    "idle/1": undefined,
    "vague/1": "agent-error",
    "good/1": undefined,
  });
  const changed = factsOf(ran, "attempt.saved").map((fact) => [fact.attempt, fact.changed]);
  expect(Object.fromEntries(changed)).toMatchObject({ "idle/1": false, "good/1": true });
  expect(sh(at, `git diff --name-only main plait/${ran.state.run}/integration`)).toBe("b.txt");
});
