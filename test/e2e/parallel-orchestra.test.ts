import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../cli/plait.ts";
import { describeClaude } from "./claude-program.ts";
import { scriptMark } from "./model-script.ts";
import { factsOf, newPlace, plait, sh } from "./runs.ts";
import { writeFiles } from "./support.ts";

const TESTS = `import assert from "node:assert/strict";
import test from "node:test";
import { slug } from "../src/slug.js";

test("words are joined by dashes", () => assert.equal(slug("Hello, World"), "hello-world"));
`;

const CODE = `export const slug = (title) => title.toLowerCase().match(/[a-z0-9]+/g)?.join("-") ?? "untitled";\n`;

const SUCCESS = '{"status":"SUCCESS","cycles":1,"report":".claude/reports/code.md"}';

describeClaude("plait parallel-orchestra with the real Claude", () => {
  test("runs the example of a test-first workflow by its own agents, and tells of it in the old words (I1, I11)", async () => {
    const place = await newPlace({
      tests: [{ write: { path: "test/slug.test.js", content: TESTS } }, { text: "One test, and it is red." }],
      code: [
        { write: { path: "src/slug.js", content: CODE } },
        { bash: "node --test" },
        { text: `It is green.\n\n${SUCCESS}` },
      ],
      review: [{ read: "src/slug.js" }, { text: "Accents become dashes." }],
    });
    cpSync(join(root, "examples/test-first"), place.repo, { recursive: true });
    const plan = join(place.repo, "plan.md");
    const marked = readFileSync(plan, "utf8").replace(
      /- id: (\w+)[\s\S]*?prompt: \|\n/g,
      (task, id) => `${task}      ${scriptMark(id)}\n`,
    );
    writeFileSync(plan, marked);
    sh(place, "git add -A; git commit -q -m example");

    const words = ["plan.md", "--allow-root", "--report", "../report.json", "--log-dir", "../logs"];
    const { code, stdout, stderr } = await plait(place, "parallel-orchestra", "run", ...words);
    expect(stderr).not.toContain("Error:");
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => line.replace(/duration=\d+\.\d\d/, "duration=N"))).toEqual([
      "[ok] tests (test-writer) duration=N returncode=0",
      "[ok] code (implementer) duration=N returncode=0 status=SUCCESS cycles=1 report=code.md",
      "[ok] review (reviewer) duration=N returncode=0",
    ]);
    expect(code).toBe(0);
    expect(sh(place, "node --test >/dev/null && git status --short && git ls-files src test")).toBe(
      "src/index.js\nsrc/slug.js\ntest/slug.test.js",
    );
    // As it would have printed it: its words, and no events.
    expect(sh(place, "cat ../logs/code-stdout.log")).toBe(`It is green.\n\n${SUCCESS}`);
    const report = JSON.parse(readFileSync(join(place.repo, "../report.json"), "utf8"));
    expect(report).toMatchObject({ manifest: "slugs, test first", total: 3, succeeded: 3, failed: 0 });
    expect(report.tasks[1]).toMatchObject({ agent: "implementer", merge: "merged" });
    expect(report.tasks[1].cost_usd).toBeGreaterThan(0);
    expect(factsOf(place, "attempt.ended").map(({ failure }) => failure)).toEqual([null, null, null]);
  });

  test("finds the agents of a manifest in a subfolder, where its tasks write and where they only read (I2)", async () => {
    const place = await newPlace({
      add: [
        { bash: "cat .claude/skills/workflow.md .claude/reports/plan-report-tdd.md > /dev/null && pwd" },
        { write: { path: "example/src/add.js", content: "export const add = (a, b) => a + b;\n" } },
        { text: "Added." },
      ],
      look: [{ read: "src/add.js" }, { text: "It is right." }],
      rest: [{ text: "Done without." }],
    });
    await writeFiles(join(place.repo, "example/.claude"), {
      "agents/tdd-develop.md": agentFile("tdd-develop", "Your name is Conductor."),
      "agents/reviewer.md": agentFile("reviewer", "Your name is Reviewer."),
      "skills/workflow.md": "Test first.\n",
      "reports/plan-report-tdd.md": manifest(
        ...["  - { id: add, agent: tdd-develop, read_only: false, prompt: '[script add]' }"],
        "  - { id: look, agent: reviewer, read_only: true, depends_on: [add], prompt: '[script look]' }",
        "  - { id: rest, agent: code-writer, read_only: true, prompt: '[script rest]' }",
      ),
    });
    // Some of it is tracked, some not.
    sh(place, "git add example/.claude/reports example/.claude/agents/reviewer.md; git commit -q -m plan");
    sh(place, "printf '/example/.claude/agents/tdd-develop.md\n' >> .git/info/exclude");
    const words = ["run", "example/.claude/reports/plan-report-tdd.md", "--no-log", "--allow-root"];

    const refused = await plait(place, "parallel-orchestra", ...words);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain('Claude Code has no sub-agent "code-writer" (rest)');
    expect(refused.stderr).toContain(
      `    plait parallel-orchestra ${words.join(" ")} --without-sub-agents\n`,
    );
    expect(sh(place, "git branch --list 'plait/*'; ls .git/plait/runs 2>/dev/null || true")).toBe("");

    const { code, stdout, stderr } = await plait(
      place,
      "parallel-orchestra",
      ...words,
      "--without-sub-agents",
    );
    expect(stderr).toContain(
      'rest: sub-agent "code-writer" is not installed; running with plain Claude Code',
    );
    expect(stdout.match(/^\[ok\]/gm)).toHaveLength(3);
    expect(code).toBe(0);
    expect(sh(place, "git ls-files")).toBe(
      [
        ...["a.txt", "example/.claude/agents/reviewer.md", "example/.claude/reports/plan-report-tdd.md"],
        "example/src/add.js",
      ].join("\n"),
    );
    const systemOf = (script: string) => JSON.stringify(place.server.requestsOf(script)[0]?.body?.system);
    expect(systemOf("add")).toContain("Your name is Conductor.");
    expect(systemOf("look")).toContain("Your name is Reviewer.");
    expect(factsOf(place, "attempt.ended").map(({ failure }) => failure)).toEqual([null, null, null]);
    expect(factsOf(place, "run.started")[0]?.policy).toMatchObject({ withoutSubAgents: true });
  });
});

const manifest = (...tasks: readonly string[]): string =>
  ["---", 'po_plan_version: "0.1"', "name: tdd", 'cwd: "../.."', "tasks:", ...tasks, "---", ""].join("\n");

const agentFile = (name: string, prompt: string): string =>
  `---\nname: ${name}\ndescription: Works.\n---\n${prompt}\n`;
