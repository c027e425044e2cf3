import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openPool } from "../../src/git/pool.ts";
import type { GitSpawn } from "../../src/git/run.ts";
import { failed, through } from "./failing.ts";
import { landIt, landRig, status } from "./landing.ts";
import { pathsOf, save } from "./saving.ts";
import {
  agent,
  attempt,
  filesBelow,
  rig,
  SOME_FILES,
  sh,
  spawnGit,
  worktreesOf,
  writeFiles,
} from "./support.ts";
import { moments, SWEEP_MS } from "./sweeps.ts";

const NEVER = Number.MAX_SAFE_INTEGER;

/** A git whose n-th call fails, and how many calls it has had. */
function failingAt(n: number): { readonly spawn: GitSpawn; readonly calls: () => number } {
  let calls = -1; // the first one asks for the version
  const spawn: GitSpawn = (call) => {
    calls += 1;
    return calls === n ? Promise.resolve(failed("fatal: told to fail")) : spawnGit(call);
  };
  return { spawn, calls: () => calls };
}

describe("git calls that fail", () => {
  const script = `echo n > n.txt; git add n.txt; git commit -qm n; git switch -q --detach; echo d > d; git add d; git commit -qm d
    git switch -q -; echo l > l; git init -q in; echo i > in/i`;

  test(
    "any call of a save: it throws, nothing is lost, and the next try is complete (I2)",
    async () => {
      const worked = async (n: number) => {
        const it = await rig();
        const lease = await it.pool.acquire(attempt("t1"), it.base);
        agent(it.place, lease, script);
        const { spawn, calls } = failingAt(n);
        const outcome: unknown = await save(through(it, spawn), lease).catch((error: unknown) => error);
        return { it, lease, outcome, calls: calls() };
      };
      const { calls } = await worked(NEVER);
      for (const failing of moments(1, calls, 6)) {
        const { it, lease, outcome } = await worked(failing);
        // Some calls may fail without harm; what is not harmless is said.
        const saved = await save(it, lease);
        expect(pathsOf(saved), `call ${failing}`).toEqual(["added in/i", "added l", "added n.txt"]);
        expect(saved.tips, `call ${failing}`).toHaveLength(1);
        if (outcome instanceof Error) continue;
        // What is left behind keeps its worktree; more may be saved than needed, never less.
        expect(outcome, `call ${failing}`).toMatchObject({ result: saved.result, paths: saved.paths });
        expect((outcome as typeof saved).tips).toEqual(expect.arrayContaining([...saved.tips]));
      }
    },
    SWEEP_MS,
  );

  test(
    "any call of a landing: all or nothing, no lock left, and the next try lands (I3)",
    async () => {
      const mine = { "dir/c.txt": "mine\n", "new/n.txt": "n\n" }; // an edit beside, and a file that is as it will be
      const landed = async (n: number) => {
        const it = await landRig();
        writeFiles(it.place.repo, mine);
        const { spawn, calls } = failingAt(n);
        const outcome = await landIt(through(it, spawn)).catch(() => null);
        return { it, outcome, calls: calls() };
      };
      const { calls } = await landed(NEVER);
      for (const failing of moments(1, calls, 7)) {
        const { it, outcome } = await landed(failing);
        const isLanded = sh(it.place, "git rev-parse main") === it.to.commit;
        if (outcome?.kind === "landed") expect(isLanded).toBe(true);
        if (!isLanded)
          expect(filesBelow(it.place.repo), `call ${failing}`).toEqual({ ...SOME_FILES, ...mine });
        expect(readdirSync(join(it.place.repo, ".git")).filter((name) => /lock|plait-/.test(name))).toEqual(
          [],
        );
        expect(await landIt(it), `call ${failing}`).toMatchObject({ kind: "landed" });
        expect(status(it.place), `call ${failing}`).toBe(" M dir/c.txt");
      }
    },
    SWEEP_MS,
  );

  test(
    "any call that makes or sets back a worktree: it throws, and the next try is right",
    async () => {
      const acquired = async (n: number, isFresh: boolean) => {
        const it = await rig();
        if (!isFresh) {
          const used = await it.pool.acquire(attempt("t0"), it.base);
          agent(it.place, used, "echo x > a.txt; echo y > y");
          await it.pool.release(used);
        }
        const { spawn, calls } = failingAt(n);
        const pool = await openPool({ ...through(it, spawn), root: worktreesOf(it.place) });
        const again = () => pool.acquire(attempt("t1"), it.base);
        return { it, lease: await again().catch(again), calls: calls() };
      };
      for (const isFresh of [true, false]) {
        const { calls } = await acquired(NEVER, isFresh);
        for (const failing of moments(1, calls, 3)) {
          const { it, lease } = await acquired(failing, isFresh);
          expect(filesBelow(lease.slot.path), `call ${failing}`).toEqual(SOME_FILES);
          const seen = agent(it.place, lease, "git status --porcelain; git symbolic-ref HEAD");
          expect(seen, `call ${failing}`).toMatch(/^refs.*t1\/1$/);
        }
      }
    },
    SWEEP_MS,
  );
});
