import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repairLanding } from "../../src/git/land-repair.ts";
import type { GitSpawn } from "../../src/git/run.ts";
import { type Death, runAct } from "./dying.ts";
import { inputOf, integration, type LandedRig, landedRig, main, undo } from "./landed.ts";
import { expectNoTraces, type LandRig, landIt, landRig, status } from "./landing.ts";
import { AT, NO_LIMIT, save } from "./saving.ts";
import {
  agent,
  attempt,
  type Files,
  filesBelow,
  type Rig,
  rig,
  SOME_FILES,
  sh,
  spawnGit,
  tempRepo,
} from "./support.ts";
import { isFullSweep, moments, SWEEP_MS } from "./sweeps.ts";

/** What no landing of these tests changes. */
const { "a.txt": _a, "b.txt": _b, ...UNTOUCHED } = SOME_FILES;

function landAndDie(it: LandRig, die: Death): number | null {
  const { run, runDir, target, to, fingerprint, keptIn } = it;
  return runAct(it, {
    verb: "land",
    die,
    input: { run, runDir, target, to, fingerprint, keptIn, waitMs: 200 },
  });
}

/** The user's folder as the landing leaves it. */
function expectLanded(it: LandRig, expected: Files, more = ""): void {
  expect(sh(it.place, "git rev-parse main")).toBe(it.to.commit);
  expect(status(it.place)).toBe(more);
  expect(filesBelow(it.place.repo)).toEqual(expected);
  expectNoTraces(it);
}

function readRecord({ runDir }: Rig): { adopted: string[] | null } | null {
  const path = join(runDir, "landing.json");
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null;
}

describe("a landing killed before any of its git calls (I3, I4)", () => {
  async function dirtyRig(): Promise<LandRig> {
    const it = await landRig();
    sh(it.place, "echo mine > dir/c.txt; echo staged > s.txt; git add s.txt; echo landed > a.txt");
    return it;
  }

  test(
    "is finished by the next driver, with the user's own changes beside it as they were",
    async () => {
      const calm = await dirtyRig();
      const calls = landAndDie(calm, { before: Number.MAX_SAFE_INTEGER }) ?? 0;
      const expected = filesBelow(calm.place.repo);
      expect(calls).toBeGreaterThan(12);
      for (const before of moments(1, calls, 5)) {
        const it = await dirtyRig();
        expect(landAndDie(it, { before })).toBeNull();
        const repaired = await repairLanding(it.shadow, it);
        expect(repaired.kind, `before call ${before}`).toMatch(/nothing|landed|undone/);
        expect(await landIt(it), `before call ${before}`).toMatchObject({ kind: "landed" });
        expectLanded(it, expected, "A  s.txt\n M dir/c.txt".split("\n").sort().join("\n"));
      }
    },
    SWEEP_MS,
  );

  test(
    "is undone when the user has changed a file of it since, and that file is named and kept",
    async () => {
      const calm = await landRig();
      const calls = landAndDie(calm, { before: Number.MAX_SAFE_INTEGER }) ?? 0;
      for (const before of moments(calls - 5, calls, 3)) {
        const it = await landRig();
        sh(it.place, "mkdir new; echo n > new/n.txt"); // the user's own, and as it will be: not ours to take away
        expect(landAndDie(it, { before })).toBeNull();
        const isLanded = sh(it.place, "git rev-parse main") === it.to.commit;
        const record = readRecord(it);
        sh(it.place, "echo mine > a.txt");
        const repaired = await repairLanding(it.shadow, it);
        const files = filesBelow(it.place.repo);
        expect(files).toMatchObject({ "a.txt": "mine\n", "new/n.txt": "n\n" });
        expect(status(it.place)).toBe(isLanded ? " M a.txt" : " M a.txt\n?? new/");
        if (isLanded) expect(repaired.kind).toMatch(/landed|nothing/);
        else expect(repaired).toEqual({ kind: "undone", files: record?.adopted ? ["a.txt"] : [] });
        expect(sh(it.place, "git rev-parse main")).toBe(isLanded ? it.to.commit : it.base.commit);
        expect(files["b.txt"]).toBe(isLanded ? undefined : "b\n");
        expectNoTraces(it);
      }
    },
    SWEEP_MS,
  );

  test("is left alone when the user has removed the lock and gone on", async () => {
    const it = await landRig();
    expect(landAndDie(it, { before: "update-ref" })).toBeNull();
    sh(it.place, "rm .git/index.lock; git add -A; git commit -qm mine");
    const files = filesBelow(it.place.repo);
    expect(await repairLanding(it.shadow, it)).toMatchObject({ kind: "left" });
    expect(filesBelow(it.place.repo)).toEqual(files);
    expectNoTraces(it);
  });
});

describe("a file that is missing or cut short after a landing was killed (I3, I4)", () => {
  // The landing deletes b.txt, then writes a.txt, then new/n.txt.
  test.each([
    ["missing", "rm b.txt a.txt"],
    ["empty", "rm b.txt; : > a.txt"],
    ["cut short", "rm b.txt; printf lan > a.txt"],
    ["the last one", "rm b.txt; echo landed > a.txt; mkdir new; : > new/n.txt"],
  ])(
    "where git may have been writing it (%s), is written, and the landing finished",
    async (_what, state) => {
      const it = await landRig();
      expect(landAndDie(it, { before: "read-tree" })).toBeNull();
      sh(it.place, state);
      expect(await repairLanding(it.shadow, it)).toMatchObject({ kind: "landed" });
      expectLanded(it, { ...UNTOUCHED, "a.txt": "landed\n", "new/n.txt": "n\n" });
    },
  );

  const kept: [string, Death, string, string, Files, string][] = [
    ["git had not begun", { before: "read-tree" }, "rm a.txt", "a.txt", { "b.txt": "b\n" }, " D a.txt"],
    [
      "git was past it",
      { before: "read-tree" },
      "rm b.txt a.txt; mkdir new; echo n > new/n.txt",
      ...(["a.txt", { "b.txt": "b\n" }, " D a.txt"] as const),
    ],
    ["git was done", { after: "read-tree" }, "rm a.txt", "a.txt", { "b.txt": "b\n" }, " D a.txt"],
    [
      "git was done",
      { after: "read-tree" },
      ": > a.txt",
      "a.txt",
      { "a.txt": "", "b.txt": "b\n" },
      " M a.txt",
    ],
    ["the index was done", { after: "ORIG_HEAD" }, "rm a.txt", "a.txt", { "b.txt": "b\n" }, " D a.txt"],
    [
      "git had deleted it",
      { after: "read-tree" },
      "echo b > b.txt; chmod +x b.txt",
      ...(["b.txt", { "a.txt": "a\n", "b.txt": "b\n" }, " M b.txt"] as const),
    ],
  ];
  test.each(kept)(
    "where it can only be the user's doing (%s), stays so, and all else is as before",
    async (_what, death, deed, file, files, said) => {
      const it = await landRig();
      expect(landAndDie(it, death)).toBeNull();
      sh(it.place, deed);
      expect(await repairLanding(it.shadow, it)).toEqual({ kind: "undone", files: [file] });
      expect(filesBelow(it.place.repo)).toEqual({ ...UNTOUCHED, ...files });
      expect(status(it.place)).toBe(said);
      expectNoTraces(it);
      expect(await landIt(it)).toMatchObject({ kind: "refused", why: "dirty", files: [file] });
    },
  );

  test("is set back, however many there are, when git itself gave up on a full disk", async () => {
    const place = tempRepo();
    const spawn: GitSpawn = async (call) => {
      if (!call.argv.includes("read-tree")) return spawnGit(call);
      sh(place, "rm b.txt a.txt; : > dir/c.txt; printf d2 > dir/deep/d.txt");
      const stderr = Buffer.from("error: unable to write file a.txt: No space left on device\n");
      return { code: 128, signal: null, stdout: Buffer.alloc(0), stderr };
    };
    const it = await landRig(
      place,
      "for f in a.txt b.txt dir/c.txt dir/deep/d.txt; do echo d2 > $f; done",
      spawn,
    );
    await expect(landIt(it)).rejects.toThrow("No space left");
    expect(filesBelow(it.place.repo)).toEqual(SOME_FILES);
    expect(status(it.place)).toBe("");
    expectNoTraces(it);
  });

  test("is set back when it was an undoing that was cut off, which writes the old content", async () => {
    const it = await landRig();
    expect(landAndDie(it, { after: "read-tree" })).toBeNull();
    writeFileSync(join(it.runDir, "landing.json"), JSON.stringify({ ...readRecord(it), torn: "any" }));
    sh(it.place, "echo mine > new/n.txt; rm a.txt; printf b > b.txt");
    expect(await repairLanding(it.shadow, it)).toEqual({ kind: "undone", files: ["new/n.txt"] });
    expect(filesBelow(it.place.repo)).toEqual({ ...SOME_FILES, "new/n.txt": "mine\n" });
    expectNoTraces(it);
  });
});

describe("a landing killed while git writes files (I3, I4)", () => {
  const many = Object.fromEntries(
    Array.from({ length: 240 }, (_, i) => [`d${i % 20}/f${i}.txt`, `old ${i}\n`]),
  );
  const work =
    "for f in d*/*; do seq 2000 > $f; done; git rm -q -r -f d0; mkdir n; for i in $(seq 100); do echo $i > n/$i; done";
  const delays = isFullSweep ? moments(0, 40, 0) : [3, 9];

  test.each(delays)("after %i ms: torn files and all are repaired", async (afterMs) => {
    const it = await landRig(tempRepo({ ...many, "mine.txt": "m\n" }), work);
    sh(it.place, "echo bystander > mine.txt");
    expect(landAndDie(it, { during: "read-tree", afterMs })).toBeNull();
    const repaired = await repairLanding(it.shadow, it);
    expect(repaired.kind).toBe("landed");
    expect(status(it.place)).toBe(" M mine.txt");
    expect(sh(it.place, "git rev-parse main; git diff --stat HEAD -- d1 n | wc -l")).toBe(
      `${it.to.commit}\n0`,
    );
    expectNoTraces(it);
  });

  test.each(isFullSweep ? moments(0, 25, 0) : [6])(
    "after %i ms and edited by the user since: all but the user's file is as before",
    async (afterMs) => {
      const it = await landRig(tempRepo(many), work);
      expect(landAndDie(it, { during: "read-tree", afterMs })).toBeNull();
      sh(it.place, "mkdir -p d7; echo mine > d7/f7.txt");
      expect(await repairLanding(it.shadow, it)).toEqual({ kind: "undone", files: ["d7/f7.txt"] });
      expect(filesBelow(it.place.repo)).toEqual({ ...many, "d7/f7.txt": "mine\n" });
      expect(status(it.place)).toBe(" M d7/f7.txt");
      expectNoTraces(it);
    },
  );
});

test(
  "a save killed before any of its git calls is done again with the same names, and leaves nothing (I2, I4)",
  async () => {
    const script = `echo w > w.txt; git add w.txt; git commit -qm w; git switch -q --detach; echo d > d.txt; git add -A; git commit -qm d
    git switch -q -; echo left > left.txt; git init -q n; echo x > n/x; git -C n add x; git -C n commit -qm n; echo s > s; git add s`;
    // With dates of its own an agent's commits would differ from one repository to the next.
    const dated = `export GIT_AUTHOR_DATE='@1 +0000' GIT_COMMITTER_DATE='@1 +0000'; ${script}`;
    async function worked(): Promise<Rig & { lease: Awaited<ReturnType<Rig["pool"]["acquire"]>> }> {
      const it = await rig();
      const lease = await it.pool.acquire(attempt("t1"), it.base);
      agent(it.place, lease, dated);
      return { ...it, lease };
    }
    const { run } = await rig();
    const input = (it: Rig) => ({
      run,
      runDir: it.runDir,
      attempt: attempt("t1"),
      at: AT,
      title: "do it",
      history: "keep",
      maxBytes: NO_LIMIT,
    });
    const calm = await worked();
    const calls =
      runAct(calm, { verb: "save", die: { before: Number.MAX_SAFE_INTEGER }, input: input(calm) }) ?? 0;
    expect(calls).toBeGreaterThan(15);
    const tree = sh(calm.place, "git rev-parse refs/plait/r1/t1/1^{tree}");
    for (const before of moments(1, calls, 4)) {
      const it = await worked();
      expect(runAct(it, { verb: "save", die: { before }, input: input(it) })).toBeNull();
      const saved = await save(it, it.lease);
      expect(saved.result.tree, `before call ${before}`).toBe(tree);
      expect((await save(it, it.lease)).saved).toBe(saved.saved);
      expect(saved.tips).toHaveLength(3);
      expect(sh(it.place, "git for-each-ref --format='%(refname)' refs/plait")).toBe("refs/plait/r1/t1/1");
      expect(readdirSync(join(it.runDir, "saves"))).toEqual([]);
    }
  },
  SWEEP_MS,
);

describe("an undoing that is killed before any of its git calls (I2, I3, I4)", () => {
  const undoAndDie = (it: LandedRig, die: Death) => runAct(it, { verb: "undo", die, input: inputOf(it) });

  test.each([
    ["moved back", "true"],
    ["reverted", "echo theirs > theirs.txt; git add theirs.txt; git commit -qm theirs theirs.txt"],
  ])(
    "%s: the next one finishes it, with the user's own changes beside it as they were",
    async (_how, script) => {
      const dirty = async () => {
        const it = await landedRig();
        sh(it.place, `${script}; echo mine > dir/c.txt; echo staged > s.txt; git add s.txt; echo a > a.txt`);
        return it;
      };
      const calm = await dirty();
      const calls = undoAndDie(calm, { before: Number.MAX_SAFE_INTEGER }) ?? 0;
      const expected = filesBelow(calm.place.repo);
      expect(expected).toMatchObject({
        "a.txt": "a\n",
        "b.txt": "b\n",
        "dir/c.txt": "mine\n",
        "s.txt": "staged\n",
      });
      expect(calls).toBeGreaterThan(15);
      for (const before of moments(1, calls, 5)) {
        const it = await dirty();
        const tip = main(it);
        expect(undoAndDie(it, { before })).toBeNull();
        if (main(it) !== tip) expect(integration(it), `before call ${before}`).toBe(it.to.commit);
        expect(await undo(it), `before call ${before}`).toMatchObject({ kind: "undone" });
        expect(filesBelow(it.place.repo), `before call ${before}`).toEqual(expected);
        expect(status(it.place)).toBe(" M dir/c.txt\nA  s.txt");
        expect(integration(it)).toBe(it.to.commit);
        expectNoTraces(it);
      }
    },
    SWEEP_MS,
  );
});
