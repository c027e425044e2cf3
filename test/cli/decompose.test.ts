import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emptyRepo, filesBelow, type Place, sh, tempRepo, writeFiles } from "../git/support.ts";
import { isAlive, until } from "../process/support.ts";
import { sampleDesign, sampleTask } from "../support/designs.ts";
import { asked } from "./asked.ts";
import { folderWith, main, programFor, type Run } from "./plait.ts";

/** What the demo agent answers with, by a script in the spec. */
const design = {
  ...sampleDesign,
  waves: [1, 2].map((number) => ({ number, validation: "pytest" })),
  // What is wrong with types is tried elsewhere: without them no start loads a parser.
  contracts: { types: null, api_schema: "openapi: 3.0.3\ninfo: { title: Shop, version: '1' }\npaths: {}\n" },
};
const GOOD = JSON.stringify(design, null, 2);
const twice = [sampleTask(1), sampleTask(2, { scope: sampleTask(1).scope })];
const BAD = JSON.stringify({ ...design, waves: sampleDesign.waves, tasks: twice }, null, 2);

const NOBODY = 65_534;

const spec = (script: string, head = "tech_spec_id: TS-0042\ntitle: Shop\nstatus: APPROVED") =>
  `---\n${head}\n---\n# Shop\n\nA shop.\n\n${script}\n`;

const shop = (script: string, head?: string): Place =>
  tempRepo({
    "src/app.py": "def main(): ...\n",
    "good.json": GOOD,
    "bad.json": BAD,
    "spec.md": spec(script, head),
  });

const decompose = ({ repo, env }: Place, ...args: readonly string[]): Promise<Run> =>
  asked(["spec", "decompose", ...args], { cwd: repo, env });

const demo = (place: Place, ...args: readonly string[]) =>
  decompose(place, "spec.md", "--agent", "demo", ...args);

const kept = (place: Place) =>
  existsSync(join(place.repo, "parallel")) ? readdirSync(join(place.repo, "parallel")) : [];

test("a design that never holds is kept beside with its errors, over nothing that is there", async () => {
  const place = shop("demo: answer bad.json");
  const first = await demo(place, "--rounds", "1", "--json");
  expect(JSON.parse(first.stdout)).toMatchObject({
    ...{ ok: false, exit: 1, folder: null, asked: { agent: "demo", rounds: 2 } },
    kept: ["parallel/TS-0042-shop.design.json", "parallel/TS-0042-shop.errors.txt"],
    problem: { message: expect.stringContaining("the same as before") },
  });
  const errors = readFileSync(join(place.repo, "parallel/TS-0042-shop.errors.txt"), "utf8");
  expect(errors).toMatch(
    /^- parallel\/TS-0042-shop\.design\.json:\d+:\d+: \[created-twice\] tasks\[1\]\.scope/m,
  );
  expect(await demo(place, "--rounds", "0", "-y")).toMatchObject({ code: 1 });
  expect(kept(place).sort()).toEqual([
    ...["TS-0042-shop-2.design.json", "TS-0042-shop-2.errors.txt"],
    ...["TS-0042-shop.design.json", "TS-0042-shop.errors.txt"],
  ]);
});

test("what a design leaves out goes back with its errors, and a patch repairs both", async () => {
  const place = shop(
    "demo: on attempt 1: answer bad.json\ndemo: on attempt 2: answer patch.json\n\n- R1: Sell",
  );
  const tasks = [sampleTask(2, { covers: ["R1"] })];
  writeFiles(place.repo, { "patch.json": JSON.stringify({ tasks, remove_tasks: [] }) });
  sh(place, "git add -A; git commit -q -m patch");
  const made = await demo(place, "-y");
  expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining("fixing 2 errors in the design") });
  expect(made.stdout).toContain("1 of 1 requirement covered by tasks");
  const folder = join(place.repo, "parallel/TS-0042-shop");
  expect(readFileSync(join(folder, "coverage.md"), "utf8")).toContain(
    "| `R1` Sell (`spec.md:13`) | task-002 | `src/part2.py` | none |",
  );
  const { tasks: kept } = JSON.parse(readFileSync(join(folder, "design.json"), "utf8"));
  expect(kept).toEqual([twice[0], ...tasks]);
});

test("words instead of a design are told, and not kept for one", async () => {
  const place = shop("demo: on attempt 1: say I would rather not.\ndemo: on attempt 2: fail auth no key");
  expect(await demo(place, "--rounds", "0")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /demo returned no valid design: its answer: I would rather not\.\n.*\.git\/plait\/spec/,
    ),
  });
  expect(await demo(place)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("not logged in: no key"),
  });
  expect(kept(place)).toEqual([]);
});

test("without anybody to ask a good design is kept, and taken by its file; what is there is left alone", async () => {
  const place = shop("demo: answer good.json");
  const first = await demo(place);
  const next = "plait spec decompose spec.md --from-file parallel/TS-0042-shop.design.json";
  expect(first).toMatchObject({ code: 2, stderr: expect.stringContaining(`next  ${next}\n`) });
  expect(first.stdout).toContain("3 tasks in 2 waves, 9 h of work");
  const taken = await asked(next.split(" ").slice(1), { cwd: place.repo, env: place.env });
  expect(taken).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("next  plait run parallel/TS-0042-shop"),
  });
  expect(readFileSync(join(place.repo, "parallel/TS-0042-shop/design.json"), "utf8")).toBe(`${GOOD}\n`);
  const before = filesBelow(place.repo);
  expect(await demo(place, "-y")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("already exists and is not empty"),
  });
  const said = (run: Run) => [run.code, run.stderr];
  expect(said(await decompose(place, "spec.md", "--from-file", "bad.json", "-n", "other"))).toEqual([
    2,
    expect.stringMatching(/^bad\.json:\d+:\d+: error\[created-twice\]: tasks\[1\]\.scope\.create\[0\]: /),
  ]);
  expect(filesBelow(place.repo)).toEqual(before);
});

test("requirements outside of the project are read only where the user names them", async () => {
  const head = "tech_spec_id: TS-0042\ntitle: Shop\nstatus: APPROVED\nrelated_prd: ../secret.md";
  const place = shop("", head);
  writeFiles(place.repo, { "../secret.md": "do not tell" });
  const taken = await decompose(place, "spec.md", "--from-file", "good.json");
  expect(taken).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/warning\[prd-not-read\]: .*\.\.\/secret\.md are outside this project/),
  });
  expect(readFileSync(join(place.repo, "parallel/TS-0042-shop/manifest.json"), "utf8")).not.toContain(
    "secret",
  );
});

test("a tech spec that is archived, has no id or still has placeholders is refused before an agent is asked", async () => {
  const place = shop("demo: answer good.json", "tech_spec_id: TS-0042\nstatus: ARCHIVED");
  expect(await demo(place, "-y")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("TS-0042 is archived"),
  });
  writeFileSync(join(place.repo, "spec.md"), spec("", "title: Shop\nstatus: APPROVED"));
  const problem = /^spec\.md:\d+:\d+: error\[tech-spec-id\].*note\[tech-spec-unnamed\].*-t TS-0042/s;
  expect(await demo(place, "-y")).toMatchObject({ code: 2, stderr: expect.stringMatching(problem) });
  writeFileSync(join(place.repo, "spec.md"), spec("REPLACE ME: goals\n\nnot `REPLACE ME`\n\n- REPLACE ME"));
  const open =
    /^spec\.md:10:1: error\[tech-spec-unfinished\]: the tech spec has 2 REPLACE ME placeholders[\s\S]*spec\.md:14:3/;
  expect(await demo(place, "-y")).toMatchObject({ code: 2, stderr: expect.stringMatching(open) });
  expect(existsSync(join(place.repo, ".git/plait"))).toBe(false);
});

test("a document without an id is one with -t; a draft and a status that means nothing are warned of", async () => {
  const place = shop("", "tech_spec_id: TS-0042\ntitle: Shop\nstatus: DONE");
  writeFiles(place.repo, { "docs/shop prd.md": "# A shop\n" });
  const take = ["--from-file", "good.json"];
  expect(await decompose(place, "docs/shop prd.md", "-t", "TS-0007", ...take)).toMatchObject({
    code: 0,
    stderr: "",
  });
  expect(kept(place)).toEqual(["TS-0007-a-shop"]);
  const older = await decompose(
    place,
    "docs/shop prd.md",
    "--tech-spec",
    "spec.md",
    "--into",
    "plans/shop",
    ...take,
  );
  expect(older).toMatchObject({ code: 0, stderr: expect.stringContaining("warning[tech-spec-status]") });
  const manifest = JSON.parse(readFileSync(join(place.repo, "plans/shop/manifest.json"), "utf8"));
  expect(manifest).toMatchObject({ tech_spec_id: "TS-0042", metadata: { tech_spec: "spec.md" } });
});

test("outside of a repository, or in one without a commit, no agent is asked; a design can be taken", async () => {
  const contracts = { types: "export type Item = { id: number };", api_schema: null };
  const files = {
    "spec.md": spec(""),
    "tsconfig.json": "{}",
    "good.json": JSON.stringify({ ...design, contracts, waves: sampleDesign.waves, tasks: [sampleTask(1)] }),
  };
  const folder = folderWith(files);
  const outside = { repo: folder, root: folder, env: { HOME: folder } };
  const refused = await demo(outside, "--json");
  expect([refused.code, refused.stderr, JSON.parse(refused.stdout)]).toMatchObject([
    ...[3, ""],
    { ok: false, exit: 3, problem: { hint: expect.stringContaining("git init") } },
  ]);
  expect(await decompose(outside, "spec.md", "--from-file", "good.json")).toMatchObject({ code: 0 });
  // It names no technology, and the project is TypeScript.
  expect(existsSync(join(folder, "parallel/TS-0042-shop/contracts/types.ts"))).toBe(true);
  const unborn = emptyRepo();
  writeFiles(unborn.repo, files);
  expect(await demo(unborn)).toMatchObject({ code: 3, stderr: expect.stringContaining("git commit") });
});

test("a design that can neither be taken nor kept is told where it is, and is no bug", async () => {
  const place = shop("");
  const script = `demo: run touch ${join(place.repo, "parallel")}\ndemo: answer good.json`;
  writeFileSync(join(place.repo, "spec.md"), spec(script));
  const made = await demo(place, "-y");
  expect(made).toMatchObject({ code: 3, stderr: expect.stringContaining("cannot save the design") });
  const [talk = ""] = /\.git\/plait\/spec\/[\w-]+/.exec(made.stderr) ?? [];
  expect(readFileSync(join(place.repo, talk, "1.answer.txt"), "utf8").trim()).toBe(GOOD);
});

/** To root no folder is closed, so somebody else does it. */
const asOther = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

test("folders that an agent closed go as well, and its design is not lost for them (I8)", () => {
  const close = "demo: run mkdir -p c/d e/{1..99}; touch c/d/x; chmod 0 c/d; chmod 500 c e\n";
  const place = shop(`${close}demo: answer good.json`);
  sh(place, `chmod -R a+rwX "${place.root}"; git config --file "$HOME/.gitconfig" safe.directory '*'`);
  const program = programFor(asOther, place.root);
  const asks = [program.main, "spec", "decompose", "spec.md", "--agent", "demo", "-y"];
  const made = spawnSync(program.node, asks, {
    cwd: place.repo,
    env: { ...place.env, PATH: process.env["PATH"] ?? "" },
    ...asOther,
    encoding: "utf8",
  });
  expect(made).toMatchObject({ status: 0, stderr: expect.not.stringContaining("warning") });
  expect(readdirSync(join(place.root, "home/.local/state/plait/questions"))).toEqual([]);
});

test("killed, plait takes its agent along, and the next question tidies up; interrupted, nothing is written (I5, I8)", async () => {
  const place = shop(`demo: on attempt 1: run echo $PPID > ../agent.pid\ndemo: on attempt 1: hang`);
  const questions = join(place.root, "home/.local/state/plait/questions");
  for (const [signal, code] of [
    ["SIGKILL", null],
    ["SIGINT", 130],
  ] as const) {
    const child = spawn(process.execPath, [main, "spec", "decompose", "spec.md", "--agent", "demo", "-y"], {
      cwd: place.repo,
      env: place.env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const ended = once(child, "close");
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
    const pid = () => {
      const [name = ""] = existsSync(questions) ? readdirSync(questions) : [];
      const file = join(questions, name, "agent.pid");
      return existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
    };
    await until(() => pid() > 0);
    const agent = pid();
    child.kill(signal);
    expect((await ended)[0]).toBe(code);
    await until(() => !isAlive(agent));
    expect(readdirSync(questions)).toHaveLength(signal === "SIGKILL" ? 1 : 0);
    if (signal === "SIGINT")
      expect(said).toMatch(/interrupted; nothing was written\n[\s\S]+log {3}\.git\/plait\/spec/);
    expect(kept(place)).toEqual([]);
    expect(sh(place, "git status --short")).toBe("");
    if (signal === "SIGKILL") sh(place, `rm -f ${questions}/*/agent.pid`);
  }
});
