import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { streamLogName } from "../../src/app/cast/stream-log.ts";
import { tellEnd } from "../../src/cli/compat/cast-parallel/end.ts";
import { listSevered, splitAt } from "../../src/cli/compat/cast-parallel/split.ts";
import { type LineOrder, lineOrder, streamPlan } from "../../src/cli/compat/cast-parallel/streams.ts";
import type { Talk } from "../../src/cli/compat/cast-parallel/talk.ts";
import { parseWords } from "../../src/cli/compat/cast-parallel/words.ts";
import { answerCast } from "../../src/cli/compat/cast-parallel.ts";
import { openOutput } from "../../src/cli/output.ts";
import { plainText } from "../../src/cli/render/line.ts";
import { readEnv } from "../../src/config/env.ts";
import { folderWith } from "../cli/plait.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { Scenario } from "../support/scenario.ts";

/** The tables of the old command line, without a run: words, split, what is refused and with which exit code. */

describe("the words", () => {
  const no = { allowRoot: false, allowNested: false, withoutSubAgents: false };
  const asked = { kind: "run", plan: "p.md", dryRun: false, split: null, dag: false, ...no };

  it.each<[string[], object]>([
    [["p.md"], asked],
    [["--dry-run", "p.md"], { ...asked, dryRun: true }],
    [["p.md", "--dry-run"], { ...asked, dryRun: true }],
    [["p.md", "--split", "2", "--dry-run"], { ...asked, dryRun: true, split: 2 }],
    [["--split", "1", "--split", "02", "p.md"], { ...asked, split: 2 }],
    [["--dag", "p.md"], { ...asked, dag: true }],
    [["--allow-root", "p.md", "--allow-nested"], { ...asked, allowRoot: true, allowNested: true }],
    [["--dag", "--without-sub-agents", "p.md"], { ...asked, dag: true, withoutSubAgents: true }],
    [["~/plans/p.md"], { ...asked, plan: "/home/u/plans/p.md" }],
    [["a/~/p.md"], { ...asked, plan: "a/~/p.md" }],
    [["--help", "--bogus"], { kind: "help" }],
    [["p.md", "-h"], { kind: "help" }],
  ])("%j are understood", (words, expected) => {
    expect(parseWords(words, "/home/u")).toEqual(expected);
  });

  it.each<[string[], string]>([
    [[], "Plan file is required."],
    [[""], "Plan file is required."],
    [["--dry-run"], "Plan file is required."],
    [["--split"], "--split requires a number"],
    [["p.md", "--split"], "--split requires a number"],
    [["--split", "", "p.md"], "--split requires a number"],
    [["--split", "x", "p.md"], "--split must be a positive integer"],
    [["--split", "-1", "p.md"], "--split must be a positive integer"],
    [["--split", "1.5", "p.md"], "--split must be a positive integer"],
    [["--split", "--dry-run", "p.md"], "--split must be a positive integer"],
    [["--split=2", "p.md"], "Unknown flag: --split=2"],
    [["--bogus", "--help"], "Unknown flag: --bogus"],
    [["-", "p.md"], "Unknown flag: -"],
    [["--", "p.md"], "Unknown flag: --"],
    [["p.md", "q.md"], "Unexpected argument: q.md"],
    [["--dag", "--split", "2", "p.md"], "--split and --dag cannot be combined"],
    [["--without-sub-agents", "p.md"], "--without-sub-agents requires --dag"],
  ])("%j are wrong", (words, message) => {
    expect(parseWords(words, null)).toEqual({ kind: "wrong", message });
  });
});

type Written = { readonly id: string; readonly needs?: string[]; readonly mentions?: string[] };

function manifestOf(...batches: Written[]) {
  return {
    planId: "p",
    batches: batches.map(({ id, needs = [], mentions = [] }) => ({ id, needs, mentions })),
  };
}

const counted = (n: number) => manifestOf(...Array.from({ length: n }, (_, i) => ({ id: String(i + 1) })));

function cut(manifest: ReturnType<typeof manifestOf>, at: number | null = null) {
  const result = splitAt(manifest, at);
  if (!result.ok) throw new Error(result.message);
  return result.split;
}

describe("the split", () => {
  it.each<[number, number | null, string, string]>([
    [1, null, "1", ""],
    [2, null, "1", "2"],
    [3, null, "1", "2,3"],
    [4, null, "1,2", "3,4"],
    [5, null, "1,2", "3,4,5"],
    [5, 1, "1", "2,3,4,5"],
    [5, 4, "1,2,3,4", "5"],
  ])("%i batches, --split %s: %s and %s", (count, wanted, a, b) => {
    const split = cut(counted(count), wanted);
    expect([split.a, split.b].map((all) => all.map(({ id }) => id).join(","))).toEqual([a, b]);
  });

  it.each([
    [3, 0, "--split N must be between 1 and 2 (got 0, batch count is 3)"],
    [3, 3, "--split N must be between 1 and 2 (got 3, batch count is 3)"],
    [3, Number("9".repeat(30)), "--split N must be between 1 and 2 (got 1e+30, batch count is 3)"],
    [1, 1, "--split needs at least two batches (got 1, batch count is 1)"],
  ])("of %i batches is refused at %d", (count, wanted, message) => {
    expect(splitAt(counted(count), wanted)).toEqual({ ok: false, message });
  });

  it.each([
    [
      "what its text names",
      manifestOf({ id: "1" }, { id: "2" }, { id: "3" }, { id: "4", mentions: ["2", "3"] }),
      "batch 4 in stream B mentions batch 2 in stream A",
    ],
    [
      "what depends_on says",
      manifestOf({ id: "1" }, { id: "2" }, { id: "3", needs: ["1"] }, { id: "4", needs: ["1", "2"] }),
      "batches 3 and 4 in stream B need batches 1 and 2 in stream A",
    ],
  ])("that severs %s is warned about once", (_, manifest, says) => {
    expect(listSevered(cut(manifest))).toEqual([
      `${says}, but both streams start together; use --dag to keep the order`,
    ]);
  });

  it.each([
    ["batches that need nothing", manifestOf({ id: "1" }, { id: "2", needs: [] })],
    [
      "needs inside a stream",
      manifestOf({ id: "1" }, { id: "2" }, { id: "3", needs: [] }, { id: "4", needs: ["3"] }),
    ],
    ["a single batch", counted(1)],
    ["batches that are only listed one after another", counted(6)],
  ])("severs nothing with %s", (_, manifest) => expect(listSevered(cut(manifest))).toEqual([]));

  const dispatch = (...batches: object[]) => block(JSON.stringify({ plan_id: "p", batches }));
  const says = (prompt: string) => ({ agents: [{ subagent_type: "dev", prompt }] });

  it.each<[string, object[], string[]]>([
    [
      "independent batches",
      [
        { id: 1, ...says("Do a.") },
        { id: 2, ...says("Do b.") },
      ],
      [],
    ],
    ["a need", [{ id: 1 }, { id: 2, depends_on: [1] }], ["needs"]],
    ["a fan-out above", [{ id: 1, type: "fan-out" }, { id: 2 }], ["needs"]],
    [
      "a fan-out that is not needed",
      [
        { id: 1, type: "fan-out" },
        { id: 2, depends_on: [] },
      ],
      [],
    ],
    ["a prompt", [{ id: 1 }, { id: 2, ...says("Build on what batch 1 wrote. No tests.") }], ["mentions"]],
    ["a description", [{ id: 1 }, { id: 2, description: "Review batches #1 and 3" }], ["mentions"]],
    ["a prompt and a need", [{ id: 1 }, { id: 2, depends_on: [1], ...says("After batch 1") }], ["needs"]],
    ["no need", [{ id: 1 }, { id: 2, ...says("Independent of batch 1.\nDon't touch batch 1.") }], []],
    ["itself", [{ id: 1 }, { id: 2, ...says("You are batch 2.") }], []],
  ])("with %s in the plan warns of what is so", async (_, batches, verbs) => {
    const { stderr } = await cast(["--dry-run", "p.md"], dispatch(...batches));
    const said = verbs.map((verb) => `WARN: batch 2 in stream B ${verb} batch 1 in stream A, but`);
    expect(stderr.split("\n").map((line) => /^WARN: .* but/.exec(line)?.[0] ?? line)).toEqual(
      said.length === 0 ? [""] : said,
    );
  });

  it("gives each stream its batches by number, the plan by its whole path, and no second try", () => {
    const plan = streamPlan(cut(counted(3)), { planId: "p", path: "/plans/p.md" });
    expect(plan.prompts.map(({ id }) => id)).toEqual(["stream-a", "stream-b"]);
    const [, b] = plan.prompts.map(({ source }) => (source.kind === "inline" ? source.text : ""));
    expect(b).toMatch(/^Execute batches 2,3 from the plan at \/plans\/p\.md\. You are Stream B /);
    expect(plan.settings).toMatchObject({ retries: 0, fixRounds: 0, access: "write", allowEmpty: true });
  });
});

it.each([
  ["my-plan", "cast-parallel-my-plan-stream-a.log"],
  ["feat/login/../x", "cast-parallel-feat-login-..-x-stream-a.log"],
  ["a\nb", "cast-parallel-a-b-stream-a.log"],
  ["", "cast-parallel-2026-11-15-login-stream-a.log"],
])("the log of the plan %j is %s", (planId, name) => {
  expect(streamLogName(planId, "/plans/2026-11-15-login.md", "a")).toBe(name);
});

/** Everything that is said, by the stream that it goes to. */
function recording(): Talk & { readonly stdout: string[]; readonly stderr: string[] } {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  return {
    ...{ stdout, stderr },
    header: (text) => void stdout.push(text),
    detail: (text) => void stdout.push(text),
    plain: (text) => void stdout.push(text),
    info: (text) => void stdout.push(`[cast-parallel] ${text}`),
    success: (text) => void stdout.push(`[cast-parallel] ${text}`),
    warn: (text) => void stderr.push(`WARN: ${text}`),
    error: (text) => void stderr.push(`ERROR: ${text}`),
    quote: (lines) => void stderr.push(...lines),
    lines: (lines) => void stderr.push(...lines.map(plainText)),
    settled: async () => undefined,
  };
}

async function cast(words: readonly string[], plan: string | null, variables: Record<string, string> = {}) {
  const folder = folderWith(plan === null ? { "sub/x": "" } : { "p.md": plan });
  const env = readEnv({ HOME: folder, ...variables });
  const talk = recording();
  const code = await answerCast(words, { env, startedIn: folder, output: openOutput(env, {}) }, talk);
  expect(readdirSync(folder), "nothing is made").toEqual([plan === null ? "sub" : "p.md"]);
  return { code, stdout: talk.stdout.join("\n"), stderr: talk.stderr.join("\n") };
}

const block = (json: string, fence = "```json dispatch\n"): string => `# Plan\n\n${fence}${json}\n\`\`\`\n`;
const three = '{"plan_id": "shop", "batches": [{"id": 1}, {"id": 2}, {"id": 3}]}';

describe("before anything starts", () => {
  it("the guard of CAST ends it silently, whatever the words", async () => {
    for (const words of [["--bogus"], ["--help"], ["p.md"]])
      expect(await cast(words, block(three), { CAST_SUBPROCESS: "1" })).toEqual({
        code: 0,
        stdout: "",
        stderr: "",
      });
  });

  it("help goes to stdout", async () => {
    const { code, stdout, stderr } = await cast(["--help"], null);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(
      "Usage: cast-parallel [--dry-run] [--split N] [--dag] [--without-sub-agents] [--allow-root] [--allow-nested] <plan-file>",
    );
    expect(stdout).toContain("docs/guide/migrating-from-cast-parallel.md");
  });

  it.each<[string, string[], string | null, string]>([
    ["an unknown flag", ["--bogus"], null, "ERROR: Unknown flag: --bogus"],
    ["no plan", [], null, "ERROR: Plan file is required."],
    ["a plan that is not there", ["q.md"], null, "ERROR: Plan file not found: q.md"],
    ["a folder", ["sub"], null, "ERROR: Plan file not found: sub"],
    ["a second plan", ["p.md", "q.md"], block(three), "ERROR: Unexpected argument: q.md"],
    ["--split without a number", ["p.md", "--split", "x"], block(three), "ERROR: --split must be"],
  ])("%s is exit 2 with the usage on stderr", async (_, words, plan, message) => {
    const { code, stdout, stderr } = await cast(words, plan);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
    expect(stderr).toContain("Usage: cast-parallel");
  });

  it.each<[string, string, string[], RegExp]>([
    ["a plan without a block", "# Plan\n", [], /p\.md:1:1/],
    ["JSON that cannot be read", block('{"batches": [}'), [], /p\.md:4:14/],
    ["no batches", block('{"batches": []}'), [], /p\.md:4:\d+/],
    ["a batch without an id", block('{"batches": [{"id": 1},\n {"parallel": true}]}'), [], /p\.md:5:2/],
    ["two blocks", block(three) + block(three), [], /p\.md:8:1/],
    ["a batch that is no object", block('{"batches": [7]}'), [], /p\.md:4:\d+.*missing key `id`/],
    ["an id that is no word", block('{"batches": [{"id": {}}]}'), [], /p\.md:4:\d+.*missing key `id`/],
    ["batches that are no list", block('{"batches": {"id": 1}}'), [], /p\.md:4:\d+.*the plan has no tasks/],
    ["a manifest that is no object", block("[]"), [], /p\.md:4:\d+.*the plan has no tasks/],
    [
      "two batches of one id",
      block('{"batches": [{"id": 1},\n {"id": "1"}]}'),
      [],
      /p\.md:5:9.*the batch id `1` is used twice/,
    ],
    ["a comma alone", block('{"batches": [,]}'), [], /p\.md:4:14.*unexpected comma/],
    ["--split 0", block(three), ["--split", "0"], /--split N must be between 1 and 2/],
    ["--split at the end", block(three), ["--split", "3"], /--split N must be between 1 and 2/],
  ])("%s is exit 1, with the place", async (_, plan, flags, message) => {
    const { code, stdout, stderr } = await cast([...flags, "p.md"], plan);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(message);
    expect(stderr).toContain("ERROR: ");
  });

  it("what the split does not need is not looked at", async () => {
    const odd = block(
      '{"plan_id": 7, "x": 1, "batches": [{"id": "one", "agents": 3}, {"id": true, "depends_on": 4}]}',
    );
    const { code, stdout } = await cast(["--dry-run", "p.md"], odd);
    expect(code).toBe(0);
    expect(stdout).toContain("  Plan ID: 7\n");
    expect(stdout).toContain("  Stream A (worktree-a): batches one\n  Stream B (worktree-b): batches true");
  });

  it("a batch that needs one that is not there is warned about", async () => {
    const odd = block('{"batches": [{"id": 1}, {"id": 2,\n "depends_on": [7]}]}');
    const { code, stderr } = await cast(["--dry-run", "p.md"], odd);
    expect(code).toBe(0);
    expect(stderr).toMatch(/p\.md:5:\d+.*batch `2` needs `7`, which is not a batch/);
  });

  it.each([
    ["LF", "```json dispatch\n", "\n"],
    ["CRLF", "```json dispatch\r\n", "\r\n"],
    ["blanks behind the fence", "```json dispatch  \t\n", "\n"],
  ])("a dry run shows the split of a plan with %s, and nothing else", async (_, fence, feed) => {
    const { code, stdout, stderr } = await cast(
      ["--dry-run", "p.md"],
      block(three, fence).replaceAll(/\r?\n/g, feed),
    );
    expect(code).toBe(0);
    expect(stdout.split("\n")).toEqual([
      ...["cast parallel — dry run", "  Plan: p.md", "  Plan ID: shop", "  Total batches: 3"],
      ...["  Split after batch: 1", "", "  Stream A (worktree-a): batches 1"],
      "  Stream B (worktree-b): batches 2,3",
    ]);
    expect(stderr).toBe("");
  });
});

describe("the lines of both streams", () => {
  const told = (steps: (order: LineOrder, pass: (ms: number) => void) => void) => {
    const clock = createManualClock();
    const talk = recording();
    const order = lineOrder(["stream-a", "stream-b"], talk, clock);
    steps(order, clock.advance);
    return talk.stdout.map((line) => line.replace("[cast-parallel] ", ""));
  };
  const waiting = "Waiting for parallel sessions to complete...";
  const [created, launching] = ["Worktrees created:", "Launching parallel sessions..."];
  const start = (name: string) => ({ worktree: `  ${name}: tree`, agent: name });

  it("come in one order, however early a stream is", () => {
    const lines = told((order) => {
      order.started("stream-b", start("B"));
      order.completed("stream-b", "B done");
      order.started("stream-a", start("A"));
      order.completed("stream-a", "A done");
    });
    expect(lines).toEqual([
      ...[created, "  A: tree", "  B: tree", launching, "A", "B", waiting, "B done", "A done"],
    ]);
  });

  it("are not held back for long, nor lost", () => {
    const lines = told((order, pass) => {
      order.started("stream-b", start("B"));
      pass(2_000);
      order.started("stream-a", start("A"));
      order.completed("stream-b", "B done");
    });
    expect(lines).toEqual([created, "  B: tree", launching, "B", "  A: tree", "A", waiting, "B done"]);
    const ended = told((order) => {
      order.started("stream-a", start("A"));
      order.completed("stream-a", "A done");
      order.flush();
    });
    expect(ended).toEqual([created, "  A: tree", launching, "A", "A done"]);
  });
});

it("worktrees are cleaned up after a success that merged nothing, and the lines say so", () => {
  const run = new Scenario([
    { id: "stream-a", access: "read-only" },
    { id: "stream-b", access: "read-only" },
  ]);
  for (const id of ["stream-a/1", "stream-b/1"]) run.start(id).end(id).save(id, { changed: false });
  const talk = recording();
  const followed = { logs: new Map(), exits: new Map(), end: async () => undefined };
  tellEnd(run.finish().state, followed, talk);
  expect(talk.stdout.map((line) => line.replace("[cast-parallel] ", ""))).toEqual([
    ...["Cleaning up worktrees...", "Worktrees cleaned up.", ""],
    "Parallel execution complete. Nothing to merge.",
  ]);
  expect(talk.stderr).toEqual([]);
});
