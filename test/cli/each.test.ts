import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { askedIn } from "./asked.ts";
import { git, makePlace } from "./place.ts";
import { defaultCaps, defaultLayers, loadPlan } from "./run-place.ts";

const odd = "src/old/it's $(touch pwned).js";
const place = makePlace({
  "src/old/-rf.js": "1\n",
  "src/old/deep/[id].js": "2\n",
  "src/old/ünï.js": "3\n",
  "src/old/line\nbreak.js": "4\n",
  [odd]: "5\n",
  "src/old/skip.test.js": "6\n",
  "packages/api/x": "",
  "packages/web/x": "",
  "prompts/port.md": "Port {file}, not ${file} nor {{file}} nor {other}.\ndemo: run cp {file.dir}/* .\n",
});
writeFileSync(join(place.repo, "src/old/untracked.js"), "");

const load = (tasks: string, options: object = {}) => {
  writeFileSync(join(place.repo, "plan.yaml"), `plait: 1\ndefaults: { agent: demo }\ntasks:\n${tasks}`);
  const usual = { caps: defaultCaps, layers: defaultLayers(), cwd: place.repo, env: place.env };
  return loadPlan("plan.yaml", { ...usual, ...options });
};

const task = (each: string, rest = "") => `  - id: t\n    prompt: Do {x}.\n    each: ${each}\n${rest}`;

describe("tasks of files", () => {
  it("are those that are tracked, match, and are not excluded; prompts have the names as they are", async () => {
    const loaded = await load(
      `  - id: port
    each: { file: { files: "src/old/**/*.js", exclude: ["**/*.test.js"] } }
    prompt-file: prompts/port.md
    owns: ["{file}"]
`,
    );
    expect(loaded.diagnostics).toEqual([]);
    const prompts = loaded.plan?.tasks.map(({ work }) =>
      work.kind === "agent"
        ? loaded.texts.get(work.prompt.hash)?.split(", not ${file} nor {{file}} nor {other}.")[0]
        : null,
    );
    expect(prompts).toEqual([
      "Port src/old/-rf.js",
      "Port src/old/deep/[id].js",
      `Port ${odd}`,
      "Port src/old/line\nbreak.js",
      "Port src/old/ünï.js",
    ]);
    expect(loaded.plan?.tasks[0]?.id).toBe("port-src--old---rf.js");
    expect(new Set(loaded.plan?.tasks.map(({ id }) => id)).size).toBe(5);
  });

  it.each<[string, string, string, string]>([
    [
      "each-empty",
      "{ x: src/odl/*.js }",
      "no tracked file matches `src/odl/*.js`",
      "did you mean `src/old/*.js`?",
    ],
    ["each-empty", "{ x: src/old/untracked.js }", "no tracked file", "commit the folder or file"],
    [
      "each-empty",
      "{ x: { files: src, exclude: '**' } }",
      "no tracked file matches `src`",
      "list fewer files in `exclude`",
    ],
    ["each-empty", "{ x: eu }", "no tracked file matches `eu`", "write a list: `[eu]`"],
    ["each-empty", "{ x: [] }", "{x} has no values", ""],
    ["bad-each", "{ x: ../a }", 'contains ".."', "from the root of the repository"],
    ["bad-each", "{ x: '@(a|b)' }", "extended glob", "use a plain glob"],
    ["bad-each", "{ x: [a, b, a] }", "the value `a` is listed twice", "delete the second"],
    ["bad-each", "{ 'a b': [a] }", "invalid variable name `a b`", "start with a letter"],
    ["bad-each", "{}", "`each` without a variable", "each: { file:"],
    ["bad-each", "{ x: {} }", "{x} has neither files nor a command", "x: src"],
    ["each-command", "{ x: { command: 'echo boo >&2; exit 3' } }", "exited with code 3", "boo"],
    ["each-command", "{ x: { command: [no-such-program] } }", "could not be started", "no-such-program"],
    ["each-command", "{ x: { command: \"printf '\\\\377'\" } }", "not UTF-8", ""],
    ["each-empty", "{ x: { command: 'true' } }", "printed nothing", "one value per line"],
  ])("or one clear error: %s of %s", async (code, each, message, hint) => {
    const { plan, diagnostics } = await load(task(each), { onCommand: () => undefined });
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    expect({ plan, codes: errors.map((one) => one.code) }).toEqual({ plan: null, codes: [code] });
    expect(errors[0]?.message).toContain(message);
    expect(errors[0]?.hint ?? "").toContain(hint);
  });

  it("have the mistakes of the one that is written, which are told once", async () => {
    const rest = "    env: { PATH: x }\n    gates: ['test \"{x}\"']\n";
    const { diagnostics } = await load(task("{ x: src/old }", rest));
    expect(diagnostics.map(({ code }) => code)).toEqual(["env-refused", "each-shell"]);
  });

  it("are no more than allowed", async () => {
    const { plan, diagnostics } = await load(task("{ x: '**' }"), { caps: { ...defaultCaps, maxTasks: 3 } });
    expect(plan).toBeNull();
    expect(diagnostics).toMatchObject([
      { code: "too-many-tasks", hint: expect.stringMatching(/--max-tasks \d+$/) },
    ]);
  });

  it("need a repository", async () => {
    const outside = dirname(place.repo);
    writeFileSync(join(outside, "plan.yaml"), `plait: 1\ntasks:\n${task("{ x: src }")}`);
    const { code, stderr } = await askedIn({ ...place, repo: outside }, "run", "plan.yaml");
    expect(code).toBe(2);
    expect(stderr).toContain(
      "error[each-repository]: the values of {x} come from git, but this folder is not in",
    );
  });
});

describe("a command that prints the values", () => {
  const plan = task("{ x: { command: 'echo ran >> ../ran; ls packages' } }", "    needs: []\n");

  it("is not run by looking, unless that is asked for; a plan that is wrong runs nothing", async () => {
    const looked = await load(plan);
    expect(looked.plan?.tasks.map(({ id }) => id)).toEqual(["t-x"]);
    expect(looked.diagnostics).toMatchObject([{ code: "each-not-run", severity: "warning" }]);
    await load(plan.replace("needs: []", "neds: []"), { onCommand: () => expect.unreachable() });
    const told: unknown[] = [];
    const asked = await load(plan, { onCommand: (command: unknown) => told.push(command) });
    expect(asked.plan?.tasks.map(({ id }) => id)).toEqual(["t-api", "t-web"]);
    expect(told).toEqual([{ kind: "shell", line: "echo ran >> ../ran; ls packages" }]);
  });

  it("is said before it runs, and the plan shows what came of it", async () => {
    const looked = await askedIn(place, "plan", "plan.yaml");
    expect(looked.stdout).toContain("as many tasks as there will be values, x in the lines of");
    const asked = await askedIn(place, "plan", "plan.yaml", "--run-commands");
    expect(asked.stderr).toContain("running each command: echo ran >> ../ran; ls packages");
    expect(asked.stdout).toMatch(/each +t +2 tasks, x in the lines of `echo ran .*`: t-api,\s+t-web/);
    expect(asked.stdout).toContain("a plan may have 2000 tasks; --max-tasks sets it");
  });
});

it("every file and package gets its own proven task in one run, and what needs them waits for all", async () => {
  mkdirSync(join(place.repo, "src/old"), { recursive: true });
  await load(
    `  - id: port
    each: { file: { files: src/old, exclude: "**/*.test.js" } }
    title: Port {file.name}
    command: [cp, "{file}", "{file}.ts"]
    owns: ["{file}.ts"]
    gates: ["test -s {file}.ts"]
  - id: check
    each: { pkg: { command: ls packages } }
    prompt: "demo: write packages/{pkg}/checked {pkg}"
    owns: ["packages/{pkg}/**"]
  - id: note-{pkg}
    each: { pkg: { command: ls packages } }
    needs: ["check-{pkg}"]
    command: "cp packages/{pkg}/checked packages/{pkg}/noted"
  - id: all
    needs: [port, check]
    command: "git ls-files src packages > all.txt"
  - id: never
    prompt: "demo: write never.txt never"
`,
  );
  const { code, stdout, stderr } = await askedIn(
    place,
    "run",
    "plan.yaml",
    "-j",
    "4",
    "--only",
    "all,note-{pkg}",
  );
  expect(code, stderr).toBe(0);
  expect(stdout).toContain("10 of 10 done");
  const files = git(place, "-c", "core.quotePath=false", "ls-files", "-z").split("\0");
  expect(files).toEqual(
    expect.arrayContaining([
      ...["all.txt", "packages/api/noted", "packages/web/noted"],
      ...["src/old/-rf.js.ts", "src/old/deep/[id].js.ts", "src/old/line\nbreak.js.ts", `${odd}.ts`],
    ]),
  );
  expect(files.filter((name) => /pwned$|never/.test(name))).toEqual([]);
  expect(git(place, "show", "HEAD:all.txt").split("\n")).toHaveLength(6 + 5 + 4);
});
