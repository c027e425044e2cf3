import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { formatConfig, parseConfig } from "../../src/git/config.ts";
import { agentGitEnvironment, gitEnvironment } from "../../src/git/environment.ts";
import { GitError, type GitFailureReason, reasonOf } from "../../src/git/failure.ts";
import { rawFields, rawInput, shown, toRaw } from "../../src/git/raw-path.ts";
import { createGit, type GitSpawn, textOf } from "../../src/git/run.ts";
import { createGitSpawn } from "../../src/process/git-spawn.ts";
import { createMutex } from "../../src/util/mutex.ts";
import { gitOf, sh, spawnGit, tempFolder, tempRepo } from "./support.ts";

async function failureOf(work: Promise<unknown>): Promise<GitError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof GitError)) throw new Error(`no GitError: ${error}`);
  return error;
}

describe("the environment is built, not inherited", () => {
  test("whatever redirects git is dropped, what says where the user's set-up is stays", () => {
    const inherited = {
      PATH: "/bin",
      LANGUAGE: "de",
      GIT_DIR: "/x",
      GIT_INDEX_FILE: "/y",
      GIT_AUTHOR_NAME: "somebody",
      GIT_TRACE: "1",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_GLOBAL: "/home/x/.gitconfig",
      GIT_SSH_COMMAND: "ssh -i key",
    };
    expect(gitEnvironment(inherited)).toEqual({
      PATH: "/bin",
      GIT_CONFIG_GLOBAL: "/home/x/.gitconfig",
      GIT_SSH_COMMAND: "ssh -i key",
      LC_ALL: "C",
      GIT_OPTIONAL_LOCKS: "0",
      GIT_TERMINAL_PROMPT: "0",
      GIT_ASKPASS: "true",
      SSH_ASKPASS: "true",
      GIT_EDITOR: "true",
      GIT_PAGER: "cat",
      GIT_NO_REPLACE_OBJECTS: "1",
      GIT_LITERAL_PATHSPECS: "1",
    });
  });

  test("started from a hook, plait still works on the repository that it was told", async () => {
    const [here, other] = [tempRepo(), tempRepo({ "other.txt": "o\n" })];
    const inherited = { ...here.env, GIT_DIR: join(other.repo, ".git"), GIT_INDEX_FILE: "/nowhere" };
    const git = createGit({ spawn: spawnGit, env: inherited });
    expect(textOf(await git({ args: ["ls-files", "-z", "--", "other.txt"], cwd: here.repo }))).toBe("");
  });

  test("an agent's git logs every ref it moves and never collects garbage", () => {
    expect(agentGitEnvironment("/x")).toMatchObject({
      GIT_CONFIG_COUNT: "4",
      GIT_CONFIG_KEY_0: "core.logAllRefUpdates",
      GIT_CONFIG_VALUE_3: "/x",
    });
  });
});

describe("failures are typed", () => {
  const texts: [GitFailureReason, string, number][] = [
    ["not-a-repository", "fatal: not a git repository (or any of the parent directories): .git", 128],
    ["not-a-repository", "fatal: detected dubious ownership in repository at '/x'", 128],
    ["lock-contention", "fatal: Unable to create '/r/.git/index.lock': File exists.", 128],
    [
      "lock-contention",
      "fatal: cannot lock ref 'refs/heads/x': Unable to create '/r/.git/refs/heads/x.lock': File exists.",
      128,
    ],
    ["lock-contention", "fatal: failed to read .git/worktrees/w1/commondir: Success", 128],
    [
      "conflict",
      `fatal: update_ref failed for ref 'x': cannot lock ref 'x': is at ${"a".repeat(40)} but expected ${"b".repeat(40)}`,
      128,
    ],
    ["conflict", "fatal: cannot lock ref 'x': reference already exists", 128],
    ["not-found", "fatal: cannot lock ref 'x': unable to resolve reference 'x'", 128],
    ["not-found", "fatal: ambiguous argument 'x': unknown revision or path not in the working tree.", 128],
    ["no-space", "error: unable to write file x: No space left on device", 128],
    ["no-space", "fatal: Unable to create '/r/.git/index.lock': No space left on device", 128],
    ["read-only", "fatal: Unable to create '/r/.git/index.lock': Read-only file system", 128],
    ["corrupt", "error: object file .git/objects/aa/bb is empty", 128],
    ["corrupt", `fatal: missing blob object '${"a".repeat(40)}'`, 128],
    ["old-git", "git: 'lfs' is not a git command. See 'git --help'.", 1],
    ["old-git", "error: unknown option `write-tree'", 129],
    ["other", "something else", 1],
  ];
  test.each(texts)("%s: %s", (reason, stderr, code) => {
    expect(reasonOf(stderr, code)).toBe(reason);
  });

  test("stderr is kept, allowed codes are answers", async () => {
    const place = tempRepo();
    const git = gitOf(place);
    const error = await failureOf(git({ args: ["rev-parse", "--verify", "nothing"], cwd: place.repo }));
    expect(error.failure).toMatchObject({
      code: 128,
      args: ["rev-parse", "--verify", "nothing"],
      stderr: expect.stringMatching(/Needed a single revision/),
    });
    expect(
      await git({ args: ["rev-parse", "--verify", "-q", "nothing"], cwd: place.repo, allow: [1] }),
    ).toMatchObject({ code: 1 });
  });

  test("no git, and no folder to run it in, are told apart", async () => {
    const folder = tempFolder();
    const git = createGit({ spawn: spawnGit, env: { PATH: "/nonexistent" } });
    expect((await failureOf(git({ args: ["version"], cwd: folder }))).code).toBe("no-git");
    expect((await failureOf(gitOf(tempRepo())({ args: ["version"], cwd: join(folder, "gone") }))).code).toBe(
      "other",
    );
  });
});

describe("another try is only for locks", () => {
  /** A git that answers what it is told to, in turn. */
  function scripted(answers: readonly string[]) {
    const calls: string[][] = [];
    const spawn: GitSpawn = async ({ argv }) => {
      const isVersion = argv.includes("version");
      if (!isVersion) calls.push([...argv]);
      const stderr = isVersion ? "" : (answers[calls.length - 1] ?? "");
      const stdout = Buffer.from(isVersion ? "git version 2.39.5\n" : "");
      return { code: stderr === "" ? 0 : 128, signal: null, stdout, stderr: Buffer.from(stderr) };
    };
    return { git: createGit({ spawn, env: {}, retryAfterMs: [1, 1] }), calls };
  }
  const locked = "fatal: Unable to create '/r/.git/refs/heads/x.lock': File exists.";

  test("a lock that is let go in time goes unnoticed", async () => {
    const { git, calls } = scripted([locked, locked]);
    expect(await git({ args: ["gc"], cwd: "/" })).toMatchObject({ code: 0 });
    expect(calls).toHaveLength(3);
  });

  test("one that is not ends in a failure, after a bounded number of tries", async () => {
    const { git, calls } = scripted([locked, locked, locked, locked]);
    expect((await failureOf(git({ args: ["gc"], cwd: "/" }))).code).toBe("lock-contention");
    expect(calls).toHaveLength(3);
  });

  test("anything else is not tried again", async () => {
    const { git, calls } = scripted(["fatal: No space left on device"]);
    expect((await failureOf(git({ args: ["gc"], cwd: "/" }))).code).toBe("no-space");
    expect(calls).toHaveLength(1);
  });

  test("a real lock: update-ref waits for it", async () => {
    const place = tempRepo();
    const lock = join(place.repo, ".git/refs/heads/x.lock");
    writeFileSync(lock, "");
    setTimeout(() => sh(place, "rm .git/refs/heads/x.lock"), 150);
    await gitOf(place)({ args: ["update-ref", "refs/heads/x", "HEAD"], cwd: place.repo });
    expect(sh(place, "git rev-parse x")).toBe(sh(place, "git rev-parse HEAD"));
  });
});

describe("nothing of the user's or an agent's runs in our calls", () => {
  test("hooks, fsmonitor and signing are off", async () => {
    const place = tempRepo();
    sh(
      place,
      "mkdir -p .git/hooks; printf '#!/bin/sh\\ntouch ../ran\\n' > .git/hooks/reference-transaction; cp .git/hooks/reference-transaction .git/hooks/post-index-change; chmod +x .git/hooks/*; git config core.fsmonitor ../fsm",
    );
    const git = gitOf(place);
    await git({ args: ["update-ref", "refs/heads/x", "HEAD"], cwd: place.repo });
    await git({ args: ["read-tree", "HEAD"], cwd: place.repo });
    expect(sh(place, "ls ..")).not.toMatch(/ran/);
    await git({ args: ["update-ref", "refs/heads/y", "HEAD"], cwd: place.repo, asUser: true });
    expect(sh(place, "ls ..")).toMatch(/ran/); // the same with the user's hooks on: the test can fail
  });

  test("git 2.54 is told the name of every hook in the config, because it knows no other way", async () => {
    const seen: string[][] = [];
    const spawn: GitSpawn = async ({ argv }) => {
      seen.push([...argv]);
      const text = argv.includes("version")
        ? "git version 2.54.1\n"
        : argv.includes("config")
          ? "hook.my.lint.command\nhook.my.lint.event\nhook.x.event\n"
          : "";
      return { code: 0, signal: null, stdout: Buffer.from(text), stderr: Buffer.alloc(0) };
    };
    await createGit({ spawn, env: {} })({ args: ["gc"], cwd: "/" });
    expect(seen.at(-1)).toEqual(
      expect.arrayContaining(["hook.my.lint.enabled=false", "hook.x.enabled=false"]),
    );
  });
});

describe("small things", () => {
  test("a config that is written reads back the same", () => {
    const place = tempRepo();
    const entries = [
      { key: "core.x", value: 'a "b" \\c\n\td; # e' },
      { key: 'filter.with.dots and "quotes" \\.clean', value: " lead and trail " },
      { key: "section.flag", value: null },
      { key: "section.empty", value: "" },
    ];
    writeFileSync(join(place.root, "config"), formatConfig(entries));
    const listed = sh(place, "git config -f ../config -z --list --show-scope | od -An -v -tx1");
    const read = parseConfig(Buffer.from(listed.replaceAll(/\s/g, ""), "hex"));
    expect(read.map(({ key, value }) => ({ key, value }))).toEqual(entries);
  });

  test("paths keep their bytes, and are shown as far as they are text", () => {
    const bytes = Buffer.from([0x61, 0xff, 0x0a, 0xc3, 0xa4]);
    const [path] = rawFields(Buffer.concat([bytes, Buffer.from([0])]));
    expect(rawInput([path!])).toEqual(Buffer.concat([bytes, Buffer.from([0])]));
    expect(shown(path!)).toBe("a\\xff\n\\xc3\\xa4");
    expect(shown(toRaw("ä/ö"))).toBe("ä/ö");
  });

  test("a mutex lets one in at a time, in order, also after a failure", async () => {
    const mutex = createMutex();
    const log: string[] = [];
    const work = (name: string, fail = false) =>
      mutex(async () => {
        log.push(`+${name}`);
        await new Promise((resolve) => setTimeout(resolve, 2));
        log.push(`-${name}`);
        if (fail) throw new Error(name);
      });
    const results = await Promise.allSettled([work("a"), work("b", true), work("c")]);
    expect(log).toEqual(["+a", "-a", "+b", "-b", "+c", "-c"]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  test("a program that prints more than the cap is killed, and says so", async () => {
    const spawn = createGitSpawn({ maxOutputBytes: 1000 });
    const { PATH = "" } = process.env;
    const env = { PATH };
    const end = await spawn({ argv: ["sh", "-c", "while :; do echo y; done"], cwd: "/", env });
    expect(end).toMatchObject({ code: null, signal: "SIGKILL" });
    expect(end.stderr.toString()).toMatch(/more than 1000 bytes/);
    const input = await spawn({ argv: ["cat"], cwd: "/", env, stdin: "hello" });
    expect(input.stdout.toString()).toBe("hello");
    expect(await spawn({ argv: ["true"], cwd: "/", env, stdin: "x".repeat(500_000) })).toMatchObject({
      code: 0,
    });
    expect((await spawn({ argv: ["cat"], cwd: "/", env })).stdout).toHaveLength(0); // its input is closed
  });
});
