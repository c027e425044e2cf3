import { describe, expect, test } from "vitest";
import type { GateDraft, PlanDraft, TaskSettingsDraft } from "../../core/draft.ts";
import type { SourceRange } from "../../core/source.ts";
import { readNative } from "./read.ts";

const caps = { maxPlanBytes: 1e6, maxDepth: 32, maxTasks: 100, maxPromptBytes: 1e6 };

function read(lines: readonly string[]): PlanDraft {
  const { draft, diagnostics } = readNative({ path: "plan.yaml", text: lines.join("\n") }, caps);
  expect(diagnostics).toEqual([]);
  return draft as PlanDraft;
}
/** A range on one line; `end` is a column. */
const on = (line: number, start: number, end: number): SourceRange => ({
  file: "plan.yaml",
  start: { line, col: start },
  end: { line, col: end },
});

const unsaid: TaskSettingsDraft = {
  agent: null,
  access: null,
  retries: null,
  fixRounds: null,
  race: null,
  startMs: null,
  idleMs: null,
  totalMs: null,
  group: null,
  env: null,
  tools: null,
  budgetUsd: null,
  estimate: null,
  priority: null,
  allowEmpty: null,
  approve: null,
  history: null,
  prepare: { copy: null, envFiles: null, setup: null, teardown: null },
};

const shell = (line: string, at: SourceRange): GateDraft => ({
  name: null,
  run: { kind: "shell", line },
  dir: null,
  when: [],
  retries: null,
  slots: null,
  timeoutMs: null,
  env: null,
  knownRed: null,
  results: null,
  at,
});

const quiet = { title: null, needs: [], wave: null, owns: [], boundary: [], artifacts: [], settings: unsaid };
const noGates = { mode: "add", gates: [] } as const;

describe("the draft of a native plan", () => {
  test("has every value of the introductory plan, with its place", () => {
    const draft = read([
      "plait: 1",
      "name: checkout",
      "defaults: { agent: claude, retries: 1, timeout: 45m, idle-timeout: 10m }",
      "limits: { api-calls: 2 }",
      "gates: [npm test]",
      "context: [docs/conventions.md]  # put in front of every prompt, a stable prefix",
      "land: end                      # end | partial | never",
      "tasks:",
      "  - id: api",
      "    prompt: Build the checkout route with its tests.",
      "    owns: [src/api/**, test/api/**]",
      "  - id: page",
      "    agent: { use: codex, model: some-model }",
      "    prompt-file: prompts/page.md",
      '    owns: [src/pages/checkout.tsx, "src/routes.ts::routes"]',
      "    boundary: [src/api/**]",
      "    group: api-calls",
      "  - id: wire",
      "    needs: [api, page]",
      "    prompt: |",
      "      Connect the page to the route.",
      "    gates: [npm run e2e]",
      "  - id: review",
      "    needs: [wire]",
      "    access: read-only",
      "    prompt: Review the whole change for races.",
      "  - id: docs",
      "    needs: [wire]",
      "    command: npm run docs",
      "",
    ]);
    expect(draft).toEqual({
      format: "native",
      path: "plan.yaml",
      name: "checkout",
      context: [{ value: { kind: "file", file: "docs/conventions.md" }, at: on(6, 11, 30) }],
      defaults: {
        ...unsaid,
        agent: { value: { use: "claude" }, at: on(3, 20, 26) },
        retries: 1,
        totalMs: 2_700_000,
        idleMs: 600_000,
      },
      limits: [{ group: { value: "api-calls", at: on(4, 11, 20) }, max: { value: 2, at: on(4, 22, 23) } }],
      gates: [shell("npm test", on(5, 9, 17))],
      prepare: { copy: null, envFiles: null, setup: null, teardown: null },
      hooks: { start: [], end: [], failed: [], held: [] },
      budgetUsd: null,
      land: "end",
      landStyle: {},
      publish: null,
      enforce: null,
      slots: null,
      ports: null,
      saveMaxBytes: null,
      prices: [],
      tasks: [
        {
          ...quiet,
          id: { value: "api", at: on(9, 9, 12) },
          work: {
            kind: "agent",
            prompt: {
              value: { kind: "inline", text: "Build the checkout route with its tests." },
              at: on(10, 13, 53),
            },
          },
          owns: [
            { mode: "any", text: { value: "src/api/**", at: on(11, 12, 22) } },
            { mode: "any", text: { value: "test/api/**", at: on(11, 24, 35) } },
          ],
          gates: noGates,
        },
        {
          ...quiet,
          id: { value: "page", at: on(12, 9, 13) },
          work: {
            kind: "agent",
            prompt: { value: { kind: "file", file: "prompts/page.md" }, at: on(14, 18, 33) },
          },
          owns: [
            { mode: "any", text: { value: "src/pages/checkout.tsx", at: on(15, 12, 34) } },
            { mode: "any", text: { value: "src/routes.ts::routes", at: on(15, 36, 59) } },
          ],
          boundary: [{ value: "src/api/**", at: on(16, 16, 26) }],
          gates: noGates,
          settings: {
            ...unsaid,
            agent: { value: { use: "codex", model: "some-model" }, at: on(13, 12, 45) },
            group: { value: "api-calls", at: on(17, 12, 21) },
          },
        },
        {
          ...quiet,
          id: { value: "wire", at: on(18, 9, 13) },
          needs: [
            { value: "api", at: on(19, 13, 16) },
            { value: "page", at: on(19, 18, 22) },
          ],
          work: {
            kind: "agent",
            prompt: {
              value: { kind: "inline", text: "Connect the page to the route.\n" },
              at: { file: "plan.yaml", start: { line: 20, col: 13 }, end: { line: 22, col: 1 } },
            },
          },
          gates: { mode: "add", gates: [shell("npm run e2e", on(22, 13, 24))] },
        },
        {
          ...quiet,
          id: { value: "review", at: on(23, 9, 15) },
          needs: [{ value: "wire", at: on(24, 13, 17) }],
          work: {
            kind: "agent",
            prompt: {
              value: { kind: "inline", text: "Review the whole change for races." },
              at: on(26, 13, 47),
            },
          },
          gates: noGates,
          settings: { ...unsaid, access: "read-only" },
        },
        {
          ...quiet,
          id: { value: "docs", at: on(27, 9, 13) },
          needs: [{ value: "wire", at: on(28, 13, 17) }],
          work: { kind: "command", run: { kind: "shell", line: "npm run docs" }, at: on(29, 14, 26) },
          gates: noGates,
        },
      ],
    });
  });

  test("says how the result lands", () => {
    const landed = (land: string) => read(["plait: 1", `land: ${land}`, "tasks: [{ id: a, prompt: x }]"]);
    expect(landed("never")).toMatchObject({ land: "never", landStyle: {}, publish: null });
    expect(
      landed("{ as: squash, sign: true, signoff: false, message: m, author: user, push: true }"),
    ).toMatchObject({
      land: null,
      landStyle: { as: "squash", sign: true, signoff: false, message: "m", author: "user" },
      publish: "push",
    });
    expect(landed("{ when: partial, pull-request: true }")).toMatchObject({
      land: "partial",
      landStyle: {},
      publish: "pull-request",
    });
  });

  test("has a gate that is known to be red, and where it reports", () => {
    const { gates } = read([
      "plait: 1",
      "gates:",
      "  - run: t",
      "    known-red: true",
      "    results: out/*.xml",
      "tasks: [{ id: a, prompt: x }]",
    ]);
    expect(gates).toMatchObject([{ knownRed: true, results: { value: "out/*.xml", at: on(5, 14, 23) } }]);
  });

  test("has every other key, in its long form", () => {
    const draft = read([
      "plait: 1",
      "gates:",
      "  - [make, check]",
      "  - run: npm test",
      "    name: unit tests",
      "    dir: web",
      "    when: web/**",
      "    retries: 2",
      "    slots: 1",
      "    timeout: 10m",
      "    env: { CI: '1' }",
      "copy: [.env, '*.key']",
      "setup: npm ci",
      "teardown: [docker compose down, [rm, -rf, tmp]]",
      "hooks: { start: a, end: [b], failed: [[c, d]], held: e }",
      "budget: 12.5",
      "concurrency: 6",
      "enforce: fail",
      "save: { max-bytes: 10MiB }",
      "prices: [{ agent: claude, model: large, usd-per-hour: [2, 5] }, { agent: codex, usd-per-hour: 3 }]",
      "tasks:",
      "  - id: a",
      "    title: Everything",
      "    command: [make, all]",
      "    needs: b",
      "    owns: { create: [x, y], modify: z }",
      "    boundary: w",
      "    gates: { only: [npm run lint] }",
      "    retries: 3",
      "    race: 2",
      "    timeout: 1h",
      "    env: { A: b }",
      "    estimate: { time: 20m, cost: [1, 3] }",
      "    priority: -5",
      "    wave: 2",
      "    allow-empty: true",
      "    approve: false",
      "    history: squash",
      "    copy: .env.test",
      "    setup: []",
      "    teardown: t",
      "    artifacts: [log/**]",
      "  - id: b",
      "    prompt: x",
      "    agent: { name: reviewer }",
      "    estimate: 90s",
      "    owns: [{ create: n }, m]",
    ]);
    const [a, b] = draft.tasks;
    expect(draft.gates).toEqual([
      { ...shell("", on(3, 5, 18)), run: { kind: "argv", argv: ["make", "check"] } },
      {
        name: "unit tests",
        run: { kind: "shell", line: "npm test" },
        dir: { value: "web", at: on(6, 10, 13) },
        when: [{ value: "web/**", at: on(7, 11, 17) }],
        retries: 2,
        slots: 1,
        timeoutMs: 600_000,
        env: [{ name: { value: "CI", at: on(11, 12, 14) }, value: { value: "1", at: on(11, 16, 19) } }],
        knownRed: null,
        results: null,
        at: on(4, 5, 18),
      },
    ]);
    expect(draft.prepare).toEqual({
      envFiles: null,
      copy: [
        { value: ".env", at: on(12, 8, 12) },
        { value: "*.key", at: on(12, 14, 21) },
      ],
      setup: [{ value: { kind: "shell", line: "npm ci" }, at: on(13, 8, 14) }],
      teardown: [
        { value: { kind: "shell", line: "docker compose down" }, at: on(14, 12, 31) },
        { value: { kind: "argv", argv: ["rm", "-rf", "tmp"] }, at: on(14, 33, 47) },
      ],
    });
    expect(draft.hooks).toEqual({
      start: [{ value: { kind: "shell", line: "a" }, at: on(15, 17, 18) }],
      end: [{ value: { kind: "shell", line: "b" }, at: on(15, 26, 27) }],
      failed: [{ value: { kind: "argv", argv: ["c", "d"] }, at: on(15, 39, 45) }],
      held: [{ value: { kind: "shell", line: "e" }, at: on(15, 54, 55) }],
    });
    expect(draft).toMatchObject({
      budgetUsd: 12.5,
      slots: { value: 6, at: on(17, 14, 15) },
      enforce: "fail",
      saveMaxBytes: 10_485_760,
      prices: [
        { agent: "claude", model: "large", usdPerHour: { low: 2, high: 5 } },
        { agent: "codex", model: null, usdPerHour: { low: 3, high: 3 } },
      ],
    });
    expect(a).toMatchObject({
      title: "Everything",
      work: { kind: "command", run: { kind: "argv", argv: ["make", "all"] } },
      needs: [{ value: "b" }],
      owns: [
        { mode: "create", text: { value: "x", at: on(26, 22, 23) } },
        { mode: "create", text: { value: "y", at: on(26, 25, 26) } },
        { mode: "modify", text: { value: "z", at: on(26, 37, 38) } },
      ],
      boundary: [{ value: "w" }],
      gates: { mode: "only", gates: [{ run: { kind: "shell", line: "npm run lint" } }] },
      wave: { value: 2 },
      artifacts: [{ value: "log/**" }],
      settings: {
        retries: 3,
        race: 2,
        totalMs: 3_600_000,
        env: [{ name: { value: "A" }, value: { value: "b" } }],
        estimate: { timeMs: 1_200_000, costUsd: { low: 1, high: 3 } },
        priority: -5,
        allowEmpty: true,
        approve: false,
        history: "squash",
        prepare: {
          copy: [{ value: ".env.test", at: on(39, 11, 20) }],
          setup: [],
          teardown: [{ value: { kind: "shell", line: "t" } }],
        },
      },
    });
    expect(b).toMatchObject({
      owns: [
        { mode: "create", text: { value: "n" } },
        { mode: "any", text: { value: "m" } },
      ],
      settings: { agent: { value: { name: "reviewer" } }, estimate: { timeMs: 90_000, costUsd: null } },
    });
  });

  test("has the settings that are about agents", () => {
    const [task] = read([
      "plait: 1",
      "tasks:",
      "  - id: a",
      "    prompt: x",
      "    fix-rounds: 4",
      "    start-timeout: 30s",
      "    idle-timeout: 5m",
      "    tools: { allow: Read, deny: [Write, Bash] }",
      "    budget: 2",
    ]).tasks;
    expect(task?.settings).toEqual({
      ...unsaid,
      fixRounds: 4,
      startMs: 30_000,
      idleMs: 300_000,
      tools: {
        allow: [{ value: "Read", at: on(8, 21, 25) }],
        deny: [
          { value: "Write", at: on(8, 34, 39) },
          { value: "Bash", at: on(8, 41, 45) },
        ],
      },
      budgetUsd: 2,
    });
  });

  test("keeps variables whose names objects know", () => {
    const [task] = read(["plait: 1", "tasks:", "  - { id: a, prompt: x, env: { constructor: y } }"]).tasks;
    expect(task?.settings.env).toMatchObject([{ name: { value: "constructor" }, value: { value: "y" } }]);
  });

  test.each([
    ["checkout/plan.yaml", "checkout"],
    ["plans/Plan.md", "plans"],
    ["plan.yaml", "plan"],
    ["../plan.yaml", "plan"],
    ["plans/checkout.yaml", "checkout"],
  ])("without a name, %s is called %s", (path, name) => {
    const text = "plait: 1\ntasks: [{ id: a, prompt: x }]\n";
    expect(readNative({ path, text }, caps).draft?.name).toBe(name);
  });
});
