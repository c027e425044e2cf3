import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { asked } from "./asked.ts";
import { expectGolden } from "./golden.ts";
import { git, makePlace, type Place } from "./place.ts";
import { folderWith, plait, type Run } from "./plait.ts";
import { finish, steady } from "./run-place.ts";
import { shop } from "./shop.ts";

let place: Place;
let run: string;

beforeAll(async () => {
  place = makePlace();
  run = await finish(place, shop);
});

const look = (...args: string[]): Promise<Run> => asked(args, { cwd: place.repo, env: place.env });

/** The base check runs beside the first agents: which is logged first is not decided. */
function placeBaseCheck(log: string): string {
  const [first = "", ...rest] = log.split("\n");
  const isBaseCheck = (line: string) => /^\S+ +shop-\w+ +gate /.test(line);
  return [first, ...rest.filter(isBaseCheck), ...rest.filter((line) => !isBaseCheck(line))].join("\n");
}

describe("a run that has ended", () => {
  it.each<[string, string[]]>([
    ["status.txt", ["status"]],
    ["status-ascii.txt", ["status", "--ascii"]],
    ["runs.txt", ["runs"]],
    ["logs-run.txt", ["logs"]],
    ["logs-schema.txt", ["logs", "schema"]],
    ["logs-api-1.txt", ["logs", "api", "--attempt", "1"]],
    ["logs-api.txt", ["logs", "api", "-f"]],
    ["logs-tax.txt", ["logs", "tax"]],
    ["logs-build.txt", ["logs", "build"]],
    ["diff-tax.txt", ["diff", "tax"]],
    ["diff-tax-stat.txt", ["diff", "tax", "--stat"]],
    ["rescue.txt", ["rescue"]],
  ])("%s", async (name, args) => {
    const { code, stdout, stderr } = await look(...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expectGolden(join("runs", name), placeBaseCheck(steady(stdout, run, place)));
  });

  it("is found by its whole name and by how it begins", async () => {
    const whole = (await look("status", run)).stdout;
    expect((await look("status", run.slice(0, 6))).stdout).toBe(whole);
    expect((await look("logs", "--run", run.slice(0, 6))).stdout).toBe((await look("logs")).stdout);
  });

  it("is told to other programs as one document", async () => {
    const status = JSON.parse((await look("status", "--json")).stdout);
    expect(status).toMatchObject({
      v: 1,
      run,
      status: { kind: "not-landed" },
      process: null,
      progress: { total: 5, done: 3 },
    });
    expect(status.tasks.map((row: { task: string; status: string }) => [row.task, row.status])).toEqual([
      ["schema", "merged"],
      ["api", "merged"],
      ["tax", "failed"],
      ["invoices", "skipped"],
      ["build", "merged"],
    ]);
    expect(status.next).toContain(`plait retry tax --run ${status.run}`);
    expect(JSON.parse((await look("runs", "--json")).stdout)).toMatchObject({
      v: 1,
      runs: [{ run, status: { kind: "not-landed", exit: 1 }, done: 3, total: 5, process: null }],
    });
    const { saved } = JSON.parse((await look("rescue", "--json")).stdout);
    expect(saved.map((one: { task: string; files: number }) => [one.task, one.files])).toContainEqual([
      "tax",
      1,
    ]);
  });

  it("is watched to its end at once, which names the report", () => {
    const { code, stdout } = plait(["watch"], { cwd: place.repo, env: place.env });
    expect(code).toBe(1); // as for whoever started it
    expect(stdout).toContain("3 of 5 done, 1 failed, 1 skipped");
    expect(stdout).toContain(`report  .git/plait/runs/${run}/report.md\n`);
  });

  it("has a report that can be made again from its journal, and is the same then", async () => {
    const folder = join(place.repo, ".git/plait/runs", run);
    const written = (name: string) => readFileSync(join(folder, name), "utf8");
    expect(await look("report")).toEqual({ code: 0, stderr: "", stdout: written("report.md") });
    expect((await look("report", run, "--format", "json")).stdout).toBe(written("report.json"));
    expect(JSON.parse((await look("status", "--json")).stdout)).toMatchObject({
      report: join(folder, "report.md"),
    });
  });

  it("is told in the form that is asked for, to whom it may concern or into a new file", async () => {
    const tells = async (...args: string[]) => (await look("report", ...args)).stdout;
    expect(await tells("--format", "pr")).toMatch(
      /^\*\*Not landed, 3 of 5 done, 1 failed, 1 skipped\.\*\*\n/,
    );
    expect(await tells("--format", "junit")).toContain('<testcase name="tax" classname="shop" ');
    expect(JSON.parse(await tells("--format", "otlp"))).toHaveProperty("resourceSpans");
    expect(await tells("--picture", "graph")).toMatch(/^<svg .*>failed, 0:0\d</s);
    expect(await tells("--picture", "timeline", "--ascii")).toMatch(/^<svg .*<title>.*agent: .*&#10007; /s);
    expect(await tells("--picture", "graph", "--format", "mermaid", "--ascii")).toMatch(/^flowchart LR\n/);
    expect(await tells("--output", "../told.md")).toMatch(
      new RegExp(`^../told.md: ${run}, \\d+\\.\\d KiB\n$`),
    );
    expect(readFileSync(join(place.repo, "../told.md"), "utf8")).toBe(await tells());
  });

  it("has logs that no terminal obeys, and raw ones for a file", async () => {
    expect((await look("logs", "build")).stdout).toContain("red bell<U+0007>\n");
    expect((await look("logs", "build", "--raw")).stdout).toBe("\u001b[31mred\u001b[0m bell\u0007\n");
  });

  it("has diffs that git takes as a patch, and colours where they are wanted", async () => {
    const { stdout } = await look("diff", "tax");
    const patch = join(dirname(place.repo), "tax.patch");
    writeFileSync(patch, stdout);
    expect(git(place, "apply", "--check", patch)).toBe("");
    expect((await look("diff", "tax", "--color")).stdout).toContain("\u001b[32m+half done\u001b[39m\n");
  });

  it("has a diff of each attempt: the second holds the work of the first", async () => {
    expect((await look("diff", "api", "--attempt", "1")).stdout).toContain("+// TODO: answer\n");
    expect((await look("diff", "api")).stdout).toContain("+export const orders = [];\n");
  });
});

describe("a request that makes no sense", () => {
  it.each<[string, string[]]>([
    ['unknown run "nope"', ["status", "nope"]],
    ['unknown run "nope"', ["watch", "nope"]],
    ['unknown run "nope"', ["report", "nope"]],
    ["is not one of md, pr, html, json, junit, otlp, svg, mermaid", ["report", "--format", "pdf"]],
    ["--format mermaid needs --picture", ["report", "--format", "mermaid"]],
    [
      "--picture and --format junit cannot be combined",
      ["report", "--picture", "graph", "--format", "junit"],
    ],
    ["--picture", ["report", "--picture", "landscape"]],
    ["the folder of nowhere/r.md does not exist", ["report", "--output", "nowhere/r.md"]],
    ["src/a.txt already exists", ["report", "--output", "src/a.txt"]],
    ['unknown run "nope"', ["logs", "tax", "--run", "nope"]],
    ['unknown run "nope"', ["clean", "nope"]],
    ['unknown task "taxx"', ["logs", "taxx"]],
    ['unknown task "taxx"', ["diff", "taxx"]],
    ["did you mean tax?", ["logs", "taxx"]],
    ["`invoices` has no attempts yet", ["logs", "invoices"]],
    ["`invoices` has no attempts yet", ["diff", "invoices"]],
    ["`api` has no attempt #3: it has attempts #1 to #2", ["logs", "api", "--attempt", "3"]],
    ["see the last one: plait diff api --attempt 2 --run ", ["diff", "api", "--attempt", "3"]],
    ["--raw needs a task", ["logs", "--raw"]],
    ["--attempt needs a task", ["logs", "--attempt", "1"]],
    ["--attempt", ["logs", "tax", "--attempt", "0"]],
    ["--days", ["clean", "--days", "x"]],
    ["--days and a run name cannot be combined", ["clean", "shop", "--days", "3"]],
    ["no run is active in this repository", ["stop"]],
    ["no saved work is named", ["rescue", "--branch", "main"]],
    ["no saved work is named", ["rescue", "--branch", "refs/heads/main"]],
  ])("says %j for plait %j", async (said, args) => {
    const { code, stdout, stderr } = await look(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(said);
  });

  it.each(["status", "watch", "report", "logs", "logs tax", "diff tax", "runs", "rescue", "clean"])(
    "outside a repository ends with 3: plait %s",
    async (words) => {
      const { code, stdout, stderr } = await asked(words.split(" "), { cwd: folderWith({}), env: place.env });
      expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
      expect(stderr).toContain("is not in a usable git repository");
    },
  );
});

describe("a repository without a run", () => {
  it("says so, and what to type", async () => {
    const { repo: cwd, env } = makePlace();
    for (const args of [["status"], ["watch"], ["logs"], ["diff", "tax"]]) {
      const { code, stderr } = await asked(args, { cwd, env });
      expect({ args, code }).toEqual({ args, code: 2 });
      expect(stderr).toContain("no runs in this repository");
      expect(stderr).toContain("plait run plan.yaml");
    }
    expect(await asked(["runs"], { cwd, env })).toMatchObject({
      code: 0,
      stdout: "no runs yet\nnext  plait run plan.yaml\n",
    });
    expect((await asked(["rescue"], { cwd, env })).stdout).toContain("no saved work");
    expect((await asked(["clean"], { cwd, env })).stdout).toContain("nothing to remove");
    expect(JSON.parse((await asked(["runs", "--json"], { cwd, env })).stdout)).toEqual({
      v: 1,
      runs: [],
      damaged: [],
    });
  });
});
