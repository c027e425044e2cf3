import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { earlierRun } from "../../src/app/unfinished.ts";
import { drive, factsOf, type Place, place, resume, runPlan, sh } from "./local.ts";

const PLAN = `tasks:
  - { id: a, retries: 0, prompt: "demo: on attempt 1: exit 1\\ndemo: write a.txt a" }
`;

test("an earlier run of a plan is known by where the plan lies and by what it was to land", async () => {
  const at = place();
  const ran = await runPlan(at, PLAN, { policy: { land: "partial" } });
  const { plan } = ran.state.index;
  expect(await earlierRun(at.host, plan)).toMatchObject({
    kind: "same",
    found: { known: { run: ran.state.run } },
  });
  const elsewhere = { ...plan, source: { ...plan.source, absolute: "/elsewhere/plan.yaml" } };
  expect(await earlierRun(at.host, elsewhere)).toEqual({ kind: "none" });

  const other = place();
  const never = await runPlan(other, PLAN, { policy: { land: "never" } });
  expect(await earlierRun(other.host, never.state.index.plan)).toEqual({ kind: "none" });
});

test("who goes on with a run goes on with the program that stood for Claude", async () => {
  const at = place();
  const program = join(at.root, "stand-in");
  writeFileSync(program, "#!/bin/sh\ncat > /dev/null\ntest -e ../ready || exit 1\necho x > made.txt\n");
  chmodSync(program, 0o755);
  const standIn: Place = { ...at, host: { ...at.host, claude: program } };
  const plan = `tasks: [{ id: a, retries: 0, prompt: x }]\n`;
  const ran = await runPlan(standIn, plan, { agent: "claude" });
  expect(ran.outcome).toBe("incomplete");
  writeFileSync(program, "#!/bin/sh\ncat > /dev/null\necho x > made.txt\n");
  const again = await drive(await resume(at, ran));
  expect(factsOf(again, "attempt.ended").map(({ failure }) => failure?.reason)).toEqual([
    expect.any(String),
    undefined,
  ]);
  expect([again.outcome, sh(at, "cat made.txt")]).toEqual(["complete", "x"]);
});
