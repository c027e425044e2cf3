import { expect, test } from "vitest";
import { GitError, type GitFailureReason } from "./failure.ts";
import { retryGit } from "./retry-git.ts";

const failing = (reason: GitFailureReason) =>
  new GitError({ args: ["status"], code: 128, signal: null, stderr: "fatal: no", reason });

test("a call that always fails is given up after pauses of half a second in all", async () => {
  const pauses: number[] = [];
  const wait = async (ms: number) => void pauses.push(ms);
  const asking = retryGit(() => Promise.reject(failing("other")), { wait, now: () => 0 });
  await expect(asking).rejects.toThrow("fatal: no");
  expect(pauses).toHaveLength(3);
  expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(500);
});

test("a failure that comes again each time is not waited for", async () => {
  const wait = () => Promise.reject(new Error("waited"));
  await expect(retryGit(() => Promise.reject(failing("corrupt")), { wait, now: () => 0 })).rejects.toThrow(
    "fatal: no",
  );
});

test("a slow call that always fails is repeated once", async () => {
  let time = 0;
  let calls = 0;
  const wait = async (ms: number) => {
    time += ms;
  };
  const clock = { wait, now: () => time };
  const fail = () => {
    [time, calls] = [time + 800, calls + 1];
    return Promise.reject(failing("other"));
  };
  await expect(retryGit(fail, clock)).rejects.toThrow("fatal: no");
  expect(calls).toBe(2);
});
