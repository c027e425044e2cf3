import { createHash } from "node:crypto";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { git, plaitIn } from "../cli/place.ts";
import {
  has,
  manifest,
  type PoPlace,
  po,
  poPlace,
  read,
  tracked,
  write,
  writeStub,
} from "./parallel-orchestra-place.ts";

/** Order and figures of summary lines, without what differs from run to run. */
const summary = (stdout: string): string[] =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/duration=\d+\.\d\d/, "duration=N"));

describe("a manifest of parallel-orchestra, run by plait", () => {
  test.concurrent("one run of everything: work carries over, failures stay alone, files lie where they are looked for", async () => {
    const place = poPlace(
      `a) echo "key $ANTHROPIC_API_KEY in $PO_WORKTREE_GUARD"; echo oh >&2; echo 1 > made.txt; sleep 300 & ;;
       b) cp made.txt copied.txt; echo '{"status":"SUCCESS","cycles":"two","report":"x/r.md"}' ;;
       bad) echo half > half.txt; mkdir -p .claude/reports; echo why > .claude/reports/bad.md; echo "permission denied" >&2; exit 1 ;;
       crlf) printf 'x\\r\\n' > crlf.txt ;;
       look) ls; mkdir -p .claude/reports; cd .claude/reports; echo a > new.md; echo b > mine.md; cd ../..; mkdir notes; echo n > notes/look.md; echo t > a.txt ;;
       no) echo '{"status":"FAILED","reason":"tests are red"}' ;;
       twice) test -e "$HOME/once" && exit 0; touch "$HOME/once"; echo first; exit 1 ;;`,
      { "a.txt": "a\n", ".claude/logs/look-stdout.log": "tracked\n" },
    );
    write(place, ".claude/settings.local.json", '{"secret":1}\n');
    write(place, ".claude/reports/mine.md", "mine\n");
    write(place, "notes/look.md", "mine\n");
    write(place, ".claude/agents/dev.md", "---\nname: dev\n---\n");
    write(
      place,
      "m.md",
      manifest([
        "a",
        { id: "b", depends_on: ["a"] },
        { id: "bad", max_retries: 3 },
        { id: "after", depends_on: ["bad"] },
        { id: "later", depends_on: ["after"] },
        { id: "crlf", agent: "", prompt: "two lines" },
        { id: "look", agent: "rev", read_only: true, depends_on: ["b"], writes: ["notes/look.md", "a.txt"] },
        "no",
        { id: "twice", max_retries: 1 },
      ]),
    );
    const config = readFileSync(join(place.repo, ".git/config"), "utf8");
    const env = { ...place.env, ANTHROPIC_API_KEY: "k-123" };
    const { code, stdout, stderr } = await po(
      { ...place, env },
      "--max-workers",
      "4",
      "--report",
      "out/r.json",
    );

    expect(stderr).not.toContain("Error:");
    expect(stderr).toMatch(/^\[twice\] waiting: .*; next try at \d\d:\d\d:\d\d$/m);
    // What the user of a manifest can do nothing about is not told.
    expect(stderr).not.toMatch(/^warning: .*reports?\b/m);
    expect(summary(stdout)).toEqual([
      "[ok] a (dev) duration=N returncode=0",
      // Malformed JSON of an agent ended the whole run once.
      "[ok] b (dev) duration=N returncode=0 status=SUCCESS report=r.md",
      "[fail] bad (dev) duration=N returncode=1 category=permanent",
      "[fail] after (dev) duration=N returncode=None",
      "[fail] later (dev) duration=N returncode=None",
      "[ok] crlf () duration=N returncode=0",
      "[ok] look (rev) duration=N returncode=0",
      "[fail] no (dev) duration=N returncode=1 category=permanent status=FAILED reason=tests are red",
      "[ok] twice (dev) duration=N returncode=0 retries=1",
    ]);
    expect(code).toBe(1);

    // Who depends on work sees it, and so does who only reads (I11). What succeeded is merged, in the old words.
    expect(read(place, "copied.txt")).toBe("1\n");
    expect(git(place, "log", "--format=%s", "--merges").split("\n").sort()).toEqual([
      "Merge parallel-orchestra task a",
      "Merge parallel-orchestra task b",
      "Merge parallel-orchestra task crlf",
    ]);
    expect(git(place, "log", "--format=%s", "--no-merges")).toContain(
      "parallel-orchestra: task a [auto-commit]\n",
    );
    // Of an untracked .claude nothing is committed, and it keeps nothing from being merged.
    expect(tracked(place).sort()).toEqual(
      [".claude/logs/look-stdout.log", "a.txt", "copied.txt", "crlf.txt", "made.txt"].sort(),
    );
    // What failed is saved, no branch is left over, and the configuration of the repository is as it was (I2, I3).
    const [saved = ""] = git(place, "for-each-ref", "--format=%(refname)", "refs/plait").split("\n");
    expect(git(place, "show", `${saved}:half.txt`)).toBe("half");
    expect(git(place, "branch", "--format=%(refname:short)")).toBe("main");
    expect(readFileSync(join(place.repo, ".git/config"), "utf8")).toBe(config);
    expect(has(place, ".po-run-state-m.json")).toBe(false);

    const mode = (path: string) => statSync(join(place.repo, path)).mode & 0o777;
    expect(read(place, ".claude/logs/a-stdout.log")).toBe("key [MASKED] in 1\n");
    expect(read(place, ".claude/logs/a-stderr.log")).toBe("oh\n");
    expect(read(place, ".claude/logs/twice-stdout.log")).toBe("first\n\n===== retry attempt 1 =====\n");
    expect([mode(".claude/logs/a-stdout.log"), mode(".claude/logs/a-stderr.log")]).toEqual([0o600, 0o600]);
    expect(read(place, ".claude/logs/look-stdout.log")).toBe("tracked\n");
    expect(stderr).toMatch(/could not write the log \S+look-stdout\.log: git tracks/);
    expect(stderr).toMatch(/ {2}bad: .*permission denied; read why: plait logs bad --run \S+/);

    // Reports of who only reads lie where it wrote them, beside what was there; what a failed task left, beside the logs.
    const reports = [".claude/reports/new.md", ".claude/reports/mine.md", ".claude/reports/mine.2.md"];
    expect(reports.map((path) => read(place, path))).toEqual(["a\n", "mine\n", "b\n"]);
    expect(stderr).toContain("report of look: .claude/reports/mine.2.md");
    const declared = ["notes/look.md", "notes/look.2.md", "a.txt", "a.2.txt"];
    expect(declared.map((path) => read(place, path))).toEqual(["mine\n", "n\n", "a\n", "t\n"]);
    expect(read(place, ".claude/logs/bad-artifacts/.claude/reports/bad.md")).toBe("why\n");
    expect(stderr).toContain("copied 1 of 1 files that bad left: .claude/logs/bad-artifacts");

    const report = JSON.parse(read(place, "out/r.json"));
    expect(report).toMatchObject({ manifest: "plan", total: 9, succeeded: 5, failed: 2, skipped: 2 });
    expect(report.tasks.map(({ merge }: { merge: string }) => merge)).toEqual([
      ...["merged", "merged", null, null, null, "merged", null, null, null],
    ]);
    expect(report.tasks[8]).toMatchObject({ retry_count: 1, attempts: 2, failure_category: "none" });
  });

  test.concurrent("24 tasks start at once, and with --quiet and --no-log nothing is said of them", async () => {
    const place = poPlace(`*) echo 1 > "$PLAIT_TASK.txt" ;;`);
    const ids = Array.from({ length: 24 }, (_, n) => `t${n}`);
    write(place, "m.md", manifest(ids));
    const words = ["--max-workers", "24", "--quiet", "--no-log", "--dashboard"];
    const { code, stdout, stderr } = await po(place, ...words);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toContain("[done] all 24 tasks completed");
    expect(tracked(place)).toHaveLength(25);
    expect(has(place, ".claude")).toBe(false);
  });

  test("a conflict is exit code 3 with a report; --resume tries it again and merges it", async () => {
    const clash = `*) sleep 0.3; echo "$PLAIT_TASK" > shared.txt ;;`;
    const place = poPlace(clash);
    write(place, "m.md", manifest(["one", "two", { id: "far", agent: "x" }]));
    writeStub(place, `far) echo far > far.txt ;; ${clash}`);
    const first = await po(place, "--report", "r.md", "--log-dir", "../logs");
    expect(first.code).toBe(3);
    const failed = /\[fail\] (one|two) /.exec(first.stdout)?.[1] ?? "";
    expect(first.stderr).toMatch(
      new RegExp(`RunnerError: merge conflict: the work of ${failed} .*shared\\.txt`),
    );
    expect(first.stderr).toMatch(new RegExp(`refs/plait/\\S+/${failed}/1[\\s\\S]*plait open ${failed}`));
    expect(read(place, "r.md")).toContain(`| ${failed} | dev | ✗ failed |`);
    // Others land in spite of it (I9).
    expect(tracked(place)).toEqual(["a.txt", "far.txt", "shared.txt"]);

    const again = await po(place, "--resume", "--report", "r.json");
    expect(again.stderr).toContain("continuing run ");
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("[skip] far (x) resumed") });
    expect(read(place, "shared.txt")).toBe(`${failed}\n`);
    expect(JSON.parse(read(place, "r.json"))).toMatchObject({ succeeded: 1, skipped: 2, failed: 0 });
  });
});

test("a manifest that only reads needs no repository: it works in the folder itself, and can go on there", async () => {
  const place = poPlace(`two) test -e "$HOME/mended" || exit 2; cat one.txt ;; *) echo 1 > one.txt ;;`);
  const outside = { ...place, repo: join(place.repo, "../outside") };
  const reads = { read_only: true };
  write(
    outside,
    "m.md",
    manifest([
      { id: "one", ...reads },
      { id: "two", depends_on: ["one"], ...reads },
    ]),
  );
  const first = await po(outside);
  expect(first).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^\[ok\] one .*\n\[fail\] two .*=2 /),
  });
  writeFileSync(join(place.env["HOME"] ?? "", "mended"), "");
  const again = await po(outside, "--resume");
  expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\[skip\] one .*\n\[ok\] two /) });
  expect(read(outside, ".claude/logs/two-stdout.log")).toBe("\n===== retry attempt 1 =====\n1\n");
});

test("the claude on the path: exit code 2 is final, and that it may not write below .claude is said once", async () => {
  const place = poPlace("");
  const bin = join(place.repo, "../bin");
  const answer =
    'case "$*" in *--version*) echo "2.1.197 (Claude Code)"; exit 0 ;; esac; cat > /dev/null; exit 2';
  write({ ...place, repo: bin }, "claude", `#!/bin/sh\n${answer}\n`);
  chmodSync(join(bin, "claude"), 0o755);
  const env = { ...place.env, PATH: `${bin}:${place.env["PATH"]}` };
  const run = async (writes: string[]) => {
    write(
      place,
      "m.md",
      manifest([{ id: "look", agent: "", prompt: "x", read_only: true, max_retries: 2, writes }]),
    );
    return plaitIn({ ...place, env }, "parallel-orchestra", "run", "m.md");
  };
  const { code, stdout, stderr } = await run([]);
  expect([code, summary(stdout)]).toEqual([1, ["[fail] look () duration=N returncode=2 category=permanent"]]);
  expect(
    stderr.match(/^warning: look: Claude does not let read-only tasks write below \.claude\//gm),
  ).toHaveLength(1);
  expect((await run(["out/look.md"])).stderr).not.toContain("below .claude/");
});

test("a manifest outside the repository works in the one you are in", async () => {
  const place = poPlace("*) echo 1 > new.txt ;;");
  write(
    { ...place, repo: join(place.repo, "../outside") },
    "m.md",
    manifest([{ id: "one", writes: ["new.txt"] }]),
  );
  const words = ["parallel-orchestra", "run", "../outside/m.md", "--claude-exe", "../stub"];
  const { code, stderr } = await plaitIn(place, ...words);
  expect([code, tracked(place)]).toEqual([0, ["a.txt", "new.txt"]]);
  expect(stderr).toMatch(/`cwd` is `.*outside`, outside this repository; tasks run in `.*repo`/);
});

describe("what is the user's stays as it is (I3)", () => {
  test("a merge in progress is neither ended nor made part of; afterwards --resume lands the work, and a changed manifest is a new run", async () => {
    const place = poPlace("*) echo 1 > new.txt ;;");
    write(place, "m.md", manifest(["one"]));
    git(place, "switch", "-q", "-c", "other");
    write(place, "a.txt", "other\n");
    git(place, "commit", "-q", "-a", "-m", "other");
    git(place, "switch", "-q", "main");
    write(place, "a.txt", "main\n");
    git(place, "commit", "-q", "-a", "-m", "main");
    expect(() => git(place, "merge", "-q", "other")).toThrow();
    write(place, "a.txt", "resolved\n");
    git(place, "add", "a.txt");
    const { code, stderr } = await po(place);
    expect(code).toBe(3);
    expect(stderr).toMatch(/RunnerError: the merged work did not land on main: [\s\S]*plait land /);
    expect(git(place, "rev-parse", "MERGE_HEAD")).toBe(git(place, "rev-parse", "other"));
    expect(git(place, "show", ":a.txt")).toBe("resolved");
    git(place, "commit", "-q", "-m", "merged");
    expect(await po(place, "--resume")).toMatchObject({ code: 0 });
    expect(tracked(place)).toEqual(["a.txt", "new.txt"]);

    // The run is complete: there is nothing to go on with. A manifest that changed after a failure is another one.
    writeStub(place, "*) exit 1 ;;");
    const none = await po(place, "--resume", "--quiet");
    expect(none.stderr).toContain("--resume: no unfinished run of this manifest and no state file");
    writeFileSync(join(place.repo, "m.md"), `${manifest(["one"])}more\n`);
    const changed = await po(place, "--resume", "--quiet");
    expect(changed.stderr).toContain("hash mismatch");
    expect(changed).toMatchObject({ code: 1, stdout: expect.stringContaining("[fail] one ") });
  });

  test("work lands on the branch of the start although HEAD was switched, and never over uncommitted changes", async () => {
    const place = poPlace(
      `one) echo 1 > new.txt; git -C "$HOME/../repo" switch -q other ;; two) echo mine > a.txt ;;`,
    );
    git(place, "branch", "other");
    write(place, "m.md", manifest(["one"]));
    const landed = await po(place);
    expect(landed).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("landed on main; you are on other\n"),
    });
    expect(git(place, "symbolic-ref", "--short", "HEAD")).toBe("other");
    expect(git(place, "ls-tree", "--name-only", "main")).toBe("a.txt\nnew.txt");
    expect(git(place, "ls-tree", "--name-only", "other")).toBe("a.txt");
    write(place, "m.md", manifest(["two"]));
    write(place, "a.txt", "uncommitted\n");
    const { code, stderr } = await po(place);
    expect(code).toBe(3);
    expect(stderr).toMatch(/RunnerError: the merged work did not land on other: .*a\.txt/);
    expect(read(place, "a.txt")).toBe("uncommitted\n");
  });
});

describe("what parallel-orchestra left is taken up", () => {
  test("its state file says what is done, and git what of it is merged", async () => {
    const place = poPlace(
      `next) cat left.txt > next.txt ;; merged|look) echo "ran again" > again.txt ;; *) exit 1 ;;`,
    );
    write(
      place,
      "m.md",
      manifest([
        "left",
        "merged",
        { id: "look", read_only: true },
        { id: "next", depends_on: ["left", "merged"] },
      ]),
    );
    git(place, "switch", "-q", "-c", "parallel-orchestra/left-0123abcd");
    write(place, "left.txt", "left\n");
    write(place, ".claude/CLAUDE.md", "");
    write(place, ".claude/settings.local.json", "{}\n");
    git(place, "add", "left.txt", ".claude");
    git(place, "commit", "-q", "-m", "parallel-orchestra: task left [auto-commit]");
    git(place, "switch", "-q", "main");
    write(place, ".claude/settings.local.json", '{"mine":1}\n');
    const manifest_hash = createHash("sha256").update(read(place, "m.md")).digest("hex");
    const completed_tasks = ["gone", "left", "look", "merged"];
    write(place, ".po-run-state-m.json", JSON.stringify({ manifest_hash, completed_tasks }));
    const { code, stdout, stderr } = await po(place, "--resume");
    expect(stderr).toContain("merging the work of left from parallel-orchestra/left-0123abcd");
    expect(summary(stdout)).toEqual([
      "[skip] left (dev) resumed",
      "[skip] merged (dev) resumed",
      "[skip] look (dev) resumed",
      "[ok] next (dev) duration=N returncode=0",
    ]);
    expect(code).toBe(0);
    expect(tracked(place)).toEqual(["a.txt", "left.txt", "next.txt"]);
    expect(read(place, "next.txt")).toBe("left\n");
    expect(read(place, ".claude/settings.local.json")).toBe('{"mine":1}\n');
    // Not even in the history: what was committed there may be secret.
    expect(git(place, "log", "--format=%s", "--", ".claude")).toBe("");
    expect(has(place, ".po-run-state-m.json")).toBe(false);
  });

  /** Two branches of parallel-orchestra that do not merge, and a task that is still to do. */
  function conflictPlace(): PoPlace {
    const place = poPlace("next) echo x >> next.txt ;; *) exit 1 ;;", { "a.txt": "a\n", "b.txt": "b\n" });
    write(place, "m.md", manifest(["left", "other", "next"]));
    for (const [task, file] of [
      ["left", "a.txt"],
      ["other", "b.txt"],
    ] as const) {
      git(place, "switch", "-q", "-c", `parallel-orchestra/${task}-0123abcd`, "main");
      write(place, file, "theirs\n");
      git(place, "commit", "-q", "-a", "-m", "theirs");
    }
    git(place, "switch", "-q", "main");
    for (const file of ["a.txt", "b.txt"]) write(place, file, "ours\n");
    git(place, "commit", "-q", "-a", "-m", "ours");
    const manifest_hash = createHash("sha256").update(read(place, "m.md")).digest("hex");
    const completed_tasks = ["left", "other"];
    write(place, ".po-run-state-m.json", JSON.stringify({ manifest_hash, completed_tasks }));
    return place;
  }

  test("a branch that does not merge is a conflict as often as it is tried; resolved or merged by somebody meanwhile, it is not brought in again", async () => {
    const place = conflictPlace();
    /** Neither of what is in conflict has touched anything. */
    const inConflict = async (...tasks: string[]) => {
      const { code, stderr } = await po(place, "--resume");
      expect([tasks, code]).toEqual([tasks, 3]);
      for (const task of ["left", "other"]) {
        const said = new RegExp(
          `RunnerError: merge conflict: the work of ${task} [\\s\\S]*parallel-orchestra/${task}-0123abcd[\\s\\S]*plait open ${task}`,
        );
        expect([task, said.test(stderr)]).toEqual([task, tasks.includes(task)]);
      }
      expect(stderr).not.toContain("plait retry");
      expect(has(place, ".po-run-state-m.json")).toBe(true);
      expect(read(place, "a.txt")).toBe("ours\n");
    };
    await inConflict("left", "other");
    expect(() => git(place, "merge", "-q", "parallel-orchestra/other-0123abcd")).toThrow();
    write(place, "b.txt", "both\n");
    git(place, "commit", "-q", "-a", "-m", "resolved");
    await inConflict("left");

    const { stdout: opened } = await plaitIn(place, "open", "left");
    writeFileSync(join(/^path +(.+)$/m.exec(opened)?.[1] ?? "", "a.txt"), "both\n");
    const open = await po(place, "--resume", "--report", "r.json");
    expect([open.code, open.stderr]).toEqual([3, expect.stringContaining("submit it: plait submit left")]);
    expect(JSON.parse(read(place, "r.json")).tasks[0]).toMatchObject({ id: "left", merge: "conflict" });
    expect((await plaitIn(place, "submit", "left")).code).toBe(0);
    const { code, stdout } = await po(place, "--resume");
    const skipped = ["left", "other", "next"].map((task) => `[skip] ${task} (dev) resumed`);
    expect([code, summary(stdout)]).toEqual([0, skipped]);
    // Nothing was done twice.
    const files = ["a.txt", "b.txt", "next.txt"].map((path) => read(place, path));
    expect(files).toEqual(["both\n", "both\n", "x\n"]);
    expect(has(place, ".po-run-state-m.json")).toBe(false);
  });
});
