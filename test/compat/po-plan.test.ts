import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { loadPlan } from "../../src/app/load-plan.ts";
import { defaultCaps, defaultLayers } from "../../src/config/settings.ts";
import { watchLimits } from "../../src/process/time-limits.ts";
import { cpuMs } from "../support/cpu.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { and, but, minimal, read, taskOf, tasks, without } from "./po-manifest.ts";

/** What a manifest of parallel-orchestra means as a plan. */

describe("a task of a manifest", () => {
  test("that writes is an agent in a worktree, as parallel-orchestra started it", async () => {
    const task = taskOf(await read(minimal), "a");
    expect(task).toMatchObject({
      ...{ id: "a", title: "a", needs: [], access: "write", owns: [], gates: [], dir: null, wave: null },
      work: { kind: "agent", agent: { use: "claude", name: "dev", model: null } },
      limits: { startMs: 900_000, idleMs: 900_000, totalMs: 900_000 },
      ...{ retries: 1, group: null, env: {}, allowEmpty: false },
      ...{ artifacts: [".claude/reports/**"], reports: [] },
    });
  });

  test.each([
    ["prints nothing", 901_000],
    ["prints a line every second", 1_000],
  ])("that %s ends after 900 seconds, by the limit for all of it", async (_, everyMs) => {
    const { limits } = taskOf(await read(minimal), "a");
    const [clock, ended] = [createManualClock(), [] as [string, number][]];
    const watch = watchLimits(limits, clock, (which) => ended.push([which, clock.monotonic()]));
    for (let now = 1_000; now <= 1_800_000; now += 1_000) {
      clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
      if (now % everyMs === 0) watch.heard();
    }
    expect(ended).toEqual([["total", 900_000]]);
  });

  test("that only reads has reports as its result", async () => {
    const task = taskOf(await read(but("read_only: false", "read_only: true")), "a");
    expect(task).toMatchObject({
      access: "read-only",
      reports: [".claude/reports/**"],
      artifacts: [],
      env: {},
    });
  });

  test("that only reads reports in what it writes, too", async () => {
    const text = tasks({ a: ["reads", "writes: [out/x.md, docs/, x.md, ./x.md]"], b: ["writes: [y]"] });
    const { found, plan } = await read(text);
    expect(found).toEqual([]);
    expect(plan?.tasks[0]).toMatchObject({
      owns: [],
      reports: ["out/x.md", "docs/", "x.md", "x.md", ".claude/reports/**"],
    });
  });

  test("that only reads cannot report outside, nor everywhere", async () => {
    const { found, plan } = await read(tasks({ a: ["reads", "writes: [../../x, .]"] }));
    expect(found).toEqual(["6:18 ~report-outside", "6:27 ~report-outside"]);
    expect(plan?.tasks[0]?.reports).toEqual([".claude/reports/**"]);
  });

  test.each([
    ["what it says", minimal, "Do it."],
    ["the command of its agent", without("prompt"), "/agent-dev"],
  ])("is told %s", async (_, text, prompt) => {
    const { draft } = await read(text);
    expect(draft?.tasks[0]?.work).toMatchObject({ prompt: { value: { kind: "inline", text: prompt } } });
  });

  test.each([
    ["", null],
    ["forge:dev", "forge:dev"],
  ])("with the agent %j is done as %s", async (agent, name) => {
    const { work } = taskOf(await read(but("agent: dev", `agent: "${agent}"`)), "a");
    expect(work).toMatchObject({ agent: { use: "claude", name } });
  });

  test("needs what it depends on, each once and in order", async () => {
    const read1 = await read(tasks({ a: [], b: [], c: ["depends_on: [b, a, b]"] }));
    expect(taskOf(read1, "c").needs).toEqual(["b", "a"]);
  });

  test("has its own retries, else those of the defaults, else one", async () => {
    const retries = async (text: string) => taskOf(await read(text), "a").retries;
    expect(await retries(minimal)).toBe(1);
    expect(await retries(and("defaults: { max_retries: 4 }"))).toBe(4);
    expect(await retries(and("    max_retries: 0", "defaults: { max_retries: 4 }"))).toBe(0);
  });

  test("has its variables", async () =>
    expect(taskOf(await read(and('    env: { LEVEL: "3", yes: no }')), "a").env).toEqual({
      ...{ LEVEL: "3", yes: "no" },
    }));

  test("may be in a group of any name", async () => {
    const { plan } = await read(
      and("    concurrency_group: API (slow)", "concurrency_limits: { API (slow): '2' }"),
    );
    expect(plan?.limits).toEqual([{ group: plan?.tasks[0]?.group, max: 2 }]);
    expect(plan?.tasks[0]?.group).toMatch(/^API-slow-\w+$/);
  });
});

describe("a manifest", () => {
  test("keeps the words of its merges and says nothing of the landing", async () => {
    const { draft } = await read(minimal);
    expect(draft).toMatchObject({
      ...{ format: "po", name: "minimal", mergeMessage: "Merge parallel-orchestra task {task}" },
      commitMessage: "parallel-orchestra: task {task} [auto-commit]",
      ...{ land: null, slots: null, folder: "/work", webhooks: { complete: null, failure: null } },
    });
  });

  test.each([null, "/work"])(
    "outside the repository you are in works there, also if it is in %s",
    async (repository) => {
      const text = and("    writes: [src/a.js]");
      const { found, draft, diagnostics } = await read(text, { repository, standing: "/shop" });
      expect(found).toEqual(["4:6 ~cwd-elsewhere"]);
      expect(diagnostics[0]?.message).toContain("tasks run in `/shop`");
      expect(draft).toMatchObject({ folder: "/shop", tasks: [{ owns: [{ text: { value: "src/a.js" } }] }] });
    },
  );

  test.each([
    ["minimal", "minimal"],
    ["1.5", "1.5"],
    ["true", "true"],
    ["", "plan"],
    ['"  two\\n words "', "two words"],
  ])("with the name %s is called %s", async (written, name) =>
    expect((await read(but("name: minimal", `name: ${written}`))).plan?.name).toBe(name),
  );

  test("tells its webhooks of the end", async () => {
    const text = and(
      "on_complete: { webhook_url: 'https://a.example/1' }",
      "on_failure: { webhook_url: 'https://b.example' }",
    );
    expect((await read(text)).plan?.webhooks).toEqual({
      complete: "https://a.example/1",
      failure: "https://b.example",
    });
  });
});

describe("a webhook", () => {
  const urls = (list: readonly string[]) => list.map((url) => [url] as const);
  const found = async (url: string) =>
    (await read(and(`on_failure: { webhook_url: ${JSON.stringify(url)} }`))).found;

  test.each(
    urls([
      ...[
        "https://hooks.example.com/x",
        "https://8.8.8.8/",
        "https://[2606:4700::1111]/x",
        "https://user:pw@example.com:8443/",
      ],
      ...[
        "https://localhost.example.com/",
        `https://example.com/${"x".repeat(2048 - 20)}`,
        "https://[::ffff:8.8.8.8]/",
      ],
    ]),
  )("goes to %s", async (url) => expect(await found(url)).toEqual([]));

  test.each(
    urls([
      ...[
        "http://example.com/",
        "HTTPS://example.com/",
        "ftp://example.com/",
        "example.com",
        "",
        "https://",
        "https://a b/",
      ],
      `https://example.com/${"x".repeat(2048 - 19)}`,
      // Names of this machine.
      ...[
        "https://localhost/",
        "https://LocalHost/",
        "https://localhost./",
        "https://localhost.localdomain/",
      ],
      ...[
        "https://localhost4/",
        "https://localhost6/",
        "https://ip6-localhost/",
        "https://ip6-loopback:8443/",
      ],
      // This machine and its networks.
      ...[
        "https://127.0.0.1/",
        "https://127.255.0.9/",
        "https://0.0.0.0/",
        "https://10.1.2.3/",
        "https://172.16.0.1/",
      ],
      ...["https://192.168.1.1/", "https://169.254.169.254/", "https://100.64.0.1/", "https://203.0.113.5/"],
      // The same, written otherwise.
      ...[
        "https://127.1/",
        "https://2130706433/",
        "https://0x7f000001/",
        "https://0177.0.0.1/",
        "https://0/",
      ],
      ...["https://127.0.0.1./", "https://１２７.0.0.1/"],
      ...[
        "https://[::1]/",
        "https://[::]/",
        "https://[fe80::1]/",
        "https://[fd00::1]/",
        "https://[::ffff:127.0.0.1]/",
      ],
      ...[
        "https://[::ffff:7f00:1]/",
        "https://[::127.0.0.1]/",
        "https://[64:ff9b::7f00:1]/",
        "https://[2002:7f00:1::]/",
      ],
      "https://[2001:db8::1]/",
    ]),
  )("does not go to %s", async (url) => expect(await found(url)).toEqual(["10:28 bad-value"]));

  test.each([
    ["without an address", "{}", "10:14 missing-key"],
    ["with an address that is nothing", "{ webhook_url: }", "10:16 wrong-type"],
    ["with an address that is a number", "{ webhook_url: 5 }", "10:29 wrong-type"],
    ["that is a text", "https://example.com/", "10:14 wrong-type"],
  ])("%s is refused", async (_, written, place) =>
    expect((await read(and(`on_complete: ${written}`))).found).toEqual([place]),
  );
});

describe("paths of a manifest", () => {
  /** A project in app/, with the manifest where its author's tools put it. */
  const inside = {
    path: "app/.claude/reports/plan-report-1.md",
    files: { "../../src/x.js": "", "../agents/dev.md": "" },
  };
  const about = (cwd: string, ...lines: string[]) => and(...lines).replace("cwd: .", `cwd: ${cwd}`);

  test("are taken from cwd, and where that is not as before, both are named", async () => {
    const text = about("../..", "    writes: [src/x.js, src/y/, /work/docs]");
    const { plan, diagnostics, found } = await read(text, inside);
    expect(plan?.tasks[0]?.owns.map(({ pattern }) => pattern)).toEqual([
      "app/src/x.js",
      "app/src/y/",
      "docs",
    ]);
    expect(found).toEqual(["10:14 ~path-base"]);
    expect(diagnostics[0]?.message).toContain("`src/x.js` means `app/src/x.js` here");
    expect(diagnostics[0]?.message).toContain("used `app/.claude/reports/src/x.js`");
    expect(diagnostics[0]?.related).toHaveLength(1);
  });

  test("are the same as before where cwd is the folder of the manifest", async () => {
    const { plan, found } = await read(and("    writes: [./src//a.js, src/b/../c.js, .]"));
    expect(found).toEqual([]);
    expect(plan?.tasks[0]?.owns.map(({ pattern }) => pattern)).toEqual(["src/a.js", "src/c.js", "**"]);
  });

  test.each(["../x", "/etc/passwd", "/work/../etc", "src/../../x", ".."])(
    "that lead out are refused: %s",
    async (path) => expect((await read(and(`    writes: [${path}]`))).found).toEqual(["10:14 bad-pattern"]),
  );

  test("start at cwd where there is no repository", async () => {
    const { plan, found } = await read(about("sub", "    writes: [a.js]"), {
      ...{ files: { "sub/a.js": "" }, repository: null },
    });
    expect(found).toEqual(["10:14 ~path-base"]);
    expect(plan?.tasks[0]?.owns.map(({ pattern }) => pattern)).toEqual(["a.js"]);
    expect(plan).toMatchObject({ folder: "/work/sub", prepare: { copy: [] } });
  });

  test("a task that only reads starts in cwd, and its reports are found there too", async () => {
    const text = about("../..").replace("read_only: false", "read_only: true");
    expect(taskOf(await read(text, inside), "a")).toMatchObject({
      dir: "app",
      reports: [".claude/reports/**", "app/.claude/reports/**"],
    });
  });

  test("tasks that write find .claude of cwd at the root of their worktree", async () => {
    const names = ["agents/dev.md", "CLAUDE.md", "reports/plan-report-1.md", "reports/test-report.md"];
    const files = Object.fromEntries(names.map((name) => [`.claude/${name}`, ""]));
    const { plan, found } = await read(minimal, { path: "app/plan.md", files });
    expect(found).toEqual([]);
    expect(plan?.prepare.copy).toEqual([
      ...["app/.claude/agents", "app/.claude/reports/plan-report-*.md"],
      { from: "app/.claude/agents", to: ".claude/agents" },
      { from: "app/.claude/reports/plan-report-1.md", to: ".claude/reports/plan-report-1.md" },
    ]);
  });

  test("an agent that is at the root as well is warned of where a task writes", async () => {
    const files = { ...inside.files, "../../../.claude/agents/dev.md": "" };
    expect((await read(about("../.."), { ...inside, files })).found).toEqual(["7:12 ~agents-elsewhere"]);
    const reads = about("../..").replace("read_only: false", "read_only: true");
    expect((await read(reads, { ...inside, files })).found).toEqual([]);
  });

  test("worktrees get what is in .claude, but nothing of other runs", async () => {
    const names = [
      "agents/a.md",
      "skills/s/SKILL.md",
      "hooks/h.py",
      "rules/r.md",
      "settings.local.json",
      "own.txt",
    ];
    const others = [
      "CLAUDE.md",
      "settings.json",
      "logs/l",
      "memory/m",
      "worktrees/w/x",
      "reports/r.md",
      "od*d",
    ];
    const files = Object.fromEntries([...names, ...others].map((name) => [`.claude/${name}`, ""]));
    const { plan, found } = await read(minimal, { files });
    expect(found).toEqual([]);
    expect(plan?.prepare.copy).toEqual([
      ...[
        ".claude/agents",
        ".claude/hooks",
        ".claude/own.txt",
        ".claude/rules",
        ".claude/settings.local.json",
      ],
      ...[".claude/skills", ".claude/reports/plan-report-*.md"],
    ]);
    expect((await read(minimal)).plan?.prepare.copy).toEqual([]);
  });
});

describe("the example", () => {
  const folder = mkdtempSync(join(tmpdir(), "plait-po-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("is a plan without a finding that matters, with each task after the one before", async () => {
    cpSync(fileURLToPath(new URL("../../examples/test-first", import.meta.url)), folder, { recursive: true });
    mkdirSync(join(folder, ".git"));
    const { plan, diagnostics } = await loadPlan(join(folder, "plan.md"), {
      ...{ cwd: folder, caps: defaultCaps, layers: defaultLayers() },
    });
    expect(diagnostics.filter(({ severity }) => severity !== "note")).toEqual([]);
    expect(plan?.tasks.map(({ id, needs, access }) => ({ id, needs, access }))).toEqual([
      { id: "tests", needs: [], access: "write" },
      { id: "code", needs: ["tests"], access: "write" },
      { id: "review", needs: ["tests", "code"], access: "read-only" },
    ]);
    expect(plan?.prepare.copy).toEqual([".claude/agents", ".claude/skills"]);
    expect(plan?.folder).toBe(folder);
  });
});

describe("a hostile manifest", () => {
  const many = (count: number, one: (i: number) => string) => Array.from({ length: count }, (_, i) => one(i));
  const unknownGroups = many(
    400,
    (i) => `  - { id: t${i}, agent: a, read_only: true, concurrency_group: grp${i} }`,
  );
  const sameMaps = many(300, (i) => `  - { <<: [${"*e,".repeat(20)}], id: t${i} }`);

  test.each([
    ["needs by the thousand", and(`    depends_on: [${many(30_000, (i) => `t${i}`)}]`)],
    [
      "groups that nobody knows",
      and(...unknownGroups, `concurrency_limits: { ${many(8_000, (i) => `group${i}: 1`)} }`),
    ],
    ["merge keys that unpack to a lot", and(`    env: &e { ${many(400, (i) => `E${i}: x`)} }`, ...sameMaps)],
  ])("with %s costs little", async (_, text) => {
    const start = cpuMs();
    expect((await read(text)).plan).toBeNull();
    expect(cpuMs() - start).toBeLessThan(4_000);
  });
});
