import { spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { asked } from "./asked.ts";
import { folderWith, main } from "./plait.ts";

// The tools stand on a PATH of their own, as small programs that answer as the real ones were seen to; uv, which could not be
// tried, as its documentation says.
const npm = `#!/bin/sh
[ "$1 $3 $4 $5" = "view versions dist-tags --json" ] || { echo "npm: not for $*" >&2; exit 9; }
echo "npm warn something" >&2
case "$2" in
  zod) echo '{"versions":["3.22.4","3.25.0","4.0.0"],"dist-tags":{"latest":"4.0.0"}}' ;;
  slow) echo $$ > "$MARK.tmp"; mv "$MARK.tmp" "$MARK"; exec sleep 60 ;;
  *) echo '{"error":{"code":"E404","summary":"Not Found"}}'; exit 1 ;;
esac
`;
const uv = `#!/bin/sh
[ "$1 $2 $3" = "pip compile -" ] || exit 2
stdin=$(cat)
while [ $# -gt 0 ]; do
  case "$1" in
    --constraint) constraints=$(cat "$2"); shift ;;
    --output-file) preferred=$(cat "$2"); out=$2; shift ;;
  esac
  shift
done
[ "$stdin|$constraints|$preferred" = "httpx>=0.27|fastapi>=0.110|fastapi==0.115.6" ] || { echo "$stdin|$constraints|$preferred" >&2; exit 2; }
echo "Resolved 2 packages in 3ms" >&2
printf 'anyio==4.4.0\\nhttpx==0.27.2\\n' | tee "$out"
`;
const pnpm = npm.replaceAll("npm:", "pnpm:");
const yarn = `#!/bin/sh
if [ "$1" = npm ]; then echo '{"name":"zod","versions":["3.22.4","3.25.0"],"dist-tags":{"latest":"3.25.0"}}'; exit; fi
[ "$1 $2 $4" = "info zod --json" ] || { echo '{"type":"error","data":"Received invalid response from npm."}' >&2; exit 0; }
echo '{"type":"warning","data":"package.json: No license field"}' >&2
[ "$3" = versions ] && echo '{"type":"inspect","data":["3.22.4","3.25.0"]}' || echo '{"type":"inspect","data":{"latest":"3.25.0"}}'
`;

const manifest = (dependencies: object) =>
  `{\n  "tech_spec_id": "TS-1",\n  "waves": [{ "number": 1, "tasks": [{ "id": "task-001", "agent": "a:b" }] }],\n  "dependencies": ${JSON.stringify(dependencies)}\n}\n`;

const bin = folderWith({ npm, uv, pnpm, yarn });
for (const name of ["npm", "uv", "pnpm", "yarn"]) chmodSync(join(bin, name), 0o755);
symlinkSync(process.execPath, join(bin, "node"));
for (const name of ["sh", "cat", "tee", "sleep", "mv"]) symlinkSync(join("/bin", name), join(bin, name));

function project(dependencies: object, files: Readonly<Record<string, string>> = {}) {
  const cwd = folderWith({
    ".git/keep": "",
    "package.json": "{}",
    "parallel/TS-1/manifest.json": manifest(dependencies),
    ...files,
  });
  const path = join(cwd, "parallel/TS-1/manifest.json");
  return {
    align: (args: readonly string[] = [], PATH = bin) =>
      asked(["spec", "align", "parallel/TS-1", ...args], { cwd, env: { PATH } }),
    text: () => readFileSync(path, "utf8"),
    path,
  };
}

describe("plait spec align", () => {
  it("pins what both tools of a project know, and changes nothing else in the manifest", async () => {
    const { align, text, path } = project(
      { node: { add: ["zod@^3.0.0", "zod@>=3.22"] }, python: { add: ["httpx>=0.27"] } },
      {
        "pyproject.toml": '[project]\ndependencies = ["fastapi>=0.110"]\n',
        "uv.lock": '[[package]]\nname = "fastapi"\nversion = "0.115.6"\n',
      },
    );
    chmodSync(path, 0o644);
    const { code, stdout, stderr } = await align();
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.split("\n").map((line) => line.replaceAll(/ {2,}/g, " | "))).toEqual([
      "package | asked by | range | pinned | from",
      "httpx | the manifest | >=0.27 | 0.27.2 | uv",
      "zod | the manifest | ^3.0.0 >=3.22 | 3.25.0 | npm",
      "parallel/TS-1/manifest.json: written",
      "",
    ]);
    expect(text()).toBe(manifest({ node: { add: ["zod@3.25.0"] }, python: { add: ["httpx==0.27.2"] } }));
    expect(statSync(path).mode & 0o777).toBe(0o644);
  });

  it.each([
    ["pnpm", { "pnpm-lock.yaml": "lockfileVersion: '9.0'\n" }],
    ["yarn", { "yarn.lock": "" }],
    ["a newer yarn", { "yarn.lock": "", ".yarnrc.yml": "" }],
  ])("asks %s where the project uses it", async (_, files) => {
    const { align } = project({ node: { add: ["zod@^3.0.0"] } }, files);
    const { packages, findings } = JSON.parse((await align(["--json"])).stdout);
    expect([packages[0].spec, packages[0].from, findings]).toEqual(["zod@3.25.0", "tool", []]);
  });

  it("with --check says what has no pin, exit 1, and writes nothing; pinned it is content", async () => {
    const { align, text } = project({ node: { add: ["zod@^3.0.0"] } });
    const before = text();
    const { code, stdout, stderr } = await align(["--check"]);
    expect([code, stderr]).toEqual([1, "next  plait spec align parallel/TS-1\n"]);
    expect(stdout).toContain("parallel/TS-1/manifest.json: not pinned: zod@^3.0.0\n");
    expect(text()).toBe(before);
    expect((await align()).code).toBe(0);
    const again = await align(["--check"]);
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("nothing to change")]);
  });

  it("refuses what cannot be had, with places, exit 2, and writes nothing", async () => {
    const { align, text } = project({ node: { add: ["zod@^3.0.0", "zod@^4.0.0", "ghost"] } });
    const before = text();
    const { code, stdout, stderr } = await align();
    expect([code, stdout, text()]).toEqual([2, "", before]);
    expect(stderr).toContain(
      "parallel/TS-1/manifest.json:4:48: error[dependency-conflict]: the manifest requires `zod@^3.0.0` and the manifest requires `zod@^4.0.0`: no version satisfies both",
    );
    expect(stderr).toContain(
      "parallel/TS-1/manifest.json:4:61: error[dependency-missing]: npm finds no package `ghost`",
    );
    expect(await asked(["spec", "align", "parallel/nowhere"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("parallel/nowhere/manifest.json:1:1: error[manifest-missing]"),
    });
  });

  it("without the tool leaves the range, with a warning", async () => {
    const none = folderWith({});
    symlinkSync(process.execPath, join(none, "node"));
    const { align, text } = project({ node: { add: ["zod@^3.0.0"] } });
    const before = text();
    const { code, stderr } = await align([], none);
    expect([code, text()]).toEqual([0, before]);
    expect(stderr).toContain(
      "warning[dependency-unpinned]: the dependency `zod@^3.0.0` is not pinned to a version: npm is not on the PATH",
    );
  });

  it("ends with Ctrl-C, and so does the tool; nothing is written", async () => {
    const { text, path } = project({ node: { add: ["slow@^1", "zod@^3.0.0"] } });
    const before = text();
    const mark = join(dirname(path), "started");
    const child = spawn(process.execPath, [main, "spec", "align", dirname(path)], {
      env: { PATH: bin, MARK: mark },
      stdio: "ignore",
    });
    const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
    while (!existsSync(mark)) await new Promise((resolve) => setTimeout(resolve, 20));
    const pid = Number(readFileSync(mark, "utf8"));
    child.kill("SIGINT");
    expect([await ended, text()]).toEqual([130, before]);
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });
});
