import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../cli/plait.ts";
import { describeClaude } from "./claude-program.ts";
import { scriptMark } from "./model-script.ts";
import { factsOf, newPlace, plait, sh } from "./runs.ts";

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
});
