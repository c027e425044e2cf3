import { describe, expect, test } from "vitest";
import { BASE, draftOf, LAYERS, NO_SETTINGS, sampleText } from "../../test/support/drafts.ts";
import { analyze } from "../core/analyze/analyze.ts";
import type { BaseSettings } from "../core/draft.ts";
import { mergeConfig } from "./merge.ts";
import { type ConfigFile, configFile, parseConfig } from "./schema.ts";

const says = (written: unknown): ConfigFile => {
  const parsed = parseConfig(written);
  if (!parsed.success) throw new Error(JSON.stringify(parsed.error.issues));
  return parsed.data;
};
const merged = (...files: unknown[]) =>
  mergeConfig(
    BASE,
    files.map((one, i) => ({ file: `file-${i}`, origin: "user" as const, says: says(one) })),
  );

const PLACE = { line: 1, col: 1 };
const shell = (line: string) => ({ kind: "shell", line });

/** Each key: two values as written, and where they arrive. */
const keys: readonly [
  key: string,
  write: (value: unknown) => unknown,
  values: readonly [unknown, unknown],
  read: (base: BaseSettings) => unknown,
  results: readonly [unknown, unknown],
][] = [
  ["agent", (agent) => ({ defaults: { agent } }), ["x", "y"], (b) => b.agent.use, ["x", "y"]],
  [
    "access",
    (access) => ({ defaults: { access } }),
    ["read-only", "write"],
    (b) => b.access,
    ["read-only", "write"],
  ],
  ["retries", (retries) => ({ defaults: { retries } }), [7, 0], (b) => b.retries, [7, 0]],
  ["fix-rounds", (n) => ({ defaults: { "fix-rounds": n } }), [7, 0], (b) => b.fixRounds, [7, 0]],
  ["timeout", (t) => ({ defaults: { timeout: t } }), ["7s", "8s"], (b) => b.limits.totalMs, [7_000, 8_000]],
  [
    "idle-timeout",
    (t) => ({ defaults: { "idle-timeout": t } }),
    ["7s", "8s"],
    (b) => b.limits.idleMs,
    [7_000, 8_000],
  ],
  [
    "start-timeout",
    (t) => ({ defaults: { "start-timeout": t } }),
    ["7s", "8s"],
    (b) => b.limits.startMs,
    [7_000, 8_000],
  ],
  [
    "gate-timeout",
    (t) => ({ defaults: { "gate-timeout": t } }),
    ["7s", "8s"],
    (b) => b.gateTimeoutMs,
    [7_000, 8_000],
  ],
  [
    "history",
    (history) => ({ defaults: { history } }),
    ["squash", "keep"],
    (b) => b.history,
    ["squash", "keep"],
  ],
  ["concurrency", (n) => ({ concurrency: n }), [7, 8], (b) => b.slots, [7, 8]],
  [
    "ports",
    (from) => ({ ports: { from } }),
    [7_000, 8_000],
    (b) => b.ports,
    [
      { from: 7_000, to: 29_999, count: 10 },
      { from: 8_000, to: 29_999, count: 10 },
    ],
  ],
  ["land", (land) => ({ land }), ["never", "partial"], (b) => b.land, ["never", "partial"]],
  ["budget", (budget) => ({ budget }), [7, 0], (b) => b.budgetUsd, [7, 0]],
  ["save", (n) => ({ save: { "max-bytes": n } }), ["7MB", 8], (b) => b.saveMaxBytes, [7_000_000, 8]],
  [
    "prepare",
    (prepare) => ({ prepare }),
    [
      { copy: "a", setup: "up", teardown: "down", "env-files": false },
      { copy: [], setup: [["x", "y"]], teardown: [], "env-files": true },
    ],
    (b) => b.prepare,
    [
      { copy: ["a"], setup: [shell("up")], teardown: [shell("down")], envFiles: false },
      { copy: [], setup: [{ kind: "argv", argv: ["x", "y"] }], teardown: [], envFiles: true },
    ],
  ],
  ["notify", (when) => ({ notify: { when } }), ["end", "needed"], (b) => b.notify.when, ["end", "needed"]],
  ["warm-cache", (warm) => ({ "warm-cache": warm }), [true, false], (b) => b.warmCache, [true, false]],
  [
    "isolation",
    (isolation) => ({ isolation }),
    ["private", "shared"],
    (b) => b.isolation,
    ["private", "shared"],
  ],
  ["sandbox", (sandbox) => ({ sandbox }), ["auto", "off"], (b) => b.sandbox, ["auto", "off"]],
  ["keep-awake", (awake) => ({ "keep-awake": awake }), [true, false], (b) => b.keepAwake, [true, false]],
];

describe.each(keys)("%s", (_, write, values, read, results) => {
  test("is what plait does by itself where no file says it", () => {
    expect(read(merged().base)).toEqual(read(BASE));
    expect(read(merged({}, {}).base)).toEqual(read(BASE));
  });

  test("the user's file is over that", () => {
    expect(read(merged(write(values[0])).base)).toEqual(results[0]);
    expect(read(merged(write(values[0]), {}).base)).toEqual(results[0]);
  });

  test("the project's file is over the user's", () => {
    expect(read(merged(write(values[0]), write(values[1])).base)).toEqual(results[1]);
    expect(read(merged(write(values[1]), write(values[0])).base)).toEqual(results[0]);
  });
});

test("walls that one file requires no other takes away, and grants add up", () => {
  expect(merged({ sandbox: "required" }, { sandbox: "off" }).base.sandbox).toBe("required");
  expect(merged({ grant: "~/.gradle" }, { grant: ["ro:/data", "$DB_URL"] }).base.grants).toEqual([
    { kind: "path", path: "~/.gradle", isWritable: true },
    { kind: "path", path: "/data", isWritable: false },
    { kind: "variable", name: "DB_URL" },
  ]);
});

test("how long runs are kept is decided by each key itself", () => {
  const size = 2 * 1024 ** 3;
  expect(merged().keep).toEqual({ days: 14, bytes: size, copies: size });
  expect(merged({ keep: { days: 3, bytes: "1KiB", copies: "0B" } }, { keep: { days: 0 } }).keep).toEqual({
    days: 0,
    bytes: 1024,
    copies: 0,
  });
});

test("checks replace those of the file below, and none is a word, too", () => {
  const make = { name: "tests", run: "make test" };
  const user = { integrate: { checks: [{ name: "tests", run: "make test" }] } };
  expect(merged().checks).toBeNull();
  expect(merged(user, { integrate: {} }).checks).toEqual([make]);
  const lint = { name: "l", kind: "lint", run: "make lint" };
  expect(merged(user, { integrate: { checks: [lint] } }).checks).toEqual([lint]);
  expect(merged(user, { integrate: { checks: [] } }).checks).toEqual([]);
});

test("of traces each word is taken by itself", () => {
  const endpoint = "https://collector.example.com/v1/traces";
  expect(merged().traces).toEqual({ file: false, endpoint: null });
  expect(merged({ traces: { endpoint } }, { traces: { file: true } }).traces).toEqual({
    file: true,
    endpoint,
  });
});

test("no key of the schema is left out of the table", () => {
  const {
    $schema,
    agents,
    defaults,
    keep,
    integrate,
    traces,
    grant,
    "allow-env": _,
    ...top
  } = configFile.shape;
  const all = [...Object.keys(defaults.unwrap().shape), ...Object.keys(top)];
  expect(keys.map(([key]) => key).sort()).toEqual(all.sort());
});

/** From low to high; each layer says its own number of retries, and the highest one that speaks is heard. */
const layers = ["plait", "user", "project", "plan", "flag", "task"] as const;
type Layer = (typeof layers)[number];

function retriesWith(speaking: ReadonlySet<Layer>): number | undefined {
  const file = (layer: Layer) =>
    speaking.has(layer) ? { defaults: { retries: layers.indexOf(layer) } } : {};
  const value = (layer: Layer) => (speaking.has(layer) ? layers.indexOf(layer) : null);
  const { base } = mergeConfig({ ...BASE, retries: 0 }, [
    { file: "user", origin: "user", says: says(file("user")) },
    { file: "project", origin: "project", says: says(file("project")) },
  ]);
  const flag = value("flag");
  const draft = draftOf([{ id: "a", retries: value("task") }], {
    defaults: { ...NO_SETTINGS, retries: value("plan") },
  });
  const { plan } = analyze(draft, {
    layers: { ...LAYERS, base, overrides: flag === null ? {} : { retries: flag } },
    text: sampleText,
    sourceHash: "0".repeat(64) as never,
  });
  return plan?.tasks[0]?.retries;
}

const pairs = layers.flatMap((low, i) => layers.slice(i + 1).map((high) => [low, high] as const));

test.each(pairs)("%s < %s", (low, high) => {
  expect(retriesWith(new Set([low]))).toBe(layers.indexOf(low));
  expect(retriesWith(new Set([low, high]))).toBe(layers.indexOf(high));
});

test("what is set for a run: files, then the plan, then flags", () => {
  const { base } = merged({ concurrency: 3, budget: 4, land: "never" });
  const planWith = (more: object, overrides = {}) =>
    analyze(
      { ...draftOf([{ id: "a" }]), ...more },
      { layers: { ...LAYERS, base, overrides }, text: sampleText, sourceHash: "0".repeat(64) as never },
    ).plan;
  expect(planWith({})).toMatchObject({ slots: 3, budgetUsd: 4, land: "never" });
  const said = { budgetUsd: 0, land: "partial" };
  expect(planWith(said)).toMatchObject({ budgetUsd: 0, land: "partial" });
  expect(planWith(said, { slots: 9, budgetUsd: 9, land: "end" })).toMatchObject({
    slots: 9,
    budgetUsd: 9,
    land: "end",
  });
});

test("a preparation is replaced list by list, by a file, by the plan and by a task; .worktreeinclude is added to all", () => {
  const { base } = merged({ prepare: { copy: "u", setup: "s" } }, { prepare: { copy: "p" } });
  const placed = <T>(value: T) => [{ value, at: { file: "x", start: PLACE, end: PLACE } }];
  const draft = draftOf([{ id: "a", prepare: { ...NO_SETTINGS.prepare, copy: placed("t") } }], {
    prepare: { ...NO_SETTINGS.prepare, teardown: placed({ kind: "shell", line: "d" }) },
  });
  const layers = { ...LAYERS, base, include: ["*.key"] };
  const { plan } = analyze(draft, { layers, text: sampleText, sourceHash: "0".repeat(64) as never });
  const rest = { include: ["*.key"], envFiles: true, setup: [shell("s")], teardown: [shell("d")] };
  expect(plan?.prepare).toEqual({ copy: ["p"], ...rest });
  expect(plan?.tasks[0]?.prepare).toEqual({ copy: ["t"], ...rest });
});

describe("agents", () => {
  test("another program drops model and sub-agent of the one below; the same one keeps them", () => {
    const user = { defaults: { agent: { use: "x", model: "big", name: "n" } } };
    expect(merged(user, { defaults: { agent: "y" } }).base.agent).toEqual({
      use: "y",
      model: null,
      name: null,
    });
    expect(merged(user, { defaults: { agent: { model: "small" } } }).base.agent).toEqual({
      use: "x",
      model: "small",
      name: "n",
    });
  });

  test("are joined by name; one that both files define is the project's as a whole", () => {
    const user = {
      agents: { a: { run: ["a"], title: "A", exits: { 75: "rate-limit" } }, b: { run: ["b"] } },
    };
    const { agents } = merged(user, { agents: { a: { run: ["other"] } } });
    const nothing = { title: null, readOnlyArgs: null, env: {}, versionArgv: null, account: null, exits: {} };
    expect(agents).toEqual([
      { name: "a", argv: ["other"], ...nothing, file: "file-1" },
      { name: "b", argv: ["b"], ...nothing, file: "file-0" },
    ]);
  });

  test("everything that can be written about one arrives", () => {
    const written = {
      run: ["x", "{prompt-file}"],
      title: "X",
      "read-only-args": ["--ro"],
      env: { K: "v" },
      version: ["x", "-V"],
      account: "mine",
      exits: { 75: "rate-limit" },
    };
    expect(merged({ agents: { x: written } }).agents).toEqual([
      {
        name: "x",
        argv: ["x", "{prompt-file}"],
        title: "X",
        readOnlyArgs: ["--ro"],
        env: { K: "v" },
        versionArgv: ["x", "-V"],
        account: "mine",
        exits: { "75": "rate-limit" },
        file: "file-0",
      },
    ]);
  });
});
