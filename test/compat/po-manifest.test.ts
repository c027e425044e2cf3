import { describe, expect, test } from "vitest";
import { and, but, minimal, read, taskOf, tasks, without } from "./po-manifest.ts";

/** What parallel-orchestra takes and refuses, one case a rule; each refusal at its place, and all of them at once. */

describe("a manifest that parallel-orchestra takes", () => {
  test.each([
    ["minimal", minimal],
    ["without a name", without("name")],
    ["with a name that is a number", but("name: minimal", "name: 1.10")],
    ["with read_only: true", but("read_only: false", "read_only: true")],
    ["with a boolean of YAML 1.1", but("read_only: false", "read_only: no")],
    ["without a prompt", without("prompt")],
    ["with no agent", but("agent: dev", 'agent: ""')],
    ["with the agent of a plugin", but("agent: dev", "agent: forge:dev_2")],
    [
      "with optional keys that say nothing",
      and("    env:", "    writes:", "    depends_on: []", "defaults:"),
    ],
    ["with more that says nothing", and("    concurrency_group:", "concurrency_limits:", "on_failure:")],
    ["with empty sections", and("concurrency_limits: {}", "defaults: {}")],
    [
      "with everything a task may say",
      and('    env: { A: "1" }', "    writes: [src/a.js]", "    max_retries: 0"),
    ],
    ["with a group", and("    concurrency_group: api calls", "concurrency_limits: { api calls: 256 }")],
    [
      "with both webhooks",
      and(
        "on_complete: { webhook_url: 'https://a.example/' }",
        "on_failure: { webhook_url: 'https://b.example/x?y=z' }",
      ),
    ],
    ["with trailing blanks after both lines", minimal.replaceAll("---\n", "---  \n")],
    ["with Windows line ends", minimal.replaceAll("\n", "\r\n")],
    ["with a body that looks like YAML", `${minimal}\n---\ntasks: [\n`],
    ["with an absolute cwd", but("cwd: .", "cwd: /work")],
    ["with an empty cwd", but("cwd: .", 'cwd: ""')],
    ["with the same need twice", tasks({ a: [], b: ["depends_on: [a, a]"] })],
    [
      "with one path in tasks that are ordered",
      tasks({ a: ["writes: [x.js]"], b: ["writes: [x.js], depends_on: [a]"] }),
    ],
    [
      "with anchors and merge keys",
      but("  - id: a\n", "  - &t\n    id: a\n").replace(/---\n$/, "  - { <<: *t, id: b }\n---\n"),
    ],
  ])("%s", async (_, text) => {
    const { found, plan } = await read(text);
    expect(found).toEqual([]);
    expect(plan).not.toBeNull();
  });

  test("the file may have any name", async () => {
    expect((await read(minimal, { path: "plan.yaml" })).found).toEqual([]);
  });
});

describe("a manifest that is refused", () => {
  test.each([
    ["without its first line", minimal.replace(/^---\n/, ""), "1:1 front-matter"],
    ["without its last line", minimal.replace(/---\n$/, ""), "1:1 front-matter"],
    ["with nothing in it", "---\n---\n", "1:1 plan-empty"],
    ["that is a list", "---\n- a\n---\n", "2:1 wrong-type"],
    ["that is no YAML", "---\ntasks: [\n---\n", "3:1 yaml-syntax"],
    ["with a key twice", and("cwd: .."), "10:1 duplicate-key"],

    ["without a version", without("po_plan_version"), "2:1 missing-key"],
    ["with the version as a number", but('"0.1"', "0.1"), "2:18 wrong-type"],
    ["with a version that is true", but('"0.1"', "true"), "2:18 wrong-type"],
    ["with a version that is nothing", but('"0.1"', ""), "2:1 wrong-type"],
    ["with a list of versions", but('"0.1"', '["0.1"]'), "2:18 wrong-type"],
    ["with the old name of the version", but("po_plan", "clade_plan"), "2:1 unknown-key"],

    ["without cwd", without("cwd"), "2:1 missing-key"],
    ["with cwd that is nothing", but("cwd: .", "cwd:"), "4:1 wrong-type"],
    ["with cwd that is a number", but("cwd: .", "cwd: 5"), "4:6 wrong-type"],
    ["with cwd that is not there", but("cwd: .", "cwd: gone"), "4:6 folder-missing"],
    ["with a name that is a list", but("name: minimal", "name: [a]"), "3:7 wrong-type"],

    ["without tasks", "---\npo_plan_version: '0.1'\ncwd: .\n---\n", "2:1 missing-key"],
    ["with tasks that are nothing", "---\npo_plan_version: '0.1'\ncwd: .\ntasks:\n---\n", "4:1 wrong-type"],
    [
      "with tasks that are a map",
      "---\npo_plan_version: '0.1'\ncwd: .\ntasks: { a: b }\n---\n",
      "4:8 wrong-type",
    ],
    ["with an empty list of tasks", "---\npo_plan_version: '0.1'\ncwd: .\ntasks: []\n---\n", "4:8 no-tasks"],
    ["with a task that is a text", and("  - b"), "10:5 wrong-type"],

    ["with defaults that are a list", and("defaults: [1]"), "10:11 wrong-type"],
    ["with negative retries in defaults", and("defaults: { max_retries: -1 }"), "10:26 bad-number"],
    ["with limits that are a list", and("concurrency_limits: [1]"), "10:21 wrong-type"],
    [
      "with a group of 0",
      and("    concurrency_group: g", "concurrency_limits: { g: 0 }"),
      "11:26 limit-out-of-range",
    ],
    [
      "with a group of 257",
      and("    concurrency_group: g", "concurrency_limits: { g: 257 }"),
      "11:26 limit-out-of-range",
    ],
    [
      "with a group of nothing",
      and("    concurrency_group: g", "concurrency_limits: { g: }"),
      "11:23 wrong-type",
    ],
    [
      "with a group of a word",
      and("    concurrency_group: g", "concurrency_limits: { g: two }"),
      "11:26 limit-out-of-range",
    ],
    ["with a group without a limit", and("    concurrency_group: g"), "10:24 unknown-group"],
    [
      "with a group that has another name",
      and("    concurrency_group: api", "concurrency_limits: { apis: 1 }"),
      "10:24 unknown-group",
      "11:23 ~unused-limit",
    ],
    ["with a group of no name", and("    concurrency_group: ''"), "10:24 bad-value"],
    ["with a group that is a number", and("    concurrency_group: 5"), "10:24 wrong-type"],

    ["without an id", but("id: a\n    agent", "agent"), "6:5 missing-key"],
    ["without an agent", without("agent"), "6:5 missing-key"],
    ["without read_only", without("read_only"), "6:5 missing-key"],
    ["with an id that is a number", but("id: a", "id: 7"), "6:9 wrong-type"],
    ["with an agent that is nothing", but("agent: dev", "agent:"), "7:5 wrong-type"],
    ["with an agent that is a number", but("agent: dev", "agent: 7"), "7:12 wrong-type"],
    ["with an agent of two words", but("agent: dev", "agent: the dev"), "7:12 bad-agent"],
    ["with an agent that is an option", but("agent: dev", "agent: --dev"), "7:12 bad-agent"],
    ["with an agent and a line end", but("agent: dev", 'agent: "dev\\n"'), "7:12 bad-agent"],
    ["with read_only in quotes", but("read_only: false", 'read_only: "yes"'), "8:16 wrong-type"],
    ["with read_only as a number", but("read_only: false", "read_only: 1"), "8:16 wrong-type"],
    ["with a prompt that is nothing", but("prompt: Do it.", "prompt:"), "9:5 wrong-type"],
    ["with a prompt that is a list", but("prompt: Do it.", "prompt: [a]"), "9:13 wrong-type"],
    ["with a prompt of blanks", but("prompt: Do it.", 'prompt: " "'), "9:13 empty-prompt"],
    ["with neither an agent nor a prompt", without("prompt").replace("dev", '""'), "7:12 task-work"],
    ["with env that is a list", and("    env: [A=1]"), "10:10 wrong-type"],
    ["with a number in env", and("    env: { PORT: 3000 }"), "10:18 wrong-type"],
    ["with a boolean in env", and("    env: { DEBUG: true }"), "10:19 wrong-type"],
    ["with a list in env", and("    env: { A: [b] }"), "10:15 wrong-type"],
    ["with nothing in env", and("    env: { A: }"), "10:12 wrong-type"],
    ["with writes that is a text", and("    writes: a.js"), "10:13 wrong-type"],
    ["with a number in writes", and("    writes: [1]"), "10:14 wrong-type"],
    ["with an empty path in writes", and("    writes: ['']"), "10:14 bad-value"],
    ["with depends_on that is a text", and("    depends_on: b"), "10:17 wrong-type"],
    ["with an empty need", and("    depends_on: ['']"), "10:18 bad-value"],
    ["with a need that is no task", and("    depends_on: [b]"), "10:18 unknown-need"],
    ["that needs itself", and("    depends_on: [a]"), "10:18 needs-itself"],
    ["with negative retries", and("    max_retries: -1"), "10:18 bad-number"],
    ["with retries that are a word", and("    max_retries: many"), "10:18 bad-number"],
    ["with retries that are nothing", and("    max_retries:"), "10:5 wrong-type"],
    ["with retries that are a list", and("    max_retries: [1]"), "10:18 wrong-type"],
    ["with retries without end", and("    max_retries: .inf"), "10:18 bad-number"],
  ])("%s", async (_, text, ...places) => {
    const { found, plan } = await read(text);
    expect(found).toEqual(places);
    expect(plan).toBeNull();
  });

  test.each(["", "0", "0.0", "0.2", "0.3", "0.10", "0.1.0", "1", "1.0", "v0.1", " 0.1"])(
    "of version %j",
    async (version) => {
      expect((await read(but('"0.1"', JSON.stringify(version)))).found).toEqual(["2:18 unsupported-version"]);
    },
  );

  test.each(["../../etc/passwd", "task/slash", "task space", "task@bad", "", "a.b", "a\n", "a\\n"])(
    "with the id %j",
    async (id) =>
      expect((await read(but("id: a", `id: ${JSON.stringify(id)}`))).found).toEqual(["6:9 bad-id"]),
  );

  test.each(["cwd", "timeout_sec", "idle_timeout_sec", "retry_delay_sec", "retry_backoff_factor"])(
    "with %s in a task, which is internally managed",
    async (key) => {
      for (const tolerant of [false, true]) {
        const { found, diagnostics } = await read(and(`    ${key}: 5`), { tolerant });
        expect(found).toEqual(["10:5 managed-key"]);
        expect(diagnostics[0]?.message).toContain("a task cannot set");
        expect(diagnostics[0]?.hint).toMatch(/^delete `.*`; ./);
      }
    },
  );

  test.each([
    ...["LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "DYLD_LIBRARY_PATH"],
    ...["PYTHONPATH", "PO_WORKTREE_GUARD"],
  ])("with %s in env", async (name) =>
    expect((await read(and(`    env: { ${name}: "x" }`))).found).toEqual(["10:12 env-refused"]),
  );

  test("with two tasks of one id", async () =>
    expect((await read(tasks({ a: [], '"a"': [] }))).found).toEqual(["7:11 duplicate-id"]));

  test("with tasks in a circle", async () => {
    const { diagnostics } = await read(tasks({ a: ["depends_on: [b]"], b: ["depends_on: [a]"] }));
    expect(diagnostics.map(({ code }) => code)).toEqual(["cycle"]);
    expect(diagnostics[0]?.message).toContain("a -> b -> a");
  });

  test("with one path in two tasks that may run together, which are both named", async () => {
    const { found, diagnostics } = await read(
      tasks({ a: ["writes: [src/x.js]"], b: ["writes: [./src//x.js]"] }),
    );
    expect(found).toEqual(["9:18 ownership-overlap"]);
    expect(diagnostics[0]?.message).toBe("`a` and `b` both own `src/x.js` and may run in parallel");
    expect(diagnostics[0]?.related.map(({ at }) => at.start)).toEqual([{ line: 6, col: 18 }]);
  });

  test.each([
    ["two tasks that only read", { a: ["reads", "writes: [x.md]"], b: ["reads", "writes: [./x.md]"] }],
    ["one that reads and one that writes", { a: ["writes: [x.md]"], b: ["reads", "writes: [x.md]"] }],
    [
      "one that reads and one after it",
      { a: ["reads", "writes: [x.md]"], b: ["writes: [x.md], depends_on: [a]"] },
    ],
  ])("with one path in %s", async (_, written) => {
    const { found, plan, diagnostics } = await read(tasks(written));
    expect([found.filter((one) => !one.includes("~")), plan]).toEqual([["9:18 report-twice"], null]);
    expect(diagnostics.find(({ code }) => code === "report-twice")).toMatchObject({
      message: "`a` and `b` write to the same report file `x.md`",
      related: [{ at: { start: { line: 6, col: 18 } } }],
    });
  });

  test("everything at once, and none of it twice", async () => {
    const text = and(
      "    max_retries: x",
      "    depends_on: [b]",
      "  - id: c",
      "    agent: dev",
      "    prompt: x",
      "    depends_on: [d]",
    )
      .replace('"0.1"', "0.1")
      .replace("cwd: .", "cwd: 1");
    expect((await read(text)).found).toEqual([
      "2:18 wrong-type",
      "4:6 wrong-type",
      "10:18 bad-number",
      "12:5 missing-key",
      "11:18 unknown-need",
      "15:18 unknown-need",
    ]);
  });
});

describe("what parallel-orchestra takes and plait refuses, as the guide lists it", () => {
  test.each([
    ["an id with a dash in front", but("id: a", "id: -a"), "6:9 bad-id"],
    ["an id with an underscore in front", but("id: a", "id: _a"), "6:9 bad-id"],
    ["a long id", but("id: a", `id: ${"a".repeat(65)}`), "6:9 bad-id"],
    ["ids that differ in case", tasks({ a: [], A: [] }), "7:11 id-differs-only-in-case"],
    ["a name that no variable has", and('    env: { "A B": "1" }'), "10:12 bad-env-name"],
    ["PATH in env", and('    env: { PATH: "/x" }'), "10:12 env-refused"],
    ["GIT_DIR in env", and('    env: { GIT_DIR: "/x" }'), "10:12 env-refused"],
    ["a path that leads out", and("    writes: [../../x]"), "10:14 bad-pattern"],
    ["a path with a backslash", and("    writes: ['a\\b']"), "10:14 bad-pattern"],
    ["a folder", tasks({ a: ["writes: [src]"], b: ["writes: [src/x]"] }), "9:18 ownership-overlap"],
    ["a glob", tasks({ a: ["writes: ['s/*']"], b: ["writes: [s/x]"] }), "9:18 ownership-overlap"],
    ["101 retries", and("    max_retries: 101"), "10:18 bad-number"],
    ["a tag", but("name: minimal", "name: !!binary aGk="), "3:7 yaml-tag"],
  ])("%s", async (_, text, place) => expect((await read(text)).found).toEqual([place]));

  test("no message names as allowed what is refused", async () => {
    for (const id of ["a b", "a.b"]) {
      const { diagnostics } = await read(but("id: a", `id: "${id}"`));
      expect(diagnostics[0]?.message).toMatch(
        /contains "[ .]"; use letters (?:A-Z and )?a-z, digits, "_" and "-"$/,
      );
    }
  });
});

describe("what parallel-orchestra ignores", () => {
  const odd = and("    proority: 1", "    raed_only: true", "nmae: x");

  test("is an error with what was probably meant", async () => {
    const { found, diagnostics } = await read(odd);
    expect(found).toEqual(["10:5 unknown-key", "11:5 unknown-key", "12:1 unknown-key"]);
    expect(diagnostics[1]?.hint).toContain("did you mean `read_only`?");
    expect(diagnostics[2]?.hint).toContain("did you mean `name`?");
  });

  test("is a warning for who is tolerant, and the plan is the same without it", async () => {
    const { found, plan } = await read(odd, { tolerant: true });
    expect(found).toEqual(["10:5 ~unknown-key", "11:5 ~unknown-key", "12:1 ~unknown-key"]);
    expect(plan).toEqual((await read(minimal)).plan);
  });

  test("hides no key that is missing from who is tolerant", async () => {
    const { found, plan } = await read(but("read_only", "raed_only"), { tolerant: true });
    expect(found).toEqual(["6:5 missing-key", "8:5 ~unknown-key"]);
    expect(plan).toBeNull();
  });

  test.each([
    ["an unknown key of defaults", "defaults: { max_retries: 1, delay: 5 }", "10:29 ~unknown-key"],
    [
      "an unknown key of a webhook",
      "on_failure: { webhook_url: 'https://a.example', method: PUT }",
      "10:49 ~unknown-key",
    ],
    ["a limit of no group", "concurrency_limits: { g: 1 }", "10:23 ~unused-limit"],
    ["2.9 retries", "    max_retries: 2.9", "10:18 ~coerced-value"],
    ['"2" retries', '    max_retries: "2"', "10:18 ~coerced-value"],
    ["true retries", "    max_retries: true", "10:18 ~coerced-value"],
  ])("%s is warned of", async (_, line, place) => {
    const { found, plan } = await read(and(line));
    expect(found).toEqual([place]);
    expect(plan).not.toBeNull();
  });

  test.each([
    ["2.9", 2],
    ["-0.5", 0],
    ['"2"', 2],
    ['" +1_0 "', 10],
    ["true", 1],
    ["3", 3],
  ])("retries of %s are %i", async (written, retries) =>
    expect(taskOf(await read(and(`    max_retries: ${written}`)), "a").retries).toBe(retries),
  );
});
