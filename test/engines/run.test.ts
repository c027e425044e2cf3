import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runEnd } from "../../src/core/select/run-end.ts";
import { drive, factsOf, place, promptOf, resume, runPlan, sh, start } from "./local.ts";

describe.concurrent("a run", () => {
  test("merges every task, lands them, and leaves nothing behind (I1, I8, I11)", async () => {
    const at = place();
    const ran = await runPlan(
      at,
      `tasks:
  - { id: one, prompt: "demo: write one.txt 1" }
  - { id: two, needs: [one], prompt: "demo: run cat one.txt > two.txt" }
  - { id: three, prompt: "demo: write three.txt 3" }
`,
    );
    expect(ran.outcome).toBe("complete");
    expect(sh(at, "git status --short; git branch --list; cat one.txt two.txt three.txt")).toBe(
      "* main\n1\n1\n3",
    );
    expect(sh(at, "git for-each-ref --format='%(refname)'; git worktree list | wc -l")).toBe(
      "refs/heads/main\n1",
    );
    expect(existsSync(join(at.root, "state/plait/worktrees"))).toBe(true);
    expect(readdirSync(join(at.root, "state/plait/worktrees"))).toEqual([]);
    expect(readdirSync(ran.folder).sort()).toEqual(
      [
        ...["journal.ndjson", "logs", "mark.json", "prompts", "report.json", "report.md"],
        ...["texts", "transcripts"],
      ].sort(),
    );
  });

  test("hands a red gate back to the same worktree, with what it printed (I1)", async () => {
    const at = place();
    const ran = await runPlan(
      at,
      `gates: [{ name: clean, run: "! grep -n BAD work.txt" }]
tasks:
  - id: work
    retries: 0
    fix-rounds: 1
    prompt: |
      demo: on attempt 1: write work.txt BAD
      demo: on attempt 1: write kept.txt from the first
      demo: on attempt 2: write work.txt good
`,
    );
    expect(ran.outcome).toBe("complete");
    expect(factsOf(ran, "attempt.started").map(({ continues }) => continues)).toEqual([null, "work/1"]);
    expect(factsOf(ran, "gate.judged").map(({ verdict }) => verdict)).toEqual(["green", "red", "green"]);
    expect(promptOf(ran, "work/2")).toContain("1:BAD");
    // The try that did not merge stays saved, and the end names it (I8).
    expect(sh(at, "git for-each-ref --format='%(refname)' refs/plait")).toBe(
      `refs/plait/${ran.state.run}/work/1`,
    );
    expect(runEnd(ran.state).earlier).toEqual(["work"]);
    expect(sh(at, "cat work.txt kept.txt")).toBe("good\nfrom the first");
  });

  test("hands a conflict back with both sides in the files, and does not merge one that nobody resolved", async () => {
    const at = place({ "a.txt": "a\n", "same.txt": "old\n" });
    const ran = await runPlan(
      at,
      `tasks:
  - { id: left, priority: 1, prompt: "demo: write same.txt left" }
  - id: right
    retries: 0
    fix-rounds: 2
    prompt: |
      demo: on attempt 1: run until git log --oneline --glob='refs/heads/plait/*/integration' | grep -q left; do sleep 0.05; done
      demo: on attempt 1: write same.txt right
      demo: on attempt 2: run cp same.txt ${at.root}/both.txt
      demo: on attempt 2: write other.txt x
      demo: on attempt 3: write same.txt left and right
`,
    );
    expect(ran.outcome).toBe("complete");
    expect(ran.state.index.plan.tasks).toHaveLength(2);
    expect(factsOf(ran, "candidate.refused").map(({ failure }) => failure.reason)).toEqual(["conflict"]);
    expect(promptOf(ran, "right/2")).toContain("<<<<<<<");
    expect(readFileSync(join(at.root, "both.txt"), "utf8")).toMatch(
      /<<<<<<<.*left.*=======.*right.*>>>>>>>/s,
    );
    const saved = factsOf(ran, "attempt.saved").find(({ attempt }) => attempt === "right/2");
    expect(saved?.findings).toMatchObject([{ kind: "unresolved", path: "same.txt", blocks: true }]);
    expect(promptOf(ran, "right/2")).not.toContain("left conflict markers");
    expect(promptOf(ran, "right/3")).toContain("You left conflict markers in these files:\n\n- `same.txt`");
    expect(sh(at, "cat same.txt other.txt")).toBe("left and right\nx");
  });

  test("of what was chosen and what that needs gives on what a read-only task reports, and merges none of its files", async () => {
    const at = place();
    const ran = await runPlan(
      at,
      `tasks:
  - id: look
    access: read-only
    prompt: |
      demo: write stray.txt x
      demo: say The cart is racy.
  - { id: mend, needs: [look], prompt: "demo: write mend.txt x" }
  - { id: top, needs: [mend], prompt: "demo: write top.txt x" }
  - { id: other, prompt: "demo: write other.txt x" }
`,
      { only: ["top"] },
    );
    expect(ran.outcome).toBe("complete");
    expect(promptOf(ran, "mend/1")).toContain("The cart is racy.");
    expect(sh(at, "git ls-files; ls")).toBe("a.txt\nmend.txt\ntop.txt\na.txt\nmend.txt\ntop.txt");
    expect(factsOf(ran, "attempt.saved")[0]?.findings).toMatchObject([{ kind: "read-only", blocks: false }]);
  });

  test("clears up after set-ups, and tells hooks what happened", async () => {
    const at = place();
    const told = join(at.root, "told.txt");
    const ran = await runPlan(
      at,
      `setup: [echo up >> ${at.root}/setups.txt]
teardown: [echo down $PLAIT_TASK >> ${at.root}/setups.txt]
gates: [{ name: g, run: "true" }]
hooks:
  start: [echo start $PLAIT_HOOK_RUN >> ${told}]
  failed: [echo failed $PLAIT_HOOK_TASK >> ${told}]
  end: ["echo end $PLAIT_HOOK_STATUS >> ${told}; exit 3"]
tasks:
  - { id: good, prompt: "demo: write good.txt x" }
  - { id: bad, retries: 0, prompt: "demo: exit 1" }
`,
    );
    expect(ran.outcome).toBe("incomplete");
    const setups = readFileSync(join(at.root, "setups.txt"), "utf8").trim().split("\n");
    expect(setups.filter((line) => line === "up")).toHaveLength(4); // two attempts, and a gate on the base and on the work
    expect(setups.filter((line) => line !== "up").sort()).toEqual(["down", "down", "down bad", "down good"]);
    expect(readFileSync(told, "utf8")).toBe(`start ${ran.state.run}\nfailed bad\nend not-landed\n`);
    expect(readFileSync(join(ran.folder, "hooks.log"), "utf8")).toContain("end: exit code 3");
  });

  test("holds work that a person must approve, and merges it then", async () => {
    const at = place();
    const held = await runPlan(
      at,
      'tasks:\n  - { id: pay, approve: true, prompt: "demo: write pay.txt x" }\n',
    );
    expect(held.outcome).toBe("held");
    expect(existsSync(join(at.repo, "pay.txt"))).toBe(false);
    const ran = await drive(await resume(at, held, [{ kind: "approve", task: "pay" as never }]));
    expect(ran.outcome).toBe("complete");
    expect(factsOf(ran, "attempt.started")).toHaveLength(1);
    expect(sh(at, "cat pay.txt")).toBe("x");
  });

  test("prepares worktrees, and one folder for all gates of a tree; sets tracked files back between them, and merges nothing that it copied", async () => {
    const at = place();
    writeFileSync(join(at.repo, ".env"), "SETTING=here\n");
    const ran = await runPlan(
      at,
      `copy: [.env]
setup: [echo up >> ${at.root}/setups.txt; echo tool > tool.txt]
teardown: [echo down >> ${at.root}/setups.txt]
gates:
  - { name: first, run: "echo broken > a.txt; test ! -f work.txt || echo broken > work.txt" }
  - { name: second, run: "test $(cat a.txt) = a && ! grep broken work.txt && test -f tool.txt && grep -q here .env" }
  - { name: third, run: "test $(cat a.txt) = a" }
  - { name: web, run: "true", when: ["web/**"] }
tasks:
  - { id: work, prompt: "demo: run cat .env tool.txt > work.txt && rm tool.txt" }
`,
    );
    expect(ran.facts.filter(({ type }) => type === "effect.failed")).toEqual([]);
    expect(ran.outcome).toBe("complete");
    expect(sh(at, "git ls-files; cat work.txt")).toBe("a.txt\nwork.txt\nSETTING=here\ntool");
    const green = ["first ran green", "second ran green", "third ran green"];
    // Of the work, no gate whose files nobody changed is run.
    expect(factsOf(ran, "gate.judged").map(({ name, how, verdict }) => `${name} ${how} ${verdict}`)).toEqual([
      ...[...green, "web ran green"],
      ...[...green, "web unaffected green"],
    ]);
    const setups = readFileSync(join(at.root, "setups.txt"), "utf8").trim().split("\n").sort();
    // The attempt's, and one for the gates of each tree.
    expect(setups).toEqual(["down", "down", "down", "up", "up", "up"]);
  });

  test("keeps values of the plan's variables out of the journal, gives them to programs, and merges no secret (I13)", async () => {
    const at = place();
    const ran = await runPlan(
      at,
      `gates: [{ name: var, run: 'test -n "$GATE_WORD"', env: { GATE_WORD: gate-value-1 } }]
land: partial
tasks:
  - id: work
    env: { API_TOKEN: hunter2-hunter2 }
    prompt: |
      demo: run printf %s "$API_TOKEN" | wc -c > length.txt
      demo: run echo the token is $API_TOKEN
  - { id: leak, retries: 0, env: { API_TOKEN: hunter2-hunter2 }, prompt: "demo: run echo $API_TOKEN > config.txt" }
`,
    );
    expect(ran.outcome).toBe("incomplete");
    expect(sh(at, "git ls-files; cat length.txt").replaceAll(" ", "")).toBe("a.txt\nlength.txt\n15");
    const journal = readFileSync(join(ran.folder, "journal.ndjson"), "utf8");
    expect(journal).not.toMatch(/hunter2|gate-value-1/);
    const logs = ["logs/work.1.log", "transcripts/work.1.ndjson"].map((name) =>
      readFileSync(join(ran.folder, name), "utf8"),
    );
    for (const log of logs) expect(log).not.toContain("hunter2");
    const found = factsOf(ran, "attempt.saved").map(({ attempt, findings }) => [attempt, findings]);
    expect(Object.fromEntries(found)).toMatchObject({
      "work/1": [],
      "leak/1": [{ kind: "secret", path: "config.txt", blocks: true }],
    });
    const built = factsOf(ran, "candidate.built").flatMap(({ tasks }) => tasks.map(({ task }) => task));
    expect(built).toEqual(["work"]);
  });

  test("joins what the user committed meanwhile, gates that, and lands it (I1, I3)", async () => {
    const at = place();
    const ran = await runPlan(
      at,
      `gates: [{ name: all, run: "test -f a.txt" }]
tasks:
  - id: work
    prompt: |
      demo: write work.txt x
      demo: run cd ${at.repo} && echo mine > mine.txt && git add mine.txt && env -u GIT_CONFIG_COUNT git -c user.name=U -c user.email=u@x commit -q -m mine
`,
    );
    expect(ran.outcome).toBe("complete");
    expect(factsOf(ran, "landing.built")).toHaveLength(1);
    expect(factsOf(ran, "gate.judged").at(-1)).toMatchObject({
      verdict: "green",
      asked: [{ kind: "landing" }],
    });
    expect(sh(at, "git status --short; cat mine.txt; ls")).toBe("mine\na.txt\nmine.txt\nwork.txt");
  });

  test("that had merged a task when it was cut off knows it, before anybody cancels that task (I4, I7)", async () => {
    const at = place();
    const run = await start(
      at,
      `tasks:
  - { id: one, prompt: "demo: write one.txt 1" }
  - { id: two, needs: [one], prompt: "demo: write two.txt 2" }
`,
    );
    run.view.subscribe({
      fact: ({ type }) => {
        if (type === "integration.advanced") void run.ask({ kind: "stop", mode: "stop" });
      },
    });
    const ran = await drive(run);
    const journal = join(ran.folder, "journal.ndjson");
    const lines = readFileSync(journal, "utf8").split("\n");
    const cut = lines.findIndex((line) => line.includes('"integration.advanced"'));
    writeFileSync(journal, `${lines.slice(0, cut).join("\n")}\n`); // as if the ref had moved, and then the power went
    const cancelled = resume(at, ran, [{ kind: "cancel", task: "one" as never }]);
    await expect(cancelled).rejects.toThrow("cannot drop `one`: it is merged");
    const again = await drive(await resume(at, ran));
    expect(again.outcome).toBe("complete");
    expect(sh(at, "cat one.txt two.txt")).toBe("1\n2");
  });

  test("that is stopped is saved, and goes on", async () => {
    const at = place();
    const run = await start(
      at,
      `tasks:
  - id: slow
    prompt: |
      demo: write early.txt x
      demo: on attempt 1: hang
`,
    );
    run.view.subscribe({
      activity: ({ action }) => {
        // Said after the file is written; the word about the writing comes before it.
        if (action?.includes("hanging")) void run.ask({ kind: "stop", mode: "stop" });
      },
    });
    const ran = await drive(run);
    expect(ran.outcome).toBe("stopped");
    expect(factsOf(ran, "attempt.ended").map(({ failure }) => failure?.reason)).toEqual(["cancelled"]);
    const ref = factsOf(ran, "attempt.saved")[0]?.ref ?? "";
    expect(sh(at, `git show ${ref}:early.txt`)).toBe("x");
    const again = await drive(await resume(at, ran));
    expect(again.outcome).toBe("complete");
    expect(sh(at, "git status --short; cat early.txt")).toBe("x");
  });
});
