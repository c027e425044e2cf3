import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { taskState } from "../../src/core/run-tasks.ts";
import { drive, factsOf, place, type Ran, resume, runPlan, sh } from "./local.ts";

const right = "right" as never;

/** Two tasks that write the same file, and one that needs both. */
const CONFLICT = `gates: [{ name: whole, run: "! grep -q BROKEN same.txt" }]
tasks:
  - { id: left, priority: 1, prompt: "demo: write same.txt left" }
  - id: right
    retries: 0
    fix-rounds: 0
    prompt: |
      demo: run until git log --oneline --glob='refs/heads/plait/*/integration' | grep -q left; do sleep 0.05; done
      demo: write same.txt right
  - { id: after, needs: [left, right], prompt: "demo: run cat same.txt > after.txt" }
`;

const openIn = ({ state }: Ran) => {
  const { open } = taskState(state, 1);
  if (open?.worktree == null) throw new Error("not open");
  return { ...open, worktree: open.worktree };
};

describe.concurrent("a task that a person takes over", () => {
  test("has both sides in its files, and what they hand in goes on to its dependents (I1, I2, I8, I11)", async () => {
    const at = place({ "same.txt": "old\n" });
    const failed = await runPlan(at, CONFLICT);
    expect(failed.outcome).toBe("incomplete");
    // As `plait open` does where nobody drives the run: nothing else goes on.
    const quiet = { kind: "stop", mode: "drain" } as const;
    const held = await drive(await resume(at, failed, [quiet, { kind: "open", task: right }]));
    expect(held.outcome).toBe("held");
    const { worktree, conflicts } = openIn(held);
    expect(conflicts).toEqual(["same.txt"]);
    expect(readFileSync(join(worktree, "same.txt"), "utf8")).toMatch(
      /<<<<<<<.*left.*=======.*right.*>>>>>>>/s,
    );
    expect(sh(at, `git -C ${worktree} branch --show-current`)).toBe(`plait/${held.state.run}/tasks/right/2`);

    // Handed in as it is: the conflict is found, and they have it again, in the same folder.
    writeFileSync(join(worktree, "ignored.log"), "kept");
    const again = await drive(await resume(at, held, [{ kind: "accept", task: right }]));
    expect(again.outcome).toBe("held");
    expect(openIn(again).worktree).toBe(worktree);
    expect(readFileSync(join(worktree, "ignored.log"), "utf8")).toBe("kept");

    sh(at, `cd ${worktree}; rm ignored.log; echo both > same.txt; git add -A; git commit -qm mine`);
    const ran = await drive(await resume(at, again, [{ kind: "accept", task: right }]));
    expect(ran.outcome).toBe("complete");
    expect(factsOf(ran, "attempt.started").filter(({ author }) => author === "person")).toHaveLength(2);
    expect(sh(at, "cat same.txt after.txt; git log -2 --format=%s%b | grep -o 'Task: .*'")).toBe(
      "both\nboth\nTask: after\nTask: right",
    );
    expect(existsSync(worktree)).toBe(false);
    expect(sh(at, "git worktree list | wc -l; git branch --list 'plait/*'")).toBe("1");
  });

  test("is saved when they give it up, and skipped for (I2, I8)", async () => {
    const at = place({ "same.txt": "old\n" });
    const failed = await runPlan(at, CONFLICT);
    const quiet = { kind: "stop", mode: "drain" } as const;
    const held = await drive(await resume(at, failed, [quiet, { kind: "open", task: right }]));
    const { worktree } = openIn(held);
    writeFileSync(join(worktree, "mine.txt"), "precious");
    const dropped = await drive(await resume(at, held, [quiet, { kind: "cancel", task: right }]));
    expect(dropped.outcome).toBe("incomplete");
    expect(dropped.state.indices.phases).toMatchObject({ merged: 1, cancelled: 1, skipped: 1 });
    expect(existsSync(worktree)).toBe(false);
    expect(sh(at, `git show refs/plait/${held.state.run}/right/2:mine.txt`)).toBe("precious");
  });
});
