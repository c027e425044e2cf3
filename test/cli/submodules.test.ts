import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { git, makePlace, type Place, plaitIn } from "./place.ts";

/** A repository with a submodule at vendor/lib that has one of its own, and no way to where they came from. */
function withSubmodules(): Place {
  const place = makePlace();
  const folder = join(place.repo, "..");
  const script = `
git init -q -b main inner; cd inner; echo inner > inner.txt; git add .; git commit -qm inner; cd ..
git init -q -b main lib; cd lib; echo 1 > lib.txt; echo '*.log' > .gitignore; git add .
git -c protocol.file.allow=always submodule --quiet add "$PWD/../inner" deep/inner; git commit -qm lib; cd ..
cd repo; git -c protocol.file.allow=always submodule --quiet add "$PWD/../lib" vendor/lib
git -c protocol.file.allow=always submodule --quiet update --init --recursive; git commit -qm submodules; cd ..
rm -rf inner lib`;
  execFileSync("sh", ["-ec", script], { cwd: folder, env: { ...process.env, ...place.env } });
  return place;
}

const planned = (place: Place, text: string) =>
  writeFileSync(join(place.repo, "..", "plan.yaml"), `plait: 1\n${text}`);
const run = (place: Place, ...flags: string[]) =>
  plaitIn(place, "run", "../plan.yaml", "--allow-root", ...flags);

it("worktrees and gate trees have the submodules of the checkout, nested ones too, without a network", async () => {
  const place = withSubmodules();
  planned(
    place,
    `setup: git submodule update --init --recursive
concurrency: 1
gates: [{ name: there, run: "test -z \\"$(git status --porcelain)\\" && cat vendor/lib/lib.txt vendor/lib/deep/inner/inner.txt" }]
tasks:
  - { id: dirty, agent: demo, prompt: "demo: run cat vendor/lib/deep/inner/inner.txt > a.txt; echo x > vendor/lib/left.log; echo y > vendor/lib/left.txt" }
  - { id: clean, needs: [dirty], agent: demo, prompt: "demo: run ls -a vendor/lib > b.txt; git -C vendor/lib status --porcelain >> b.txt" }
`,
  );
  const ran = await run(place);
  expect(`${ran.stdout}${ran.stderr}`).not.toContain("Submodules that are not");
  expect(ran.code).toBe(0);
  expect(readFileSync(join(place.repo, "a.txt"), "utf8")).toBe("inner\n");
  // The slot was used before: nothing of the last task is left in the submodule (I9).
  expect(readFileSync(join(place.repo, "b.txt"), "utf8").split("\n").sort().join(" ").trim()).toBe(
    ". .. .git .gitignore .gitmodules deep lib.txt",
  );
  expect(git(place, "worktree", "list").trim().split("\n")).toHaveLength(1);
  expect(git(place, "status", "--porcelain")).toBe("");
});

it("commits in a submodule are saved in the checkout's own, shown as what they are, and land (I2)", async () => {
  const place = withSubmodules();
  const before = git(place, "-C", "vendor/lib", "rev-parse", "HEAD").trim();
  planned(
    place,
    `gates: [{ name: there, run: "grep -q . vendor/lib/lib.txt" }]
tasks:
  - { id: bump, agent: demo, owns: [other], prompt: "demo: run cd vendor/lib && echo 2 > lib.txt && git commit -qam two" }
  - { id: after, needs: [bump], agent: demo, prompt: "demo: run cp vendor/lib/lib.txt seen.txt" }
`,
  );
  const ran = await run(place);
  expect(ran.code).toBe(0);
  const after = git(place, "rev-parse", "HEAD:vendor/lib").trim();
  expect(after).not.toBe(before);
  expect(readFileSync(join(place.repo, "seen.txt"), "utf8")).toBe("2\n"); // from a worktree of its own (I11)
  const said = `${ran.stdout}${ran.stderr}`.replaceAll(/\s+/g, " ");
  expect(said).toContain(`vendor/lib: submodule ${before.slice(0, 7)} → ${after.slice(0, 7)}`);
  expect(said).toContain("git submodule update");
  git(place, "submodule", "update");
  expect(readFileSync(join(place.repo, "vendor/lib/lib.txt"), "utf8")).toBe("2\n");
  expect(git(place, "status", "--porcelain")).toBe("");
  const left = () => git(place, "-C", "vendor/lib", "for-each-ref", "refs/plait");
  expect(left()).not.toBe("");
  expect((await plaitIn(place, "clean", "--days", "0")).code).toBe(0);
  // I2: main records the commit, and the next checkout in the submodule lets go of it.
  git(place, "-C", "vendor/lib", "checkout", "-q", before);
  expect(git(place, "-C", "vendor/lib", "for-each-ref", `--contains=${after}`)).toMatch(/\/HEAD$/m);
});

it("changes that are not committed in a submodule go back to the agent, and are saved", async () => {
  const place = withSubmodules();
  planned(
    place,
    `tasks: [{ id: edit, agent: demo, retries: 0, fix-rounds: 0, prompt: "demo: write a.txt x\\ndemo: run echo 3 > vendor/lib/lib.txt" }]\n`,
  );
  const ran = await run(place);
  expect(ran.code).toBe(1);
  expect(ran.stdout.replaceAll(/\s+/g, " ")).toContain("left changes uncommitted in a submodule: vendor/lib");
  const ref = git(place, "-C", "vendor/lib", "for-each-ref", "--format=%(refname)", "refs/plait").trim();
  expect(ref).toMatch(/^refs\/plait\/plan-[^/]+\/edit\/1\/files$/);
  expect(git(place, "-C", "vendor/lib", "show", `${ref}:lib.txt`)).toBe("3");
});

it("a recorded commit that the checkout does not have is exit 3 with what to run", async () => {
  const place = withSubmodules();
  const lost = "d".repeat(40);
  git(place, "update-index", "--cacheinfo", `160000,${lost},vendor/lib`);
  git(place, "commit", "-qm", "lost");
  planned(place, `tasks: [{ id: a, agent: demo, prompt: "demo: write a.txt x" }]\n`);
  const ran = await run(place);
  expect(ran.code).toBe(3);
  expect(ran.stderr).toContain("submodule vendor/lib: commit ddddddd is not in your checkout");
  expect(ran.stderr).toContain("git submodule update --init --recursive");
  expect(existsSync(join(place.repo, ".git/plait/runs"))).toBe(false);
  rmSync(join(place.repo, "vendor"), { recursive: true });
});

it("a red base names folders that worktrees lack in sub-packages too, and no submodule; neither is one copied", async () => {
  const place = withSubmodules();
  mkdirSync(join(place.repo, "web/node_modules/x"), { recursive: true });
  writeFileSync(join(place.repo, "web/node_modules/x/index.js"), "");
  writeFileSync(join(place.repo, "web/package.json"), "{}\n");
  git(place, "add", "web/package.json");
  git(place, "commit", "-qm", "web");
  const rest = `gates: ["false"]\ntasks: [{ id: a, agent: demo, prompt: "demo: write a.txt x" }]\n`;
  planned(place, `copy: []\n${rest}`);
  const ran = await run(place);
  expect(ran.code).toBe(3);
  const text = ran.stderr.replaceAll(/\s+/g, " ");
  expect(text).toContain(
    "web/node_modules is in your checkout but not in worktrees. If a gate needs it, set copy: [web/node_modules]",
  );
  expect(text).not.toContain("vendor is in your checkout");
  planned(place, `copy: [vendor, "**/node_modules"]\n${rest}`);
  expect((await run(place)).stderr).not.toContain("not in worktrees");
  const { stdout } = await plaitIn(place, "plan", "../plan.yaml");
  expect(stdout.replaceAll(/\s+/g, " ")).toMatch(
    /\*\*\/node_modules \((?:copied|by reflink)[^)]*\), vendor \(nothing untracked there\)/,
  );
});

it("a red base with an uninitialized submodule: filling it is the first step, and the resume works", async () => {
  const place = withSubmodules();
  git(place, "submodule", "--quiet", "deinit", "--force", "vendor/lib");
  const modules = join(place.repo, ".git/modules");
  rmSync(modules, { recursive: true });
  planned(
    place,
    `gates: [{ name: there, run: "test -f vendor/lib/lib.txt" }]
tasks: [{ id: a, agent: demo, prompt: "demo: write a.txt x" }]
`,
  );
  const ran = await run(place);
  expect(ran.code).toBe(3);
  const said = ran.stdout.replaceAll(/\s+/g, " ");
  expect(said).toMatch(
    /next git submodule update --init --recursive fill the submodule vendor\/lib plait resume \S+ --allow-root check \w+ again plait logs/,
  );
});
