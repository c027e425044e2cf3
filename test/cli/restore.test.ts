// Tools that agents run change what all worktrees share: husky sets core.hooksPath, others a name. Such a run lands, under the
// hooks of its start, tells what is other now, and gives it back.

import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it, test } from "vitest";
import type { Finding } from "../../src/core/facts.ts";
import { asked } from "./asked.ts";
import { git, makePlace, type Place } from "./place.ts";
import { plait, type Run } from "./plait.ts";
import { begin, finish } from "./run-place.ts";

const husky = "git config core.hooksPath .husky/_ && mkdir -p .husky/_ && echo '*' > .husky/_/.gitignore";

const plan = (tasks: Readonly<Record<string, string>>): string =>
  `plait: 1
name: tools
defaults: { agent: demo, retries: 0, fix-rounds: 0 }
tasks:
${Object.entries(tasks)
  .map(
    ([id, line]) =>
      `  - id: ${id}\n    prompt: |\n      demo: run ${line}\n      demo: write src/${id}.txt x\n`,
  )
  .join("")}`;

function hook(folder: string, name: string, line: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${line}\n`);
  chmodSync(join(folder, name), 0o755);
}

const configOf = ({ repo }: Place): string => readFileSync(join(repo, ".git/config"), "utf8");

describe("a run whose tools set hooks and a name", () => {
  let place: Place;
  let ended: Run;
  let run: string;
  let before: string;
  const look = (...args: string[]): Promise<Run> => asked(args, { cwd: place.repo, env: place.env });
  const sign = (name: string): string => join(place.repo, "..", name);

  beforeAll(() => {
    place = makePlace({ "src/a.txt": "a\n", ".gitignore": ".husky/_\n" });
    hook(join(place.repo, ".git/hooks"), "post-merge", `touch ${sign("own")}`);
    hook(join(place.repo, ".husky/_"), "post-merge", `touch ${sign("hooks")}`);
    before = configOf(place);
    writeFileSync(
      join(place.repo, "../plan.yaml"),
      // Both write the same file, which git locks.
      plan({
        one: husky,
        two: `${husky}; until git config user.email agent@example.com; do sleep 0.05; done`,
      }),
    );
    ended = plait(["run", "../plan.yaml", "-j", "2"], { cwd: place.repo, env: place.env });
    run = /(\S+) landed on /.exec(ended.stdout)?.[1] ?? "";
  });

  it("lands, under the hooks that were there when it started", () => {
    expect(ended).toMatchObject({ code: 0 });
    expect(existsSync(sign("own"))).toBe(true);
    expect(existsSync(sign("hooks"))).toBe(false);
  });

  it("says what is other now, at its end, in its status and in its report", async () => {
    expect(ended.stdout).toMatch(/^changed .git\/config: .*core\.hookspath = \.husky\/_.*, during the run$/m);
    expect(ended.stdout).toContain(`plait restore ${run}`);
    const says = expect.arrayContaining(["core.hookspath = .husky/_", "user.email = agent@example.com"]);
    const { changed } = JSON.parse((await look("status", "--json")).stdout);
    expect(changed).toEqual([{ file: join(place.repo, ".git/config"), says }]);
    const { needsYou, tasks } = JSON.parse((await look("report", "--format", "json")).stdout);
    expect(needsYou).toMatchObject([{ kind: "hooks", steps: [{ command: `plait restore ${run}` }] }]);
    const found: Finding[] = tasks.flatMap((task: { attempts: { findings: Finding[] }[] }) =>
      task.attempts.flatMap(({ findings }) => findings),
    );
    // Of one of the two, or of both: nobody knows which of them it was.
    expect(new Set(found.map(({ kind, blocks }) => `${kind} ${blocks}`))).toEqual(new Set(["planted false"]));
  });

  it("leaves all as it is with --dry-run, and where somebody went on with the file", async () => {
    const changed = configOf(place);
    expect((await look("restore", "--dry-run")).stdout).toContain(
      `would restore ${place.repo}/.git/config\n`,
    );
    expect(configOf(place)).toBe(changed);
    git(place, "config", "branch.main.description", "mine");
    const { code, stdout } = await look("restore");
    expect(code).toBe(1);
    expect(stdout).toContain("not restored: it changed again after the run ended");
    expect(stdout).toContain(`plait restore ${run} --force`);
    expect(configOf(place)).toContain("description = mine");
  });

  it("gives back what was there, and keeps what it replaces", async () => {
    const { code, stdout } = await look("restore", run, "--force", "--json");
    expect(code).toBe(0);
    const { restored, left, keptIn } = JSON.parse(stdout);
    expect([restored.length, left]).toEqual([1, []]);
    expect(configOf(place)).toBe(before);
    expect(execFileSync("grep", ["-rl", "description = mine", keptIn]).toString()).not.toBe("");
    expect((await look("status")).stdout).not.toContain("restore");
    expect((await look("restore", run)).stdout).toContain("nothing to restore");
    expect(await look("restore")).toMatchObject({ code: 2 });
  });
});

it("does not let hooks land together with the setting that runs them", async () => {
  const place = makePlace();
  const evil = "mkdir .hooks && echo x > .hooks/post-merge && chmod +x .hooks/post-merge";
  const run = await finish(place, plan({ evil: `${evil} && git config core.hooksPath .hooks` }));
  const { needsYou } = JSON.parse(
    (await asked(["report", run, "--format", "json"], { cwd: place.repo, env: place.env })).stdout,
  );
  expect(needsYou.map(({ kind }: { kind: string }) => kind)).toEqual(["failed", "hooks", "hooks"]);
});

it("an edit of info/exclude does not stop a landing; one of attributes does, and names the file and the ways out", async () => {
  const place = makePlace();
  const write = (name: string, text: string) => {
    mkdirSync(join(place.repo, ".git/info"), { recursive: true });
    writeFileSync(join(place.repo, ".git/info", name), text);
  };
  writeFileSync(join(place.repo, "../plan.yaml"), plan({ one: "true" }));
  const look = (...args: string[]): Promise<Run> => asked(args, { cwd: place.repo, env: place.env });
  const never = await look("run", "../plan.yaml", "--land", "never");
  expect(never.code, never.stdout + never.stderr).toBe(0);
  write("attributes", "*.txt text\n");
  const refused = await look("land");
  const [, run = ""] = /plait restore ([\w-]+)/.exec(refused.stdout) ?? [];
  const text = refused.stdout.replaceAll(/\s+/g, " ");
  expect(refused.code).toBe(1);
  expect(text).toContain("/.git/info/attributes (added)");
  expect(text).toContain(`git merge plait/${run}/integration`);
  expect(text).toMatch(/next plait restore \S+ restore hooks and git config plait land/);
  expect((await look("restore", run)).code).toBe(0);
  expect(existsSync(join(place.repo, ".git/info/attributes"))).toBe(false);
  write("exclude", "/notes\n");
  const landed = await look("land");
  expect(landed.code, landed.stdout + landed.stderr).toBe(0);
  expect(git(place, "show", "main:src/one.txt")).toBe("x");
});

it("asks to be meant where a run was cut off, and refuses while one is driven", async () => {
  const place = makePlace();
  const run = await begin(place, plan({ one: "true" }));
  const look = (...args: string[]): Promise<Run> => asked(args, { cwd: place.repo, env: place.env });
  expect(plait(["restore", run.view.run], { cwd: place.repo, env: place.env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("is running"),
  });
  const before = configOf(place);
  git(place, "config", "core.hooksPath", ".husky/_");
  await run.close();
  expect(await look("restore", run.view.run)).toMatchObject({ code: 1 });
  expect(await look("restore", run.view.run, "--force")).toMatchObject({ code: 0 });
  expect(configOf(place)).toBe(before);
});

it("restores nothing from a copy that was changed", async () => {
  const place = makePlace();
  const tamper = "for f in $(git rev-parse --git-common-dir)/plait/runs/*/start/*; do echo '[x]' >> $f; done";
  const run = await finish(place, plan({ one: `git config core.pager evil && ${tamper}` }));
  const changed = configOf(place);
  const refused = await asked(["restore", run], { cwd: place.repo, env: place.env });
  expect(refused.code).toBe(1);
  expect(refused.stdout + refused.stderr).toContain("its copy was changed after the run started");
  expect(configOf(place)).toBe(changed);
});

/** Unpacked by `.ci/run`, or of the machine. */
const unpacked = fileURLToPath(new URL("../../.agents/lfs/usr/bin", import.meta.url));
const PATH = [unpacked, process.env["PATH"] ?? ""].join(delimiter);
const hasLfs = spawnSync("git", ["lfs", "version"], { env: { ...process.env, PATH } }).status === 0;

test.skipIf(!hasLfs)(
  "Git LFS works in worktrees, saves and landings, also where an agent installs it (needs git-lfs on PATH)",
  async () => {
    const made = makePlace({ ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n" });
    const place = { ...made, env: { ...made.env, PATH } };
    git(place, "lfs", "install", "--local");
    writeFileSync(join(place.repo, "x.bin"), "data\n");
    git(place, "add", "-A");
    git(place, "commit", "-qm", "large");
    const line = "grep -qx data x.bin && echo more > y.bin && git lfs install && git lfs track '*.dat'";
    await finish(place, plan({ large: line }));
    expect(git(place, "show", "HEAD:y.bin")).toMatch(/^version https:\/\/git-lfs/);
    expect(readFileSync(join(place.repo, "y.bin"), "utf8")).toBe("more\n");
    expect(git(place, "status", "--porcelain")).toBe("");
  },
  60_000,
);

describe("what a person changes while a run is stopped", () => {
  const stopped = async (change: string) => {
    const place = makePlace();
    const flag = join(place.repo, "../ready");
    const run = await finish(
      place,
      `plait: 1\nname: tools\ndefaults: { retries: 0 }\ntasks:\n  - id: one\n    command: test -e ${flag} && echo x > one.txt\n`,
    );
    execFileSync("sh", ["-c", change], { cwd: place.repo });
    writeFileSync(flag, "");
    const options = { cwd: place.repo, env: place.env };
    const resumed = plait(["resume", run, "--allow-root"], options);
    const status = JSON.parse((await asked(["status", run, "--json"], options)).stdout);
    return { resumed, changed: status.changed as { file: string }[] };
  };

  it("is not reported as changed during the run", async () => {
    const { resumed, changed } = await stopped("git config submodule.vendor/lib.active true");
    expect(resumed).toMatchObject({ code: 0 });
    expect(resumed.stdout).not.toContain("restore");
    expect(changed).toEqual([]);
  });

  it("is reported where git would run it", async () => {
    const { resumed } = await stopped("git config core.fsmonitor ./watch");
    expect(resumed.code).toBe(1);
    expect(resumed.stdout).toContain("plait restore");
  });
});
