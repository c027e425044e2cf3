// A target that moves while agents run: whoever moved it, no gate and no owner judged what is there. Nothing lands on it before a
// person says so.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  factsOf,
  git,
  journal,
  makeRepo,
  type Place,
  plait,
  runPlan,
  startRun,
  writePlan,
} from "./support.ts";

const subjects = (place: Place): string => git(place, "log", "--format=%s", "main");

describe("a target that moves while an agent runs (I1)", () => {
  test("moved by the agent to a weaker gate: the landing is held, and names the commit and the script", async () => {
    const place = makeRepo();
    const lines = [
      "echo true > check.sh; git add -A; git commit -qm weaker",
      "git update-ref refs/heads/main HEAD",
      "git reset -q --hard HEAD~1",
    ];
    const does = [...lines.map((line) => `run ${line}`), "write own.txt x"];
    addFile(place, "check.sh", "test -e a.txt\n");
    const end = await runPlan(place, writePlan(place, [{ id: "t", does }], { gates: ["sh check.sh"] }));
    expect(end.code).toBe(1);
    expect(factsOf(journal(place), "run.landed")).toEqual([]);
    expect(factsOf(journal(place), "landing.refused")).toMatchObject([{ why: "unexplained" }]);
    const said = (await plait(place, ["status"])).stdout.replaceAll(/\s+/g, " ");
    expect(said).toContain("ain moved while agents were running");
    expect(said).toContain("weaker");
    expect(said).toContain("check.sh (a script that a gate runs)");
    expect(said).toMatch(/plait land \S+ land on top of these commits, after you review them/);
  });

  test("moved by an agent that writes the log like a commit: held, also after a resume, until a person lands it", async () => {
    const place = makeRepo();
    const push = `git commit -qm pushed --allow-empty && git update-ref -m "commit: pushed" refs/heads/main HEAD && git reset -q --hard HEAD~1`;
    const end = await runPlan(
      place,
      writePlan(place, [{ id: "t", does: [`run ${push}`, "write own.txt x"] }]),
    );
    expect(end.code).toBe(1);
    const resumed = await plait(place, ["resume"]);
    expect(resumed.code, resumed.stdout).toBe(1);
    const landed = await plait(place, ["land"]);
    expect(landed.code, landed.stdout + landed.stderr).toBe(0);
    expect(landed.stdout.replaceAll(/\s+/g, " ")).toMatch(
      /main also has 1 commit that the run did not make: "[0-9a-f]+ pushed"/,
    );
    expect(git(place, "show", "main:own.txt")).toBe("x");
  });

  test("an agent that commits in the checkout by mistake is refused and told why", async () => {
    const place = makeRepo();
    const commit = `(cd ${place.repo} && git commit -q --allow-empty -m confused) 2> said.txt || true`;
    const end = await runPlan(place, writePlan(place, [{ id: "t", does: [`run ${commit}`] }]));
    expect(end.code, end.stdout).toBe(0);
    expect(git(place, "show", "main:said.txt")).toContain("plait: this is the user's checkout");
    expect(subjects(place)).not.toContain("confused");
  });

  test("a commit in the checkout that looks like the user's lands, and is named", async () => {
    const place = makeRepo();
    const commit = `cd ${place.repo} && env -i PATH="$PATH" HOME="$HOME" git commit -q --allow-empty -m disguised`;
    const end = await runPlan(
      place,
      writePlan(place, [{ id: "t", does: [`run ${commit}`, "write own.txt x"] }]),
    );
    expect(end.code, end.stdout).toBe(0);
    expect(end.stdout.replaceAll(/\s+/g, " ")).toContain("main also has 1 commit that the run did not make");
  });

  test("the same is held where it changes what a gate runs", async () => {
    const place = makeRepo();
    addFile(place, "check.sh", "test -e a.txt\n");
    const commit = `cd ${place.repo} && echo true > check.sh && env -i PATH="$PATH" HOME="$HOME" git commit -qam disguised`;
    const plan = writePlan(place, [{ id: "t", does: [`run ${commit}`, "write own.txt x"] }], {
      gates: ["sh check.sh"],
    });
    expect((await runPlan(place, plan)).code).toBe(1);
    expect(factsOf(journal(place), "landing.refused")).toMatchObject([{ why: "unexplained" }]);
  });

  test("moved while only the base was checked: a person did, and the run lands on it", async () => {
    const place = makeRepo();
    const gates = [{ name: "slow", run: "sleep 1" }];
    const plan = writePlan(place, [{ id: "t", does: ["write own.txt x"], approve: true }], { gates });
    const run = startRun(place, plan);
    await run.seen(({ type }) => type === "attempt.saved");
    await run.end;
    git(place, "commit", "-q", "--allow-empty", "-m", "mine");
    const landed = await plait(place, ["approve", "t"]);
    expect(landed.code, landed.stdout + landed.stderr).toBe(0);
    expect(subjects(place)).toContain("mine");
  });

  test("moved by another run that landed: it is no surprise", async () => {
    const place = makeRepo();
    const inner = { id: "u", does: ["write other.txt x"] };
    const first = startRun(place, writePlan(place, [{ id: "t", does: ["write own.txt x", "sleep 6s"] }]));
    await first.seen(({ type }) => type === "attempt.spawned");
    const second = await runPlan(place, writePlan(place, [inner]));
    expect(second.code, second.stderr).toBe(0);
    const end = await first.end;
    expect(end.code, end.stdout + end.stderr).toBe(0);
  });
});

function addFile(place: Place, name: string, text: string): void {
  writeFileSync(join(place.repo, name), text);
  git(place, "add", name);
  git(place, "commit", "-qm", `add ${name}`);
}
