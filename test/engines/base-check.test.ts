import { describe, expect, test } from "vitest";
import { drive, factsOf, place, resume, runPlan, sh } from "./local.ts";

const TASK = `tasks:
  - id: work
    retries: 0
    fix-rounds: 0
    prompt: "demo: write work.txt 1"
`;

describe.concurrent("the base of a run", () => {
  test("that a gate finds red stops it and its agents, and leaves no branch (I1, I8)", async () => {
    const at = place();
    const ran = await runPlan(
      at,
      `gates: [{ name: there, run: "echo looking; test -f there.txt" }, "true"]
tasks: [{ id: work, retries: 0, prompt: "demo: run sleep 30" }]
`,
    );
    expect(ran.outcome).toBe("red-base");
    expect(factsOf(ran, "attempt.ended").map(({ failure }) => failure)).toMatchObject([
      { reason: "cancelled", because: "red-base" },
    ]);
    expect(factsOf(ran, "gate.judged").map(({ name, verdict }) => `${name} ${verdict}`)).toEqual([
      "there red",
      "true green",
    ]);
    expect(sh(at, "git for-each-ref --format='%(refname)' refs/heads; git worktree list | wc -l")).toBe(
      "refs/heads/main\n1",
    );
    // What made it red was outside of git: it is asked again.
    const again = await drive(await resume(at, ran));
    expect(again.outcome).toBe("red-base");
    expect(factsOf(again, "gate.judged")).toHaveLength(3);
  });

  test("that is red may be what the task mends", async () => {
    const at = place();
    const plan = `gates: ["test -f work.txt"]\n${TASK}`;
    const ran = await runPlan(at, plan, { policy: { redBase: "allow" } });
    expect(ran.outcome).toBe("complete");
    expect(factsOf(ran, "gate.judged").map(({ verdict }) => verdict)).toEqual(["red", "green"]);
  });

  test("tells a gate that is known to be red what is new", async () => {
    // Every line of red.txt is a check that fails.
    const gate = `{ name: checks, known-red: true, run: "echo 1..$(wc -l < red.txt); sed 's/^/not ok 1 - /' red.txt; grep -q hangs red.txt && kill -9 $$; exit 1" }`;
    const at = place({ "red.txt": "old one\nold two\n" });
    const ran = await runPlan(
      at,
      `gates: [${gate}]
tasks:
  - { id: fine, prompt: "demo: write red.txt old two" }
  - { id: worse, needs: [fine], retries: 0, fix-rounds: 0, prompt: "demo: write red.txt brand new" }
  - { id: dies, needs: [fine], retries: 0, fix-rounds: 0, prompt: "demo: run printf 'old two\\\\nhangs\\\\n' > red.txt" }
`,
    );
    expect(ran.outcome).toBe("incomplete");
    const judged = factsOf(ran, "gate.judged").map(
      ({ verdict, how, summary }) => `${verdict} ${how} ${summary}`,
    );
    expect(judged).toEqual([
      expect.stringMatching(/^red ran exit code 1/),
      "green no-new-failures 1 of its checks fail, all known red",
      expect.stringMatching(/^red ran /),
      expect.stringMatching(/^red ran /),
    ]);
    expect(judged).toContain("red ran 1 of its checks fail and are not known red: brand new");
    // One that is killed says nothing about the checks that it did not come to.
    expect(judged.some((text) => text.includes("SIGKILL"))).toBe(true);
    expect(ran.state.indices.phases).toMatchObject({ merged: 1, failed: 2 });
  });

  test("tells it from JUnit files too, and cannot tell where nothing is reported", async () => {
    const at = place({ "red.txt": "old\n" });
    const junit = `{ name: junit, known-red: true, results: out/r.xml, run: "mkdir -p out; { echo '<testsuite>'; sed 's|.*|<testcase name=\\"&\\"><failure/></testcase>|' red.txt; echo '</testsuite>'; } > out/r.xml; exit 1" }`;
    const silent = `{ name: silent, known-red: true, run: "exit 3" }`;
    const ran = await runPlan(at, `gates: [${junit}, ${silent}]\n${TASK}`);
    expect(ran.outcome).toBe("complete");
    const judged = factsOf(ran, "gate.judged").map(({ name, verdict, how }) => `${name} ${verdict} ${how}`);
    expect(judged).toEqual([
      "junit red ran",
      "silent red ran",
      "junit green no-new-failures",
      "silent green no-new-failures",
    ]);
  });
});
