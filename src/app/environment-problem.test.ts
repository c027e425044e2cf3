import { expect, test } from "vitest";
import { io } from "../journal/failure.ts";
import { describeEnvironmentProblem } from "./environment-problem.ts";

const failing = (code: string) => Object.assign(new Error(`${code}: no`), { code });

test("a full disk is the machine's, also where the journal meets it", () => {
  const hint = "free disk space, then run the command again; to see what is full: df -h";
  expect(describeEnvironmentProblem(failing("ENOSPC"))).toEqual({ message: "ENOSPC: no", hint });
  const locking = io("/runs/a/lock", "lock", failing("ENOSPC"));
  expect(describeEnvironmentProblem(locking)).toEqual({
    message: "cannot lock /runs/a/lock: ENOSPC: no",
    hint,
  });
});

test("every other error is a bug", () => {
  expect(describeEnvironmentProblem(new TypeError("x is undefined"))).toBeNull();
  expect(describeEnvironmentProblem(io("/runs/a/lock", "lock", failing("EISDIR")))).toBeNull();
});
