import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { git, makePlace, plaitIn } from "./place.ts";
import { main } from "./plait.ts";
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

it("finished work outlives a red base: clean refuses, and a resume with a repaired setup only checks it (I2, I4)", async () => {
  const place = makePlace();
  const go = join(place.repo, "..", "go");
  const plan = (setup: string) => `plait: 1
${setup}gates: [{ name: tests, run: "while test ! -f ${go}; do sleep 0.1; done; test -f .ready" }]
tasks:
  - { id: b, agent: demo, prompt: "demo: write b.txt x" }
  - { id: go, agent: demo, access: read-only, prompt: "demo: run ${ENDED}; touch ${go}" }
`;
  writeFileSync(join(place.repo, ".git/info/exclude"), ".ready\n");
  const file = join(place.repo, "..", "plan.yaml");
  writeFileSync(file, plan(""));
  expect((await plaitIn(place, "run", "../plan.yaml", "--allow-root")).code).toBe(3);
  const { run } = JSON.parse((await plaitIn(place, "status", "--json")).stdout);
  const cleaned = await plaitIn(place, "clean", run);
  expect(cleaned.stdout + cleaned.stderr).toContain("saved work of 1 task not merged: b");
  expect(git(place, "show", `refs/plait/${run}/b/1:b.txt`)).toContain("x");
  writeFileSync(file, plan("setup: [touch .ready]\n"));
  const resumed = await plaitIn(place, "resume", run, "--json");
  expect(resumed.code, resumed.stderr).toBe(0);
  expect(resumed.stdout).not.toContain('"attempt":"b/2"');
  expect(git(place, "show", "main:b.txt")).toContain("x");
});

const FAILING_SETUP = `plait: 1
setup: "echo no registry >&2; exit 9"
gates: [{ name: tests, run: "true" }]
tasks: [{ id: a, agent: demo, prompt: "demo: write a.txt x" }]
`;

it("a setup that fails on the base commit is not blamed on the gate", async () => {
  const place = makePlace();
  writeFileSync(join(place.repo, "..", "plan.yaml"), FAILING_SETUP);
  const ran = await plaitIn(place, "run", "../plan.yaml", "--allow-root");
  expect(ran.code).toBe(3);
  const said = ran.stdout.replaceAll(/\s+/g, " ");
  expect(said).toMatch(/setup failed on the base commit \w+ \(the setup .*no registry/);
  expect(said).toContain("setup failed on the base commit, 0 of 1 done");
  expect(said).not.toContain("gate tests");
  expect(said).toMatch(/plait resume \S+ --allow-root continue after you edit setup in \.\.\/plan\.yaml or/);
  expect(said).not.toContain("--allow-red-base");
  // The suggested commands work: the output is there, and an edited setup is read again.
  const logged = (await plaitIn(place, "logs")).stdout;
  expect(logged).toMatch(/setup failed on the base commit, the setup .* exited with code 9/);
  expect(logged).toMatch(/^ +no registry\n/m);
  writeFileSync(join(place.repo, "..", "plan.yaml"), FAILING_SETUP.replace("exit 9", "exit 0"));
  expect((await plaitIn(place, "resume", "--allow-root")).code).toBe(0);
});

it("a setup that was typed and fails is suggested with a placeholder", async () => {
  const place = makePlace();
  const typed = ["-p", "demo: write a.txt a", "--setup", "echo broken; exit 3", "--gate", "true"];
  const ran = await plaitIn(place, "run", ...typed, "--agent", "demo", "--allow-root");
  expect(ran.code).toBe(3);
  expect(ran.stdout).toContain("the base, last line of the setup\n  broken\n");
  const { run, next } = JSON.parse((await plaitIn(place, "status", "--json")).stdout);
  expect(next.map((line: string) => line.replace(run, "RUN"))).toEqual([
    "plait logs --run RUN",
    "plait run -p 'demo: write a.txt a' --setup <command> --gate true --agent demo --allow-root",
    "plait resume RUN --allow-root",
  ]);
});

it("shows why a gate is red, not the counters that TAP ends with", async () => {
  const place = makePlace({ "test/a.test.js": "require('leftish');\n", "package.json": "{}\n" });
  const typed = ["-p", "demo: write a.txt a", "--gate", "node --test --test-reporter tap"];
  const ran = await plaitIn(place, "run", ...typed, "--agent", "demo", "--allow-root");
  expect(ran.code).toBe(3);
  expect(ran.stdout).toMatch(/the base, first failure of gate .*\n {2}Error: Cannot find module 'leftish'\n/);
  expect(ran.stdout).not.toContain("duration_ms");
  const logged = (await plaitIn(place, "logs")).stdout;
  expect(logged).toMatch(/^ +# Error: Cannot find module 'leftish'$/m);
});

it("what worktrees lack is the first step, in the end and in the status", async () => {
  const place = makePlace({ ".gitignore": "node_modules/\n", "package.json": "{}\n" });
  mkdirSync(join(place.repo, "node_modules"));
  writeFileSync(join(place.repo, "node_modules", "x.js"), "");
  const typed = ["-p", "demo: write a.txt a", "--no-copy", "--gate", "test -f node_modules/x.js"];
  const ran = await plaitIn(place, "run", ...typed, "--agent", "demo", "--allow-root");
  expect(ran.code).toBe(3);
  const again =
    "plait run -p 'demo: write a.txt a' --gate 'test -f node_modules/x.js' --agent demo --copy node_modules --allow-root";
  const step = `next ${again} start a new run with node_modules in worktrees`;
  expect(ran.stdout.replaceAll(/\s+/g, " ")).toContain(step);
  expect((await plaitIn(place, "status")).stdout.replaceAll(/\s+/g, " ")).toContain(step);
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

it("prompts whose base commit was red are typed again as they were, and the command works", async () => {
  const place = makePlace();
  const prompts = ["-p", "Write a\ndemo: write a.txt it's a", "-p", "demo: write b.txt b"];
  const typed = ["run", ...prompts, "--gate", "test -f fixed", "--agent", "demo", "--allow-root", "--quiet"];
  expect((await plaitIn(place, ...typed)).code).toBe(3);
  const { next } = JSON.parse((await plaitIn(place, "status", "--json")).stdout) as { next: string[] };
  const again = next.find((line) => line.startsWith("plait run ")) ?? "";
  writeFileSync(join(place.repo, "fixed"), "");
  git(place, "add", "fixed");
  git(place, "commit", "-q", "-m", "fixed");
  const resumed = await plaitIn(place, "resume");
  expect(resumed.stderr.replaceAll(/\s+/g, " ")).toContain(
    "--gate 'test -f fixed' --agent demo --quiet --allow-root",
  );
  const { repo: cwd, env } = place;
  const pasted = spawnSync("bash", ["-c", again.replace(/^plait/, `"${process.execPath}" "${main}"`)], {
    cwd,
    env,
  });
  expect(pasted.status, String(pasted.stderr)).toBe(0);
  expect(git(place, "show", "main:a.txt")).toContain("it's a");
  expect(git(place, "show", "main:b.txt")).toContain("b");
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

it("a remembered base check does not cover another environment: a file deep in a copied folder, a variable", async () => {
  const place = makePlace();
  const value = join(place.repo, "node_modules/k/v");
  mkdirSync(join(value, ".."), { recursive: true });
  writeFileSync(value, "ok");
  writeFileSync(join(place.repo, ".gitignore"), "node_modules\n");
  git(place, "add", ".gitignore");
  git(place, "commit", "-qm", "ignore");
  const plan = (id: string) => `plait: 1
copy: [node_modules]
gates: [{ name: tests, run: "test $(cat node_modules/k/v) = ok && test $FOO = ok" }]
tasks: [{ id: ${id}, agent: demo, prompt: "demo: write ${id}.txt x" }]
`;
  const run = async (id: string, env: Record<string, string> = {}) => {
    writeFileSync(join(place.repo, "..", "plan.yaml"), plan(id));
    const own = { ...place, env: { ...place.env, FOO: "ok", TERM: id, SHLVL: id, SSH_TTY: id, ...env } };
    const ran = await plaitIn(own, "run", "../plan.yaml", "--allow-root");
    const said = `${ran.stdout}${ran.stderr}`.replaceAll(/\s+/g, " ");
    return { code: ran.code, isRemembered: said.includes("remembered from"), said };
  };
  expect(await run("a")).toMatchObject({ code: 0, isRemembered: false });
  expect(await run("b")).toMatchObject({ code: 0, isRemembered: true });
  const red = { code: 3, isRemembered: false, said: expect.stringContaining("the base commit is red") };
  expect(await run("c", { FOO: "bad" })).toMatchObject(red);
  writeFileSync(value, "no");
  expect(await run("d")).toMatchObject(red);
  writeFileSync(value, "ok");
  expect(await run("e")).toMatchObject({ code: 0, isRemembered: false });
});

it("a plan whose base commit was red is started again with the flags that were typed", async () => {
  const place = makePlace();
  const plan = `plait: 1\ngates: ["test -f fixed"]\ntasks: [{ id: a, prompt: "demo: write a.txt x" }]\n`;
  writeFileSync(join(place.repo, "..", "plan.yaml"), plan);
  const flags = ["--agent", "demo", "--land", "never"];
  expect((await plaitIn(place, "run", "../plan.yaml", ...flags, "--allow-root")).code).toBe(3);
  const again = "plait run ../plan.yaml --agent demo --land never --allow-root";
  const { next } = JSON.parse((await plaitIn(place, "status", "--json")).stdout);
  expect(next).toContain(again);
  writeFileSync(join(place.repo, "fixed"), "");
  git(place, "add", "fixed");
  git(place, "commit", "-q", "-m", "fixed");
  const resumed = (await plaitIn(place, "resume", "--allow-root")).stderr.replaceAll(/\s+/g, " ");
  expect(resumed).toContain(again);
  expect((await plaitIn(place, ...again.split(" ").slice(1))).code).toBe(0);
});

it("a setup of a configuration file that fails is not looked for in the plan or the flags only", async () => {
  const place = makePlace({ "plait.config.yaml": "prepare: { setup: exit 9 }\n" });
  const plan = `plait: 1\ngates: ["true"]\ntasks: [{ id: a, agent: demo, prompt: "demo: write a.txt x" }]\n`;
  writeFileSync(join(place.repo, "..", "plan.yaml"), plan);
  const ran = await plaitIn(place, "run", "../plan.yaml", "--allow-root");
  expect(ran.code).toBe(3);
  expect(ran.stdout.replaceAll(/\s+/g, " ")).toContain(
    "continue after you edit setup in ../plan.yaml or a configuration file",
  );
  const typed = ["-p", "demo: write a.txt x", "--agent", "demo", "--gate", "true", "--allow-root"];
  const prompts = await plaitIn(place, "run", ...typed);
  expect(prompts.code).toBe(3);
  const said = prompts.stdout.replaceAll(/\s+/g, " ");
  expect(said).toContain("continue after you edit setup in a configuration file");
  expect(said).not.toContain("another setup");
  writeFileSync(join(place.repo, "plait.config.yaml"), "prepare: { setup: exit 0 }\n");
  expect((await plaitIn(place, "resume", "--allow-root")).code).toBe(0);
});
