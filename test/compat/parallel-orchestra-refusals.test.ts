import { spawn } from "node:child_process";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { git, plaitIn } from "../cli/place.ts";
import { folderWith, main, plait } from "../cli/plait.ts";
import { manifest, po, poPlace, write } from "./parallel-orchestra-place.ts";

const ONE = manifest(["one"]);

describe("before anything starts", () => {
  const place = poPlace("*) echo 1 > new.txt ;;");
  write(place, "m.md", ONE);
  symlinkSync("x.md", join(dirname(place.repo), "link.md"));
  const run = (...words: string[]) => plaitIn(place, "parallel-orchestra", ...words);
  /** Nothing was made: no run, no branch, no file. */
  const nothing = () => {
    expect(existsSync(join(place.repo, ".git/plait"))).toBe(false);
    expect(git(place, "status", "--short", "--ignored")).toBe("?? m.md");
  };

  test("--version and help are exit code 0, no words and wrong ones are 2 with the usage on stderr", async () => {
    expect(await run("--version")).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+/) });
    expect(await run("run", "-h")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("--max-workers N"),
    });
    expect(await run()).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/^usage: /) });
    expect(await run("run", "m.md", "--max-workers", "0")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("error: argument --max-workers: must be a whole number"),
    });
    nothing();
  });

  test("a manifest that is missing or wrong is exit code 2, with a line and the place", async () => {
    expect(await run("run", "missing.md")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^ManifestError: missing\.md: /),
    });
    const twice = folderWith({ "m.md": manifest(["one", "one"]) });
    const { code, stderr } = plait(["parallel-orchestra", "run", "m.md"], { cwd: twice });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^ManifestError: m\.md:\d+:\d+: .*one/);
    nothing();
  });

  test("a report over the manifest or over a tracked file is refused (I3)", async () => {
    for (const [path, says] of [
      ["m.md", "is the manifest"],
      ["./a.txt", "git tracks"],
    ] as const) {
      const { code, stderr } = await run("run", "m.md", "--report", path);
      expect([path, code, stderr]).toEqual([path, 3, expect.stringContaining(says)]);
    }
    nothing();
  });

  test("keys that parallel-orchestra does not know are a warning here", () => {
    const folder = folderWith({ "m.md": manifest([{ id: "one", colour: "red" }]) });
    const { code, stdout, stderr } = plait(["parallel-orchestra", "run", "m.md", "--dry-run"], {
      cwd: folder,
      env: { PLAIT_AGENT: "demo" },
    });
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Dry run.*\n[\s\S]*stage 1.*one {2}agent=dev/),
    });
    expect(stderr).toMatch(/warning.*colour/);
  });

  test.each([
    ["a report through a link", ["--report", "../link.md"], "symbolic link"],
    ["a report where nothing can be made", ["--report", "/proc/x/r.json"], "cannot create /proc/x"],
    ["a log where nothing can be made", ["--log-dir", "/proc/x/y"], "cannot create /proc/x"],
    ["a log below a file", ["--log-dir", "a.txt/logs"], "a.txt is not a folder"],
    ["a program that is not there", ["--claude-exe", "./missing"], '"./missing" was not found'],
  ])("%s is exit code 3", async (_what, words, says) => {
    const { code, stderr } = await po(place, ...words);
    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringMatching(/^RunnerError: /) });
    expect(stderr).toContain(says);
    nothing();
  });

  test("a detached HEAD, no repository and one without a commit are exit code 3 for who writes", async () => {
    git(place, "switch", "-q", "--detach");
    expect(await po(place)).toMatchObject({ code: 3, stderr: expect.stringContaining("detached") });
    git(place, "switch", "-q", "main");
    nothing();
    const folder = folderWith({ "m.md": ONE });
    const words = ["parallel-orchestra", "run", "m.md", "--claude-exe", place.stub];
    expect(plait(words, { cwd: folder })).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^RunnerError: .*repository/),
    });
    // The manifest is in a repository, so that is where to go.
    expect(plait(words.with(2, join(place.repo, "m.md")), { cwd: folder })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`\n  run it there: cd ${place.repo}\n`),
    });
    git({ ...place, repo: folder }, "init", "-q", ".");
    expect(plait(words, { cwd: folder })).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^RunnerError: .*commit/),
    });
  });
});

test("an interrupt ends what runs, starts nothing more, and is exit code 130 (I5)", async () => {
  const place = poPlace(`*) echo half > half.txt; echo $$ > "$HOME/$PLAIT_TASK"; sleep 300 ;;`);
  write(place, "m.md", manifest(["first", "second"]));
  const words = ["parallel-orchestra", "run", "m.md", "--claude-exe", "../stub", "--max-workers", "1"];
  const child = spawn(process.execPath, [main, ...words], {
    ...{ cwd: place.repo, env: place.env, stdio: ["ignore", "pipe", "ignore"] },
  });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  const code = new Promise<number | null>((resolve) => child.on("close", resolve));
  const first = join(place.env["HOME"] ?? "", "first");
  await vi.waitFor(() => expect(existsSync(first) && readFileSync(first, "utf8")).toMatch(/\d\n/), {
    timeout: 30_000,
  });
  child.kill("SIGINT");
  expect(await code).toBe(130);
  expect(stdout).toMatch(
    /^\[fail\] first \(dev\) .*\n\[fail\] second \(dev\) duration=0\.00 returncode=None\n$/,
  );
  expect(existsSync(join(place.env["HOME"] ?? "", "second"))).toBe(false);
  expect(() => process.kill(Number(readFileSync(first, "utf8")), 0)).toThrow();
  const [saved = ""] = git(place, "for-each-ref", "--format=%(refname)", "refs/plait").split("\n");
  expect(git(place, "show", `${saved}:half.txt`)).toBe("half");
});
