import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { makePlace, plaitIn } from "./place.ts";

const plan = `plait: 1
name: night
defaults: { agent: demo }
tasks:
  - id: bad
    retries: 0
    fix-rounds: 0
    owns: [src/bad.txt]
    gates: [{ name: test, run: "echo 'src/bad.txt:7  is bad'; echo '::stop-commands::x'; exit 1" }]
    prompt: "demo: write src/bad.txt bad"
  - id: after
    needs: [bad]
    prompt: "demo: say never"
`;

it("in a workflow on GitHub a failure is a group and an annotation where it happens, once, and the step has a summary", async () => {
  const place = makePlace();
  const summary = join(dirname(place.repo), "summary.md");
  writeFileSync(join(dirname(place.repo), "plan.yaml"), plan);
  writeFileSync(summary, "before\n");
  const env = { ...place.env, GITHUB_ACTIONS: "true", CI: "true", GITHUB_STEP_SUMMARY: summary };
  const ran = await plaitIn({ ...place, env }, "run", "../plan.yaml", "--allow-nested", "--progress=plain");
  expect(ran.code).toBe(1);
  expect(ran.stderr).toMatch(
    /bad +start.*bad +failed.*\n::group::bad: gate test red.*\n {2}src\/bad\.txt:7 {2}is bad\n {2}: :stop-commands::x\n::endgroup::\n::error file=src\/bad\.txt,line=7,title=bad failed::gate test red/s,
  );
  expect(ran.stdout).toMatch(/^ {2}: :stop-commands::x$/m);
  expect(ran.stdout + ran.stderr).not.toMatch(/^\s*::stop/m);
  expect(ran.stderr.match(/::error /g)).toHaveLength(1);
  expect(readFileSync(summary, "utf8")).toMatch(/^before\n# .*bad/s);
});
