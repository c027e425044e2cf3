import { describe, expect, test } from "vitest";
import { isOf, namedFrom } from "../../src/app/cpo/go-on.ts";
import { readWords } from "../../src/cli/compat/cpo/words.ts";
import { usage, usageLine } from "../../src/cli/compat/cpo.ts";
import { hashOf } from "../support/plans.ts";

const read = (line: string, env: Record<string, string> = {}) =>
  readWords(
    line.split(" ").filter((word) => word !== ""),
    env,
  );
const run = (line: string, env: Record<string, string> = {}) => {
  const request = read(`run ${line}`, env);
  if (request.kind !== "run") throw new Error(JSON.stringify(request));
  return request.options;
};

describe("the words behind cpo", () => {
  test.each([
    ["--help", { kind: "help", of: null }],
    ["-h", { kind: "help", of: null }],
    ["run --help", { kind: "help", of: "run" }],
    ["run x --wave 0 -h", { kind: "help", of: "run" }],
    ["--version", { kind: "version" }],
    ["validate parallel/x", { kind: "validate", dir: "parallel/x" }],
    ["status parallel/x", { kind: "status", dir: "parallel/x" }],
    ["run parallel/x --validate", { kind: "validate", dir: "parallel/x" }],
    ["run --status parallel/x", { kind: "status", dir: "parallel/x" }],
    [
      "init p/TS-0042-x -t TS-0042 -n x",
      { kind: "init", dir: "p/TS-0042-x", techSpec: "TS-0042", name: "x", technology: "python" },
    ],
    [
      "init p --tech-spec-id=TS-10042 --name a-b --tech go",
      { kind: "init", dir: "p", techSpec: "TS-10042", name: "a-b", technology: "go" },
    ],
  ])("%s", (line, meant) => expect(read(line)).toEqual(meant));

  test.each([
    ["", "missing command"],
    ["foo", 'unknown command "foo"'],
    ["--foo", 'unknown option "--foo"'],
    ["run", "missing folder"],
    ["run a b", 'unexpected argument: "b"'],
    ["run a --foo", "unknown option '--foo'"],
    ["run a --generate-only", "unknown option '--generate-only'"],
    ["run a --wave", "option '--wave <value>' argument missing"],
    ["run a --wave 0", '--wave "0" is not a whole number from 1 to 10000'],
    ["run a --wave two", '--wave "two" is not a whole number from 1 to 10000'],
    ["run a --max-concurrent 0", '--max-concurrent "0" is not a whole number from 1 to 256'],
    ["run a --skip a,,b", '--skip "a,,b" has an extra comma'],
    ["run a --land now", '--land "now" is not one of end, partial, never'],
    ["run a --retry-failed --wave 1", "--retry-failed cannot be combined with --wave or --max-concurrent"],
    ["init p -n x", "missing -t, --tech-spec-id, such as -t TS-0042"],
    ["init p -t TS-0001", "missing -n, --name, such as -n feature-name"],
    ["init p --tech-spec-id= -n x", "--tech-spec-id is empty"],
    ["init p -t TS-0042 -n ../x", '--name "../x" is not a name of letters, digits and dashes'],
    ["init p -t TS-0042 -n x --tech cobol", '--tech "cobol" is not one of python, django, typescript, go'],
  ])("wrong: %s", (line, problem) => expect(read(line)).toMatchObject({ kind: "wrong", problem }));

  test("flags and variables become what plait run knows; the flag wins", () => {
    expect(run("a")).toEqual({
      dryRun: false,
      retryFailed: false,
      wave: null,
      skip: [],
      plait: { format: "cpo" },
    });
    expect(run("a --max-concurrent 5", { MAX_CONCURRENT: "2" }).plait.concurrency).toBe(5);
    expect(run("a", { MAX_CONCURRENT: "2", TIMEOUT_HOURS: "0.5" }).plait).toMatchObject({
      concurrency: 2,
      timeout: 1_800_000,
    });
    expect(run("a --dry-run --wave 2 --skip task-1,task-2")).toMatchObject({
      dryRun: true,
      wave: 2,
      skip: ["task-1", "task-2"],
    });
    expect(run("--agent demo --land never --allow-root a").plait).toMatchObject({
      agent: "demo",
      land: "never",
      allowRoot: true,
    });
    expect(read("status", { PARALLEL_DIR: "parallel/x" })).toEqual({ kind: "status", dir: "parallel/x" });
    for (const [name, value] of [
      ["MAX_CONCURRENT", "many"],
      ["TIMEOUT_HOURS", "0"],
      ["TIMEOUT_HOURS", "soon"],
    ] as const)
      expect(read("run a", { [name]: value })).toMatchObject({
        kind: "wrong",
        problem: expect.stringContaining(name),
      });
  });

  test("help names every command and every option", () => {
    for (const word of ["init", "validate", "run", "status", "--help", "--version"])
      expect(usage(null)).toContain(word);
    for (const word of [
      "--dry-run",
      "--wave",
      "--max-concurrent",
      "--retry-failed",
      "--skip",
      "TIMEOUT_HOURS",
    ])
      expect(usage("run")).toContain(word);
    expect(usageLine(null)).toMatch(/^usage: cpo /);
    expect(usageLine("init")).toMatch(/^usage: cpo init <dir> -t .*\S$/);
  });
});

describe("the folder of a run", () => {
  test.each([
    ["/repo/parallel/x", true],
    ["/repo/parallel/x/manifest.json", true],
    ["/repo/parallel/y", false],
    ["/repo/packages/a/parallel/x", false],
    [undefined, false],
  ])("%s", (absolute, is) => {
    const source = { format: "cpo", path: "parallel/x", hash: hashOf("x"), ...(absolute && { absolute }) };
    expect(isOf("/repo/parallel/x", source)).toBe(is);
    expect(isOf("/repo/parallel/x", { ...source, format: "native" })).toBe(false);
  });

  test.each([
    ["/repo", "parallel/x"],
    ["/repo/parallel/x", "../x"],
    ["/repo/parallel/x/logs", "../../x"],
    ["/repo/src", "../parallel/x"],
  ])("in %s it is %s", (cwd, named) => {
    expect(namedFrom(cwd, "/repo/parallel/x")).toBe(named);
  });
});
