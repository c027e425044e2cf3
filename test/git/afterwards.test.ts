import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { refName } from "../../src/core/ids.ts";
import { cleanRefs, cleanRunFolder, removeStaleLocks } from "../../src/git/clean.ts";
import { agentGitEnvironment } from "../../src/git/environment.ts";
import { hidePaths } from "../../src/git/excludes.ts";
import { startIntegration } from "../../src/git/ref-updates.ts";
import { parseSavedRef, repositoryFolder, savedRef } from "../../src/git/refs.ts";
import { listSaved, restoreSaved } from "../../src/git/save.ts";
import { AT, attempted, pathsOf, save } from "./saving.ts";
import { attempt, filesAt, isPrivate, rig, run, SOME_FILES, sh, tempRepo, usersThings } from "./support.ts";

describe("names in git", () => {
  test("a saved ref says whose it is, and nothing else passes for one", () => {
    expect(parseSavedRef(savedRef(run("r-1.x"), attempt("T_a.b", 12)))).toEqual({
      run: "r-1.x",
      attempt: "T_a.b/12",
    });
    for (const ref of [
      "refs/plait/r/t/1-live",
      "refs/plait/r/t/1-tmp/0/HEAD",
      "refs/plait/r/t",
      "refs/heads/plait/r/t/1",
      "refs/plait/../t/1",
    ]) {
      expect(parseSavedRef(ref), ref).toBeNull();
    }
  });

  test("each repository has a folder of its own among the worktrees", () => {
    expect(repositoryFolder("/home/u/my repo/.git")).toMatch(/^my_repo-[0-9a-f]{8}$/);
    expect(repositoryFolder("/home/u/x.git")).toMatch(/^x-[0-9a-f]{8}$/);
    expect(repositoryFolder("/a/x/.git")).not.toBe(repositoryFolder("/b/x/.git"));
  });
});

describe("saved work", () => {
  test("is listed, and restored as a branch without touching anything else (I2, I3)", async () => {
    const it = await attempted("echo n > n.txt");
    expect(await listSaved(it.repository)).toEqual([
      {
        run: "r1",
        attempt: "t1/1",
        ref: it.saved.ref,
        saved: it.saved.saved,
        result: it.saved.result.commit,
        at: AT,
      },
    ]);
    expect(await listSaved(it.repository, run("other"))).toEqual([]);
    const before = usersThings(it.place);
    expect(await restoreSaved(it.repository, it.saved.ref, "rescued")).toMatchObject({
      kind: "restored",
      at: it.saved.result.commit,
    });
    expect(filesAt(it.place, "rescued")).toEqual({ ...SOME_FILES, "n.txt": "n\n" });
    const { "refs/heads/rescued": _, "logs/refs/heads/rescued": _l, ...after } = usersThings(it.place);
    expect(after).toEqual(before);
    expect(await restoreSaved(it.repository, it.saved.ref, "main")).toMatchObject({ kind: "taken" });
    expect(await restoreSaved(it.repository, refName("refs/plait/r1/t9/1"), "x")).toMatchObject({
      kind: "unknown",
    });
  });
});

describe("the end of a run (I8)", () => {
  async function twoAttempts() {
    const it = await attempted("echo n > n.txt");
    await startIntegration(it.repository, it.run, it.base.commit);
    const failed = await it.pool.acquire(attempt("t2"), it.base);
    await save(it, failed, attempt("t2"));
    sh(
      it.place,
      `git update-ref refs/plait/r1/t1/1-live HEAD; git update-ref refs/plait/r1/t1/1-tmp/0/HEAD HEAD; git update-ref refs/plait/r2/t1/1 HEAD`,
    );
    return it;
  }
  const refs = (place: Parameters<typeof sh>[0]) =>
    sh(place, "git for-each-ref --format='%(refname)'").split("\n");

  test("landed: branches and merged work go, failed work stays and is named", async () => {
    const it = await twoAttempts();
    expect(await cleanRefs(it.repository, { run: it.run, landed: true, merged: [attempt("t1")] })).toEqual([
      "refs/plait/r1/t2/1",
    ]);
    expect(refs(it.place)).toEqual(["refs/heads/main", "refs/plait/r1/t2/1", "refs/plait/r2/t1/1"]);
  });

  test("not landed: the integration branch and all saved work stay", async () => {
    const it = await twoAttempts();
    const left = ["refs/heads/plait/r1/integration", "refs/plait/r1/t1/1", "refs/plait/r1/t2/1"];
    expect(await cleanRefs(it.repository, { run: it.run, landed: false, merged: [] })).toEqual(left);
  });

  test.skipIf(isPrivate)("a branch whose work was not saved is not deleted (I2)", async () => {
    const it = await rig();
    await it.pool.acquire(attempt("t1"), it.base);
    expect(await cleanRefs(it.repository, { run: it.run, landed: true, merged: [] })).toEqual([
      "refs/heads/plait/r1/tasks/t1/1",
    ]);
  });

  test("locks that a killed git left on our refs go, those of others stay", async () => {
    const it = await attempted("true");
    const [ours, others] = [".git/refs/plait/r1/t1/2.lock", ".git/refs/heads/x.lock"].map((name) =>
      join(it.place.repo, name),
    );
    for (const lock of [ours, others, join(it.place.repo, ".git/packed-refs.lock")])
      writeFileSync(lock ?? "", "");
    await removeStaleLocks(it.repository, it.run);
    expect(existsSync(ours ?? "")).toBe(false);
    expect(existsSync(others ?? "")).toBe(true);
    expect(existsSync(join(it.place.repo, ".git/packed-refs.lock"))).toBe(true);
  });

  test("what git keeps in the run's folder goes at the end", async () => {
    const it = await attempted("echo n > n.txt");
    await it.pool.release(it.lease);
    await it.pool.close();
    await cleanRunFolder(it.runDir, { keepStart: false });
    expect(sh(it.place, `ls -A '${it.runDir}'`)).toBe("");
  });
});

describe("prepared files", () => {
  test("are hidden from the agent's git and from the save, and the user's own list still holds", async () => {
    const place = tempRepo();
    mkdirSync(join(place.root, "home/.config/git"), { recursive: true });
    writeFileSync(join(place.root, "home/.config/git/ignore"), "*.user");
    const it = await rig(place);
    const file = join(it.runDir, "excludes");
    const hidden = [".env", "we?rd", "kept.cfg"];
    const shadow = await hidePaths(it.shadow, { file, hidden, rules: [] });
    const lease = await it.pool.acquire(attempt("t1"), it.base);
    const env = agentGitEnvironment(file);
    sh(
      place,
      "echo s > .env; echo w > 'we?rd'; echo n > weird; echo u > x.user; mkdir sub; echo k > sub/.env",
      lease.slot.path,
      env,
    );
    expect(sh(place, "git status --porcelain", lease.slot.path, env)).toBe("?? sub/\n?? weird");
    sh(place, "echo '!kept.cfg' >> .gitignore; echo c > kept.cfg", lease.slot.path, env);
    const saved = await save({ ...it, shadow }, lease);
    expect(pathsOf(saved)).toEqual(["modified .gitignore", "added sub/.env", "added weird"]);
  });
});
