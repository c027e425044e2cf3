import { expect, it, onTestFinished } from "vitest";
import { createGitSpawn } from "../../src/process/git-spawn.ts";
import { env, isAlive, killQuietly } from "./support.ts";

const run = (line: string, stdin?: string) =>
  createGitSpawn()({ argv: ["sh", "-c", line], cwd: "/", env, ...(stdin === undefined ? {} : { stdin }) });

it("gives everything that a program printed, and how it ended", async () => {
  const end = await run("cat; echo oops >&2; exit 3", "żółć");
  expect({ ...end, stdout: end.stdout.toString(), stderr: end.stderr.toString() }).toEqual({
    code: 3,
    signal: null,
    stdout: "żółć",
    stderr: "oops\n",
  });
});

it("a program that does not read its input is no failure", async () => {
  expect(await run("exit 0", "x".repeat(5_000_000))).toMatchObject({ code: 0 });
});

it("does not wait for somebody whom the program left with its pipes: a hook that goes on in the background", async () => {
  const end = await run("sleep 60 & echo $!; seq 100000");
  const [pid = "", ...numbers] = end.stdout.toString().trimEnd().split("\n");
  onTestFinished(() => killQuietly(Number(pid)));
  expect(numbers.length).toBe(100_000);
  expect([end.code, isAlive(Number(pid))]).toEqual([0, true]);
});

it("a program that prints more than the cap is killed, and says so", async () => {
  const spawnGit = createGitSpawn({ maxOutputBytes: 100_000 });
  const end = await spawnGit({ argv: ["yes"], cwd: "/", env });
  expect([end.signal, end.stderr.toString()]).toEqual([
    "SIGKILL",
    "\nkilled: printed more than 100000 bytes\n",
  ]);
});

it("a program whose time is over is ended with all that it started, and says so", async () => {
  const argv = ["sh", "-c", "sleep 60 & echo $!; wait"];
  const end = await createGitSpawn()({ argv, cwd: "/", env, timeoutMs: 200 });
  expect([end.signal, end.stderr.toString()]).toEqual(["SIGTERM", "\nended: took longer than 200 ms\n"]);
  expect(isAlive(Number(end.stdout.toString()))).toBe(false);
});

it("what cannot be started rejects", async () => {
  await expect(createGitSpawn()({ argv: ["no-such-program"], cwd: "/", env })).rejects.toThrow("ENOENT");
});
