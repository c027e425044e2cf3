import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Place, sh, writeFiles } from "../git/support.ts";
import { until } from "../process/support.ts";
import { asked } from "./asked.ts";
import { main } from "./plait.ts";
import { scriptedShop as shop } from "./scripted-shop.ts";

const go = ({ repo, env }: Place, ...args: readonly string[]) =>
  asked(["spec", "go", ...args, "--agent", "demo"], { cwd: repo, env });

const SPEC = "TS-0001-shop.md";
const FOLDER = "parallel/TS-0001-shop";
const statuses = ({ repo }: Place) =>
  ["draft", "approved", "reference"].filter((status) => existsSync(join(repo, "tech-specs", status, SPEC)));
const talks = ({ repo }: Place) => readdirSync(join(repo, ".git/plait/spec")).length;

test("killed while it drafts, designs or runs, the same command continues, to the end (I3, I4)", async () => {
  const waitAt = (root: string, name: string) =>
    `demo: run touch ${root}/${name}; while [ ! -e ${root}/${name}.go ]; do sleep 0.02; done`;
  const place = shop((root) => ({
    draft: `${waitAt(root, "draft")}\ndemo: answer spec.json`,
    design: `${waitAt(root, "design")}\ndemo: answer design.json`,
    task: waitAt(root, "task"),
  }));
  sh(place, "echo staged > yours.txt; git add yours.txt; echo more >> yours.txt");
  const mine = () => sh(place, "git status --porcelain yours.txt; cat yours.txt; git show :yours.txt");
  const before = mine();
  const killAt = async (name: string) => {
    const { repo, root, env } = place;
    const args = [main, "spec", "go", "docs/prd.md", "--agent", "demo", "--yes", "--land", "never"];
    const child = spawn(process.execPath, args, { cwd: repo, env, stdio: "ignore" });
    const ended = once(child, "close");
    await until(() => existsSync(join(root, name)));
    child.kill("SIGKILL");
    await ended;
    writeFileSync(join(root, `${name}.go`), "");
  };
  await killAt("draft");
  expect(statuses(place)).toEqual([]);
  await killAt("design");
  expect([statuses(place), existsSync(join(place.repo, FOLDER))]).toEqual([["approved"], false]);
  await killAt("task");
  expect(sh(place, "git log -1 --format=%s").trim()).toBe("TS-0001: plan");
  const unlanded = JSON.parse((await go(place, "docs/prd.md", "--yes", "--json")).stdout);
  const { run } = unlanded;
  expect(unlanded).toMatchObject({
    ...{
      exit: 1,
      landed: false,
      folder: FOLDER,
      integration: { v: 1 },
      next: ["plait spec go TS-0001 --agent demo"],
    },
    problem: { message: `${run} has not landed`, hint: `land the run, then continue: plait land ${run}` },
  });
  expect(await asked(["land", run], { cwd: place.repo, env: place.env })).toMatchObject({ code: 0 });
  const done = await go(place, "docs/prd.md", "--yes");
  expect([done.code, done.stdout]).toEqual([0, expect.stringContaining("TS-0001: landed and integrated")]);
  expect(statuses(place)).toEqual(["reference"]);
  // Once more for the draft and the design that were killed; a run is resumed, not started again.
  expect([talks(place), readdirSync(join(place.repo, ".git/plait/runs")).length]).toEqual([4, 1]);
  expect(sh(place, "git log -1 --format=%s").trim()).toBe("TS-0001: integrated");
  expect(sh(place, "git ls-files src tech-specs").trim().split("\n")).toEqual([
    ...["src/app.py", "src/part1.py", "src/part2.py", `tech-specs/reference/${SPEC}`],
  ]);
  expect(mine()).toBe(before);
  const head = sh(place, "git rev-parse HEAD");
  const again = JSON.parse((await go(place, "TS-0001", "--json")).stdout);
  expect([sh(place, "git rev-parse HEAD"), sh(place, `git status --porcelain ${FOLDER}`)]).toEqual([
    head,
    "",
  ]);
  expect(again).toMatchObject({ ok: true, exit: 0, spec: { status: "reference" }, next: [] });
  // In a clone there is neither a journal nor, as a rule, prompts: commits say that it is built.
  const approve = () =>
    asked(["spec", "status", "1", "--set", "approved"], { cwd: place.repo, env: place.env });
  await approve();
  sh(place, `rm -r .git/plait/runs ${FOLDER}/prompts; git add -A; git commit -qm cloned`);
  const cloned = JSON.parse((await go(place, "TS-0001", "--yes", "--json")).stdout);
  expect(cloned).toMatchObject({ exit: 0, run: null, landed: true, spec: { status: "reference" } });
  expect(existsSync(join(place.repo, ".git/plait/runs"))).toBe(false);
  // Not of tasks that were changed since.
  await approve();
  sh(place, `for task in ${FOLDER}/tasks/*; do echo more >> $task; done; git add -A; git commit -qm changed`);
  const changed = JSON.parse((await go(place, "TS-0001", "--json")).stdout);
  expect(changed).toMatchObject({ exit: 2, landed: false, problem: { hint: "approve the plan: --yes" } });
  expect(existsSync(join(place.repo, FOLDER, "prompts/task-001.txt"))).toBe(true);
});

test("a design that was fixed is taken with its errors, and a squash by hand is a landing", async () => {
  const place = shop();
  const beside = [`${FOLDER}.design.json`, `${FOLDER}.errors.txt`];
  sh(place, `mkdir parallel; cp design.json ${beside[0]}; echo wrong > ${beside[1]}`);
  const unlanded = JSON.parse((await go(place, "docs/prd.md", "--yes", "--json", "--land", "never")).stdout);
  expect(unlanded).toMatchObject({ exit: 1, landed: false });
  expect(beside.filter((path) => existsSync(join(place.repo, path)))).toEqual([]);
  sh(place, `git stash -q; git merge -q --squash plait/${unlanded.run}/integration; git commit -q --no-edit`);
  const done = JSON.parse((await go(place, "TS-0001", "--yes", "--json")).stdout);
  expect(done).toMatchObject({ exit: 0, landed: true, spec: { status: "reference" } });
});

test("without a terminal it stops at each question, keeps what there is and says how to continue", async () => {
  const place = shop();
  const first = await go(place, "docs/prd.md", "--name", "shop");
  expect([first.code, first.stderr]).toEqual([
    2,
    expect.stringMatching(/draft\/TS-0001-shop\.md is not approved/),
  ]);
  expect(first.stdout).toContain("## Open questions");
  expect(first.stderr).toContain("next  plait spec go TS-0001 --agent demo --name shop\n");
  expect(await go(place, "docs/prd.md")).toMatchObject({ code: 2 });
  expect([statuses(place), talks(place)]).toEqual([["draft"], 1]);
  await asked(["spec", "status", "1", "--set", "approved"], { cwd: place.repo, env: place.env });
  const second = JSON.parse((await go(place, "docs/prd.md", "--json")).stdout);
  expect(second).toMatchObject({
    ...{ ok: false, exit: 2, spec: { id: "TS-0001", status: "approved" }, folder: null, run: null },
    ...{ kept: [`${FOLDER}.design.json`], next: ["plait spec go TS-0001 --agent demo --yes"] },
  });
  // Nothing is asked for again that is there.
  expect(await go(place, "TS-0001")).toMatchObject({ code: 2, stdout: expect.stringContaining("2 tasks") });
  expect([talks(place), sh(place, "git log --format=%s").trim()]).toEqual([2, "start\nstart"]);
});

test("what cannot be built is refused before anything is asked for or written", async () => {
  const place = shop();
  const refused = async (words: readonly string[], message: string | RegExp) =>
    expect(await go(place, ...words)).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
  await refused(["docs/prdd.md"], "docs/prdd.md does not exist");
  await refused(["shop"], "too short for a description");
  await refused(["TS-0007"], "unknown tech spec TS-0007");
  writeFiles(place.repo, { "docs/empty.md": " \n" });
  await refused(["docs/empty.md"], "docs/empty.md is empty");
  await asked(["spec", "new", "Reports"], { cwd: place.repo, env: place.env });
  await refused(["TS-0001", "--yes"], /TS-0001-reports\.md:\d+:\d+: error\[tech-spec-unfinished\]/);
  sh(place, "rm -r tech-specs docs/empty.md");
  const text = "---\ntech_spec_id: TS-0002\ntitle: Shop\nstatus: APPROVED\n---\ndemo: answer design.json\n";
  writeFiles(place.repo, { "tech-specs/approved/TS-0002-shop.md": text });
  sh(place, "git add -A; echo more >> tech-specs/approved/TS-0002-shop.md");
  await refused(["2", "--yes"], "staged, and changed again since: tech-specs/approved/TS-0002-shop.md");
  sh(place, "git commit -qam spec; git checkout -q --detach");
  await refused(["2", "--yes"], "no branch is checked out");
  expect([existsSync(join(place.repo, ".git/plait")), existsSync(join(place.repo, "parallel"))]).toEqual([
    false,
    false,
  ]);
});
