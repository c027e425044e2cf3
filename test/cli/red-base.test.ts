import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { git, makePlace, plaitIn } from "./place.ts";
import { begin } from "./run-place.ts";

/** The work of b is saved before the gate speaks. */
const ENDED = "until git for-each-ref 'refs/plait/*/b/1' | grep -q .; do sleep 0.05; done";

const PLAN = `plait: 1
gates: [{ name: tests, run: "while test ! -f $GO; do sleep 0.1; done; echo no tests here; test -f a.txt -o -f b.txt" }]
tasks:
  - { id: a, agent: demo, prompt: "demo: write a.txt x\\ndemo: run test -f $GO || { $ENDED; touch $GO; sleep 20; }" }
  - { id: b, agent: demo, prompt: "demo: write b.txt x" }
`;

it("a gate that is red on the base stops the run with exit 3, its output and what may be missing (I1, I2)", async () => {
  const place = makePlace();
  mkdirSync(join(place.repo, "node_modules"));
  // The agents are at work when the gate speaks: it waits for one of them.
  const go = join(place.repo, "..", "go");
  const { close } = await begin(place, PLAN.replaceAll("$GO", go).replace("$ENDED", ENDED)); // writes the plan beside the repository
  await close();
  const before = git(place, "for-each-ref", "refs/heads");
  const ran = await plaitIn(place, "run", "../plan.yaml", "--allow-root", "--json");
  expect(ran.code).toBe(3);
  expect(ran.stdout).toContain('"because":"red-base"');
  expect(ran.stdout).not.toContain('"type":"integration.advanced"');
  const [, run] = /"run":"([^"]+)"/.exec(ran.stdout) ?? [];
  const shown = await plaitIn(place, "status", run as string);
  const said = shown.stdout.replaceAll(/\s+/g, " ");
  expect(said).toContain("✗ not landed: the base commit is red, ended");
  // An attempt that had finished waits for the resume: no gate runs on its work.
  expect(shown.stdout).not.toContain("checking");
  const { tasks } = JSON.parse((await plaitIn(place, "status", run as string, "--json")).stdout);
  expect(tasks).toContainEqual(
    expect.objectContaining({ task: "b", status: "stopped", actor: "later", note: "continues on resume" }),
  );
  expect((await plaitIn(place, "logs", "b", "--run", run as string)).stdout).toMatch(/^◦ b #1 {2}stopped/);
  expect((await plaitIn(place, "report", run as string)).stdout).toContain("| `b` | stopped | 1 |");
  expect(git(place, "for-each-ref", "refs/heads")).toBe(before);
  // Everything that the agents left is saved.
  expect(git(place, "show", `refs/plait/${run}/a/1:a.txt`)).toContain("x");
  expect(git(place, "show", `refs/plait/${run}/b/1:b.txt`)).toContain("x");
  // It continues there, and only the unfinished work starts another attempt.
  const allowed = await plaitIn(place, "resume", run as string, "--allow-red-base", "--json");
  expect(allowed.code).toBe(0);
  expect(allowed.stdout).toContain('"attempt":"a/2"');
  expect(allowed.stdout).toContain('"continues":"a/1"');
  expect(allowed.stdout).not.toContain('"attempt":"b/2","base"');
  // It repairs nothing, so it is not a fix.
  const continued = await plaitIn(place, "logs", "a", "--run", run as string, "--attempt", "2");
  expect(continued.stdout).toMatch(/^✓ a #2 {2}merged, demo/);
});

it("a setup that fails is named as the reason why the base commit is red", async () => {
  const place = makePlace();
  writeFileSync(
    join(place.repo, "..", "plan.yaml"),
    `plait: 1
setup: "echo no registry >&2; exit 9"
gates: [{ name: tests, run: "true" }]
tasks: [{ id: a, agent: demo, prompt: "demo: write a.txt x" }]
`,
  );
  const ran = await plaitIn(place, "run", "../plan.yaml", "--allow-root");
  expect(ran.code).toBe(3);
  const said = ran.stdout.replaceAll(/\s+/g, " ");
  expect(said).toMatch(/gate tests is red on the base commit \w+ \(the setup .*no registry/);
});

it("says the same with or without a terminal, and offers to continue", async () => {
  const place = makePlace();
  mkdirSync(join(place.repo, "node_modules"));
  writeFileSync(join(place.repo, "node_modules", "x.js"), "");
  writeFileSync(
    join(place.repo, "..", "plan.yaml"),
    `plait: 1
gates: [{ name: tests, run: "echo no tests here; exit 5" }]
tasks: [{ id: a, agent: demo, prompt: "demo: run sleep 20" }]
`,
  );
  const ran = await plaitIn(place, "run", "../plan.yaml", "--allow-root");
  expect(ran.code).toBe(3);
  expect(ran.stdout).toContain("the base, last line of gate tests\n  no tests here\n");
  const said = ran.stdout.replaceAll(/\s+/g, " ");
  expect(said).toMatch(
    /gate tests is red on the base commit \w+ \(exit code 5[^)]*\); running agents were interrupted and their work is saved/,
  );
  expect(said).toMatch(/--allow-red-base( --allow-root)? continue on a red base commit/);
  expect(ran.stderr).toContain("node_modules is in your checkout but not in worktrees");
  expect(said).toContain("plait run ../plan.yaml --allow-root start a new run from the commit that fixes it");
  const old = git(place, "rev-parse", "--short", "main");
  git(place, "commit", "-q", "--allow-empty", "-m", "fixed");
  const now = git(place, "rev-parse", "--short", "main");
  const resumed = await plaitIn(place, "resume", "--allow-root");
  expect(resumed.code).toBe(3);
  expect(resumed.stderr).toMatch(
    new RegExp(
      `main is now at ${now}; \\S+ keeps its base commit ${old}. To start from ${now}: plait run ../plan.yaml`,
    ),
  );
  // The base commit was red and is as it was: no agent starts before its check is green.
  expect(resumed.stdout).toContain("red on the base");
  // The end, the status and the report show the same times, however often it is resumed.
  const time = (text: string) => / a +\S+ +1 +(\d:\d\d) /.exec(text)?.[1];
  const shown = (await plaitIn(place, "status")).stdout;
  expect(time(shown)).toBe(time(resumed.stdout));
  const reported = (await plaitIn(place, "report")).stdout;
  expect(reported).toContain(`| \`a\` | stopped | 1 | ${time(shown)} |`);
});

it("a base that was green is not gated again by the next run, until --recheck or clean says so", async () => {
  const place = makePlace();
  const count = join(place.repo, "..", "count");
  const counted = () => (existsSync(count) ? readFileSync(count, "utf8").length : 0);
  const plan = (id: string) => `plait: 1
gates: [{ name: tests, run: "printf . >> ${count}" }]
tasks: [{ id: ${id}, agent: demo, prompt: "demo: write ${id}.txt x" }]
`;
  const run = async (id: string, ...flags: string[]) => {
    writeFileSync(join(place.repo, "..", "plan.yaml"), plan(id));
    const before = counted();
    const ran = await plaitIn(place, "run", "../plan.yaml", "--allow-root", ...flags);
    expect(ran.code).toBe(0);
    return { gates: counted() - before, said: `${ran.stdout}${ran.stderr}`.replaceAll(/\s+/g, " ") };
  };
  expect((await run("a")).gates).toBe(2); // the base, and the work; merged and landed it is the same tree
  const again = await run("b"); // its base is what has just landed
  expect(again.gates).toBe(1);
  expect(again.said).toMatch(/gate tests .*remembered from \d{4}-\d\d-\d\d \d\d:\d\d/);
  expect((await run("c", "--recheck")).gates).toBe(2);
  expect((await plaitIn(place, "clean")).code).toBe(0);
  expect((await run("d")).gates).toBe(2);
});
