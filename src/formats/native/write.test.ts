import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { caps } from "../../../test/formats/caps.ts";
import { examples } from "../../../test/formats/examples.ts";
import { readAsPlan, show } from "../../../test/formats/read-as-plan.ts";
import { defaultLayers } from "../../config/settings.ts";
import { analyze } from "../../core/analyze/analyze.ts";
import type { PlanDraft, TextSource } from "../../core/draft.ts";
import { textHash } from "../../core/ids.ts";
import { readNative } from "./read.ts";
import { writeNative } from "./write.ts";

const write = (draft: PlanDraft) =>
  writeNative(draft, { header: "A plan.", fileName: (file) => file, folderName: (folder) => folder });

/** What was written, read again. */
function again(draft: PlanDraft): PlanDraft {
  const text = write(draft);
  const read = readNative({ path: draft.path, text }, caps, "/work");
  expect([text, ...read.diagnostics.filter(({ severity }) => severity === "error").map(show)]).toEqual([
    text,
  ]);
  return read.draft as PlanDraft;
}

/** Without places, which are others in another file. */
function placeless(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(placeless);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== "at");
  return Object.fromEntries(entries.map(([key, inner]) => [key, placeless(inner)]));
}

/** Texts are told apart by what they say. */
function planOf(draft: PlanDraft) {
  const hashOf = (source: TextSource) =>
    textHash(Buffer.from(JSON.stringify(source)).toString("hex").padEnd(64, "0").slice(-64));
  const text = (source: TextSource) => ({ hash: hashOf(source), bytes: 1, file: null });
  const { plan } = analyze(draft, { layers: defaultLayers(), text, sourceHash: textHash("0".repeat(64)) });
  return plan && { ...plan, source: null };
}

const fixtures = new URL("../../../test/formats/fixtures/", import.meta.url);
const files = [
  ...examples.map(({ name, text }) => ({ name, text })),
  ...readdirSync(fixtures)
    .filter((name) => !name.endsWith(".expected"))
    .map((name) => ({
      name: name.replace(/\.txt$/, ""),
      text: readFileSync(new URL(name, fixtures), "utf8"),
    })),
];

describe("a plan that is written", () => {
  test.each(files)("$name is the same plan when it is read again", async ({ name, text }) => {
    const { draft, diagnostics } = await readAsPlan(name, text);
    if (draft === null || diagnostics.some(({ severity }) => severity === "error")) return;
    const second = again({ ...draft, path: "plan.yaml" });
    if (draft.format === "native")
      expect(placeless(second)).toEqual(placeless({ ...draft, path: "plan.yaml" }));
    expect(planOf(second)).toEqual(planOf(draft));
  });

  test("there are plans of each format", async () => {
    const read = await Promise.all(examples.map(({ name, text }) => readAsPlan(name, text)));
    const found = new Set(read.map(({ draft }) => draft?.format));
    expect([...found]).toEqual(expect.arrayContaining(["native", "adm", "po"]));
  });

  test("everything that a plan can say comes back", () => {
    fc.assert(
      fc.property(anyPlan, (file) => {
        const json = JSON.stringify(file);
        const { draft, diagnostics } = readNative({ path: "plan.json", text: json }, caps, "/work");
        expect(diagnostics.filter(({ severity }) => severity === "error").map(show)).toEqual([]);
        const second = again({ ...(draft as PlanDraft), path: "plan.yaml" });
        expect(placeless(second)).toEqual(placeless({ ...draft, path: "plan.yaml" }));
      }),
      { numRuns: 60 },
    );
  });

  test("says where each thing came from", async () => {
    const example = examples.find(({ name }) => /dispatch/.test(name)) as (typeof examples)[number];
    const { draft } = await readAsPlan("limits/plan.md", example.text);
    expect(
      write(draft as PlanDraft)
        .split("\n")
        .slice(0, 22),
    ).toMatchInlineSnapshot(`
      [
        "# A plan.",
        "",
        "plait: 1",
        "name: rate-limits",
        "land:",
        "  as: merge",
        "tasks:",
        "  # from limits/plan.md:22, batch 1",
        "  - id: b1-1-general-purpose",
        "    title: "Add the limiter: general-purpose 1"",
        "    agent: { name: general-purpose } # limits/plan.md:22",
        "    owns: [ src/api/rate-limit.ts, src/api/server.ts ] # limits/plan.md:24",
        "    prompt: |- # limits/plan.md:23",
        "      Write src/api/rate-limit.ts: a sliding window of 100 requests a minute for each API key. Answer 429 with Retry-After above it. Wire it into src/api/server.ts.",
        "",
        "  # from limits/plan.md:27, batch 1",
        "  - id: b1-2-general-purpose",
        "    title: "Add the limiter: general-purpose 2"",
        "    needs: [ b1-1-general-purpose ] # limits/plan.md:27",
        "    agent: { name: general-purpose } # limits/plan.md:27",
        "    owns: [ src/api/rate-limit.test.ts ] # limits/plan.md:29",
        "    prompt: |- # limits/plan.md:28",
      ]
    `);
  });
});

/** Signs that mean something in YAML, and such that mean something to nobody. */
const word = fc
  .array(
    fc.constantFrom(
      ...[
        "a",
        "B",
        "7",
        " ",
        "\n",
        "\t",
        ":",
        "#",
        "-",
        "'",
        '"',
        "\\",
        "{",
        "}",
        "[",
        "]",
        ",",
        "&",
        "*",
        "!",
        "|",
        ">",
      ],
      ...[
        "%",
        "@",
        "`",
        "\r",
        "\u0000",
        "\u0085",
        "\u2028",
        "\ufeff",
        "é",
        "😀",
        "\ud800",
        "---",
        "null",
        "true",
        "~",
        "? ",
      ],
    ),
    { maxLength: 12 },
  )
  .map((signs) => signs.join(""));
const text = word.filter((value) => /\S/.test(value));
const line = text.filter((value) => /^[^\r\n]*\S[^\r\n]*$/.test(value));
const texts = fc.array(text, { maxLength: 3 });
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const whole = (least: number, most: number) => some(fc.integer({ min: least, max: most }));
const usd = fc.integer({ min: 0, max: 500_000 }).map((cents) => cents / 100);
const range = fc.oneof(
  usd,
  fc.tuple(usd, usd).map(([a, b]) => [Math.min(a, b), Math.max(a, b)]),
);
const duration = fc.integer({ min: 1, max: 604_800_000 }).map((ms) => `${ms}ms`);
const command = fc.oneof(text, fc.array(word, { minLength: 1, maxLength: 3 }));
const commands = fc.array(command, { maxLength: 2 });
const name = fc
  .string({ unit: fc.constantFrom("a", "b", "1", "-"), minLength: 1, maxLength: 4 })
  .map((end) => `x${end}`);
const env = fc.dictionary(name, word, { maxKeys: 2 });
const bool = some(fc.boolean());
const https = fc.constant("https://example.com/x?y=1#z");
const record = (shape: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(shape).map((value) => JSON.parse(JSON.stringify(value)));

const gate = fc.oneof(
  command,
  record({
    ...{
      run: command,
      name: some(line),
      dir: some(text),
      when: some(texts),
      retries: whole(0, 20),
      slots: whole(1, 256),
    },
    ...{ timeout: some(duration), env: some(env), "known-red": bool, results: some(text) },
  }),
);
const gates = fc.array(gate, { maxLength: 2 });
const settings = {
  agent: some(fc.oneof(text, record({ use: some(text), model: some(text), name: some(text) }))),
  access: some(fc.constantFrom("write", "read-only")),
  ...{ retries: whole(0, 20), "fix-rounds": whole(0, 10), race: whole(1, 8), budget: some(usd) },
  ...{
    timeout: some(duration),
    "start-timeout": some(duration),
    "idle-timeout": some(duration),
    group: some(text),
  },
  ...{ env: some(env), tools: some(record({ allow: some(texts), deny: some(texts) })) },
  estimate: some(fc.oneof(duration, record({ time: some(duration), cost: some(range) }))),
  ...{ "allow-empty": bool, approve: bool, history: some(fc.constantFrom("keep", "squash")) },
  ...{ "system-prompt": some(text), "done-file": some(text), dir: some(text) },
};
const copies = fc.oneof(texts, fc.array(fc.oneof(text, record({ from: text, to: text })), { maxLength: 2 }));
const setup = record({ run: command, inputs: texts, outputs: texts });
const setups = fc.oneof(commands, setup, fc.array(fc.oneof(command, setup), { maxLength: 2 }));
const preparation = {
  ...{ copy: some(copies), "env-files": bool },
  ...{ setup: some(setups), teardown: some(commands) },
};
const guards = fc.subarray(["ci", "lockfiles", "gate-scripts"]);
const claim = fc.oneof(text, record({ create: some(texts), modify: some(texts), shared: some(texts) }));
const each = fc.oneof(
  texts,
  record({ files: some(fc.array(text, { minLength: 1, maxLength: 2 })), exclude: some(texts) }),
  record({ command }),
);
const task = fc
  .tuple(
    fc.oneof(record({ prompt: text }), record({ "prompt-file": text }), record({ command })),
    record({
      ...{ id: word, title: some(line), needs: some(texts), wave: whole(0, 100), priority: whole(-100, 100) },
      ...{ owns: some(fc.array(claim, { maxLength: 3 })), boundary: some(texts), artifacts: some(texts) },
      gates: some(fc.oneof(gates, record({ only: gates }))),
      summaries: some(record({ title: line, from: fc.dictionary(name, line, { maxKeys: 2 }) })),
      consent: some(guards),
      ...{ reports: some(texts), each: some(fc.dictionary(name, each, { minKeys: 1, maxKeys: 2 })) },
      ...settings,
      ...preparation,
    }),
  )
  .map(([work, rest]) => ({ ...rest, ...work }));
const anyPlan = record({
  ...{ plait: fc.constant(1), name: some(line), tasks: fc.array(task, { minLength: 1, maxLength: 2 }) },
  ...{
    defaults: some(record(settings)),
    limits: some(fc.dictionary(name, fc.integer({ min: 1, max: 256 }), { maxKeys: 2 })),
  },
  ...{
    gates: some(gates),
    context: some(fc.array(fc.oneof(text, record({ text })), { maxLength: 2 })),
    folder: some(text),
  },
  land: some(
    fc.oneof(
      fc.constantFrom("end", "never"),
      record({
        ...{
          when: some(fc.constant("partial")),
          as: some(fc.constantFrom("merge", "rebase")),
          sign: bool,
          signoff: bool,
        },
        ...{
          message: some(text),
          author: some(fc.constantFrom("user", "kept")),
          push: bool,
          "pull-request": some(fc.constantFrom(true, false, "per-task")),
        },
      }),
    ),
  ),
  concurrency: whole(1, 256),
  ports: some(record({ from: whole(1024, 2000), to: whole(3000, 65535), count: whole(1, 1000) })),
  ...{
    budget: some(usd),
    enforce: some(fc.constantFrom("report", "fail")),
    consent: some(guards),
    isolation: some(fc.constantFrom("private", "shared")),
    "keep-awake": bool,
    "merge-message": some(line),
    "commit-message": some(line),
  },
  hooks: some(
    record({ start: some(commands), end: some(commands), failed: some(commands), held: some(commands) }),
  ),
  notify: some(
    record({
      bell: bool,
      desktop: bool,
      command: some(command),
      webhook: some(https),
      when: some(fc.constant("end")),
    }),
  ),
  webhooks: some(record({ complete: some(https), failure: some(https) })),
  prices: some(fc.array(record({ agent: text, model: some(text), "usd-per-hour": range }), { maxLength: 2 })),
  save: some(record({ "max-bytes": fc.integer({ min: 1, max: 1e9 }) })),
  ...preparation,
});
