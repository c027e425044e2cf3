import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { plainText } from "../../src/core/text/sentence.ts";
import { findHooksFolder } from "../../src/git/as-user.ts";
import { changesSince, type Fingerprint, recordFingerprint } from "../../src/git/fingerprint.ts";
import { openRepository, type Repository } from "../../src/git/repository.ts";
import { operationInProgress } from "../../src/git/repository-facts.ts";
import { restoreFile } from "../../src/git/restore.ts";
import { createGit, type GitSpawn } from "../../src/git/run.ts";
import { callShadow, openShadow } from "../../src/git/shadow.ts";
import {
  emptyRepo,
  gitOf,
  opened,
  type Place,
  revision,
  rig,
  sh,
  spawnGit,
  tempFolder,
  tempRepo,
  usersThings,
} from "./support.ts";

const open = (place: Place, folder = place.repo) => openRepository(gitOf(place), folder);

async function refusalOf(place: Place, folder = place.repo) {
  const answer = await open(place, folder);
  if (answer.ok) throw new Error("it was opened");
  return { ...answer.refusal, hint: plainText(answer.refusal.hint) };
}

describe("a repository as plait finds it", () => {
  test("from the root, from below, from a linked worktree: one common dir", async () => {
    const place = tempRepo();
    sh(place, "git worktree add -q -b side ../linked");
    const main = await opened(place);
    expect(main).toMatchObject({
      commonDir: join(place.repo, ".git"),
      gitDir: join(place.repo, ".git"),
      workTree: place.repo,
      head: { kind: "branch", ref: "refs/heads/main", at: revision(place, "main") },
      objectFormat: "sha1",
      refStorage: "files",
      identity: { name: "User", email: "user@example.com" },
      version: { major: 2 },
      isShallow: false,
      hasSubmodules: false,
      largeFiles: "none",
      ignoresCase: false,
    });
    const below = await open(place, join(place.repo, "dir"));
    expect(below).toMatchObject({ ok: true, repository: { workTree: place.repo } });
    const linked = await open(place, join(place.root, "linked"));
    expect(linked).toMatchObject({
      ok: true,
      repository: {
        commonDir: main.commonDir,
        workTree: join(place.root, "linked"),
        head: { ref: "refs/heads/side" },
      },
    });
  });

  test("a detached HEAD and a bare repository are told", async () => {
    const place = tempRepo();
    sh(place, "git clone -q --bare . ../bare.git; git switch -q --detach");
    expect((await opened(place)).head).toEqual({ kind: "detached", at: revision(place, "HEAD") });
    expect((await opened({ ...place, repo: join(place.root, "bare.git") })).workTree).toBeNull();
  });

  test("without an identity there is one of plait's own", async () => {
    const place = tempRepo();
    sh(place, "rm ~/.gitconfig; git config user.name Half");
    expect((await opened(place)).identity).toEqual({ name: "plait", email: "plait@localhost" });
  });

  test("opening changes nothing (I3)", async () => {
    const place = tempRepo();
    sh(place, "touch a.txt"); // a plain `git status` would rewrite the index now
    const before = usersThings(place);
    await opened(place);
    expect(usersThings(place)).toEqual(before);
    expect(readdirSync(join(place.repo, ".git"))).not.toContain("plait");
  });

  test.each([
    [
      "merge",
      "git switch -q -c o; echo o > a.txt; git commit -qam o; git switch -q main; git merge -q --no-ff --no-commit o",
    ],
    ["bisect", "git bisect start -q"],
    [
      "rebase",
      "git commit -q --allow-empty -m 2; GIT_SEQUENCE_EDITOR='sed -i 1s/pick/edit/' git rebase -q -i HEAD~1 2>/dev/null",
    ],
  ])("a %s under way is seen", async (operation, script) => {
    const place = tempRepo();
    expect(await operationInProgress(join(place.repo, ".git"))).toBeNull();
    sh(place, script);
    expect(await operationInProgress(join(place.repo, ".git"))).toBe(operation);
  });
});

describe("refused early, in words, with what to type", () => {
  test("no repository", async () => {
    const place = tempRepo();
    expect(await refusalOf(place, tempFolder())).toMatchObject({
      reason: "not-a-repository",
      hint: expect.stringMatching(/git init/),
    });
  });

  test("no commit yet", async () => {
    expect(await refusalOf(emptyRepo())).toMatchObject({
      reason: "unborn",
      hint: expect.stringMatching(/git commit/),
    });
  });

  test("a branch named plait, under which no branch of ours could be", async () => {
    const place = tempRepo();
    sh(place, "git branch plait");
    expect(await refusalOf(place)).toMatchObject({
      reason: "branch-named-plait",
      hint: expect.stringMatching(/git branch -m/),
    });
  });

  test("a mirror, whose next fetch deletes refs that are not upstream", async () => {
    const place = tempRepo();
    sh(place, "git clone -q --mirror . ../mirror.git");
    const mirror = { ...place, repo: join(place.root, "mirror.git") };
    expect(await refusalOf(mirror)).toMatchObject({ reason: "mirror" });
    sh(place, "git remote add --mirror=push backup ../elsewhere");
    expect(await open(place)).toMatchObject({ ok: true });
  });

  test("a git that is too old, and none at all", async () => {
    const place = tempRepo();
    const old: GitSpawn = async () => ({
      code: 0,
      signal: null,
      stdout: Buffer.from("git version 2.37.9\n"),
      stderr: Buffer.alloc(0),
    });
    const answer = await openRepository(createGit({ spawn: old, env: {} }), place.repo);
    expect(answer).toMatchObject({
      ok: false,
      refusal: { reason: "old-git", message: "git 2.37 is too old: plait needs 2.38 or newer" },
    });
    const none = await openRepository(
      createGit({ spawn: spawnGit, env: { PATH: "/nonexistent" } }),
      place.repo,
    );
    expect(none).toMatchObject({ ok: false, refusal: { reason: "no-git" } });
  });

  test("Git LFS without its program", async () => {
    const place = tempRepo({ ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n", a: "a\n" });
    expect((await opened(place)).largeFiles).toBe("none"); // not configured: pointers are plain files
    sh(place, "git config filter.lfs.required true; git config filter.lfs.process 'git-lfs filter-process'");
    expect(await refusalOf(place)).toMatchObject({ reason: "no-lfs" });
  });

  test("a repository that cannot be written", async () => {
    const place = tempRepo();
    const asUser = process.getuid?.() === 0;
    if (asUser) sh(place, "chown -R 65534 ..; chmod 755 ..");
    chmodSync(join(place.repo, ".git"), 0o555);
    if (asUser) process.seteuid?.(65534); // root may write everywhere
    try {
      expect(await refusalOf(place)).toMatchObject({
        reason: "read-only",
        message: expect.stringMatching(/EACCES/),
      });
    } finally {
      if (asUser) process.seteuid?.(0);
      chmodSync(join(place.repo, ".git"), 0o755);
    }
  });
});

describe("the shadow", () => {
  test("is the user's configuration frozen at the start, without what runs code", async () => {
    const place = tempRepo();
    sh(
      place,
      "git config core.autocrlf input; git config core.hooksPath x; git config core.fsmonitor y; git config filter.f.clean cat; git config hook.h.command z; git config --file ~/.gitconfig --add core.eol lf",
    );
    const { shadow, runDir } = await rig(place);
    sh(place, "git config core.autocrlf true; git config filter.planted.clean evil");
    const again = await openShadow(await opened(place), runDir);
    expect(again.dir).toBe(shadow.dir);
    const ask = async (key: string) =>
      (await callShadow(again, { args: ["config", "--get", key], allow: [1] })).stdout.toString().trim();
    expect(await ask("core.autocrlf")).toBe("input");
    expect(await ask("filter.f.clean")).toBe("cat");
    expect(await ask("filter.planted.clean")).toBe("");
    expect(await ask("core.eol")).toBe("lf"); // the user's own file is read as it is
    expect(sh(place, `grep -c -e hookspath -e fsmonitor -e 'hook ' '${shadow.dir}/config' || true`)).toBe(
      "0",
    );
  });

  test("includes that depend on the repository's place go on working", async () => {
    const place = tempRepo();
    sh(
      place,
      `printf '[includeIf "gitdir:${place.repo}/"]\\n\\tpath = ~/extra\\n' >> ~/.gitconfig; printf '[core]\\n\\teol = crlf\\n' > ~/extra`,
    );
    const { shadow } = await rig(place);
    expect(
      (await callShadow(shadow, { args: ["config", "--get", "core.eol"] })).stdout.toString().trim(),
    ).toBe("crlf");
  });
});

describe("the fingerprint tells what was planted", () => {
  const since = async (repository: Repository, fingerprint: Fingerprint) =>
    changesSince({ repository, hooks: await findHooksFolder(repository), dir: "/none" }, { fingerprint });

  test.each([
    ["a hook", "mkdir -p .git/hooks; echo x > .git/hooks/pre-commit", ".git/hooks/pre-commit", "added"],
    ["config", "git config core.fsmonitor x", ".git/config", "changed"],
    [
      "attributes",
      "mkdir -p .git/info; echo '* filter=x' > .git/info/attributes",
      ".git/info/attributes",
      "added",
    ],
    [
      "alternates",
      "mkdir -p .git/objects/info; echo /x > .git/objects/info/alternates",
      ".git/objects/info/alternates",
      "added",
    ],
    [
      "a replaced commit",
      "git replace HEAD $(git commit-tree -m x HEAD^{tree})",
      expect.stringMatching(/refs\/replace/),
      "added",
    ],
    ["a hook made executable", "chmod +x .git/hooks/old", ".git/hooks/old", "changed"],
    ["a hook removed", "rm .git/hooks/old", ".git/hooks/old", "removed"],
  ])("%s", async (_what, script, file, change) => {
    const place = tempRepo();
    sh(place, "mkdir -p .git/hooks; printf '#!/bin/sh\\n' > .git/hooks/old");
    const repository = await opened(place);
    const keptIn = join(place.root, "kept");
    const before = await recordFingerprint(repository, keptIn);
    expect(await since(repository, before)).toEqual([]);
    sh(place, script);
    const [found, ...others] = await since(repository, before);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ change, file: typeof file === "string" ? join(place.repo, file) : file });
    if (found === undefined) throw new Error("nothing changed");
    const options = { keptIn, force: false, dryRun: false };
    expect(await restoreFile({ ...found, weight: "runs", says: [] }, options)).toEqual({ kind: "restored" });
    expect(await since(repository, before)).toEqual([]);
  });

  test.each(["~/hooks", "tools/hooks"])("a hook put where the user keeps them, %s", async (folder) => {
    const place = tempRepo();
    sh(place, `git config core.hooksPath '${folder}'; mkdir -p ~/hooks tools/hooks`);
    const repository = await opened(place);
    const before = await recordFingerprint(repository, join(place.root, "kept"));
    const file = join(
      folder.startsWith("~") ? join(place.root, "home/hooks") : join(place.repo, folder),
      "x",
    );
    writeFileSync(file, "");
    expect(await since(repository, before)).toMatchObject([{ file }]);
  });

  test("the user's own config file is watched too, an ordinary commit is not noticed", async () => {
    const place = tempRepo();
    const repository = await opened(place);
    const before = await recordFingerprint(repository, join(place.root, "kept"));
    sh(place, "git commit -q --allow-empty -m x; git switch -q -c y; git tag z");
    expect(await since(repository, before)).toEqual([]);
    sh(place, "git config --global core.fsmonitor x");
    expect(await since(repository, before)).toMatchObject([{ file: join(place.root, "home/.gitconfig") }]);
  });
});
