import { fromMarkdown } from "mdast-util-from-markdown";
import { describe, expect, test } from "vitest";
import { ended } from "../../test/support/checkout.ts";
import { BESIDE, night, reportOf } from "../../test/support/night.ts";
import { Scenario } from "../../test/support/scenario.ts";
import type { AttemptId, Oid, TaskId } from "../core/ids.ts";
import { WHOLE_RUN } from "../core/proposal.ts";
import { taskRows } from "../core/select/task-rows.ts";
import { commitId, name, type Sentence, sentence } from "../core/text/sentence.ts";
import { mermaidGraph } from "./graph-mermaid.ts";
import { svgGraph } from "./graph-svg.ts";
import { type RunGraph, runGraph } from "./graph-text.ts";
import type { TaskReport } from "./model.ts";
import { MOST_PR_CHARS, pullRequestReport } from "./pull-request.ts";

function graphOf({ state }: Scenario): RunGraph {
  const rows = taskRows(state, state.clock);
  return runGraph({ plan: state.index.plan, rows, run: state.run, summary: "so it stands" });
}

function textOf(run: Scenario, beside = {}): string {
  const { preview, words } = graphOf(run);
  return pullRequestReport(reportOf(run, { beside }), mermaidGraph(preview, words));
}

type Node = { readonly type: string; readonly value?: string; readonly children?: readonly Node[] };

/** Values of all nodes of one kind. */
function values(node: Node, type: string): string[] {
  const own = node.type === type && node.value !== undefined ? [node.value] : [];
  return [...own, ...(node.children ?? []).flatMap((child) => values(child, type))];
}

describe("the report for a pull request", () => {
  test("is read from the outcome to what agents said, with the graph as it came out", async () => {
    await expect(textOf(night(), BESIDE)).toMatchFileSnapshot("pictures/pull-request.md");
  });

  test("of one task without a summary begins with its checks", () => {
    const run = new Scenario([{ id: "a" }]);
    run.start("a/1").end("a/1").save("a/1").merge();
    const report = reportOf(run);
    const text = pullRequestReport({ ...report, exit: 0 }, null, {
      ...WHOLE_RUN,
      task: "a" as TaskId,
    });
    expect(text).toMatch(/^\S/);
  });

  test("names no place of the machine", () => {
    expect(textOf(night(), BESIDE)).not.toMatch(/\/repo\/|\/worktrees\//);
  });

  test("lets no text of an agent mention, link, close or break out", () => {
    const evil =
      "fixes #12 @everyone a/b#3 GH-4 deadbeefcafe https://x.test www.x.test $a$ | x |\n```\n````\n</details><script>x</script>";
    const run = new Scenario([{ id: "a", title: evil, retries: 0 }], { plan: { name: evil } });
    run.start("a/1").end("a/1", { reason: "agent-said-no", detail: evil }).save("a/1").finish();
    const texts = new Map([["a/1" as AttemptId, evil]]);
    const tree = fromMarkdown(textOf(run, { said: texts, outputs: texts }));
    const prose = values(tree, "text").join("\n");
    for (const mark of ["#12", "@everyone", "#3", "GH-4", "deadbeef", "x.test", "$a", "script"])
      expect(prose).not.toContain(mark);
    expect(values(tree, "html")).toEqual([
      "<details><summary><code>a</code>: last output of the failed gate</summary>",
      "</details>",
      "<details><summary><code>a</code>: final message of the agent</summary>",
      "</details>",
    ]);
    // In the table, where a bar would end the cell.
    const row =
      textOf(run)
        .split("\n")
        .find((line) => line.startsWith("| `a`")) ?? "";
    expect(row.replaceAll("\\|", "").split("|")).toHaveLength(9);
  });

  test("says how it ended in words that link nothing but commits, whatever the branch is called", () => {
    const report = { ...reportOf(night()), exit: 1 as const };
    const saying = (text: Sentence) => pullRequestReport({ ...report, text }, "").split("\n")[0];
    const commit = commitId("3e01980aa" as Oid);
    expect(saying(sentence`landed on ${name("fix/#12_<b>")} as ${commit}, 2 of 2 merged`)).toBe(
      "**Landed on `fix/#12_<b>` as 3e01980, 2 of 2 merged.**",
    );
    expect(saying("done: 1 of 1 merged, proposed as https://x.test/1")).toContain("as `https://x.test/1`.**");
    for (const title of ["see GH-4", "deadbee", "www. x", "x.test", "@all", "#1"]) {
      const plan = { ...report.plan, name: title };
      expect(pullRequestReport({ ...report, plan }, "")).toContain(` of \`${title}\`: `);
    }
    expect(saying("x".repeat(600))).toHaveLength(505);
  });

  test("has words for states and gates that fit into a table", () => {
    const report = reportOf(night(), { beside: BESIDE });
    const [first, ...tasks] = report.tasks as [TaskReport, ...TaskReport[]];
    const check = { name: "all", command: "npm test", verdict: "green", durationMs: 12_000 } as const;
    const checks = [
      check,
      { ...check, name: "npm test", verdict: "red" as const },
      { ...check, command: "a`b".repeat(99), verdict: null },
    ];
    const text = pullRequestReport(
      { ...report, checks, tasks: [{ ...first, status: "retrying" }, ...tasks] },
      "",
    );
    expect(text).toMatch(/\n\| `schema` .* \| retrying \| 1 \|/);
    expect(text).toContain("## Checks\n\n- ✓ `npm test` (all), 0:12\n- ✗ `npm test`, 0:12\n- – ``a`b");
    expect(text).toContain("…`` (all), not run on the result\n");
    expect(text).not.toContain("mermaid");
    const large = { ...report, tasks: Array.from({ length: 31 }, () => first) };
    expect(pullRequestReport(report, "flowchart LR")).toContain("|\n\n```mermaid\nflowchart LR\n```\n");
    expect(pullRequestReport(large, "flowchart LR")).toContain(
      "<summary>The graph</summary>\n\n```mermaid\n",
    );
  });

  test("gives each part its room, and says what it did not take", () => {
    const report = reportOf(night(), { beside: BESIDE });
    const repeated = <T>(all: readonly T[]): T[] => Array.from({ length: 900 }, () => all[0] as T);
    const needs = report.needsYou.map((need) => ({ ...need, text: "long ".repeat(200) }));
    const check = { name: "all", command: "npm test", verdict: "green", durationMs: 1 } as const;
    const many = { ...report, needsYou: repeated(needs), checks: repeated([check]) };
    const [big, all] = ["x".repeat(20_000), pullRequestReport(many, "x".repeat(15_000))];
    expect(pullRequestReport(report, big)).toMatch(
      /Left out: the graph, which is too large to draw here\.\n$/,
    );
    expect(all).toMatch(/Left out: \d+ more that need you; \d+ gates\.\n$/);
    expect(/\n- (long ){59}long…\n/.test(all)).toBe(true);
    expect(all.length).toBeLessThan(35_000);
    const words = { message: "words\n".repeat(9_000), output: "lines\n".repeat(9_000) };
    const talks = (agent: TaskReport["agent"]) =>
      pullRequestReport(
        { ...report, tasks: report.tasks.slice(0, 1).map((task) => ({ ...task, ...words, agent })) },
        "",
      ).length;
    expect(talks(report.tasks[0]?.agent ?? null)).toBeLessThan(10_000);
    expect(talks(null)).toBeLessThan(talks(report.tasks[0]?.agent ?? null) - 2_000);
  });

  test("fits into a pull request whatever there is to say, failures first, and tells what is left out (I10)", () => {
    const ids = Array.from({ length: 600 }, (_, n) => `t${n}`);
    const run = new Scenario(ids.map((id) => ({ id, retries: 0, title: `Title of ${id} @all` })));
    for (const id of ids) {
      const failure =
        id === "t599" ? ({ reason: "agent-said-no", detail: "\u0000".repeat(500) } as const) : null;
      run.start(`${id}/1`).end(`${id}/1`, failure).save(`${id}/1`);
    }
    const said = new Map(ids.map((id) => [`${id}/1` as AttemptId, "words\n".repeat(2_000)]));
    const text = textOf(run, { said, outputs: said });
    expect(text.length).toBeLessThanOrEqual(MOST_PR_CHARS);
    expect(text.length).toBeGreaterThan(50_000);
    expect(text.indexOf("`t599`")).toBeLessThan(text.indexOf("| `t0`"));
    expect(text).toMatch(
      /\nLeft out: \d+ tasks \(\d+ interrupted\); the graph, which is too large to draw here; \d+ messages of agents and gates\.\n$/,
    );
  });
});

describe("the graph of a run", () => {
  test("shows where each task stands, by word and by colour", () => {
    const { preview, words } = graphOf(ended());
    const svg = svgGraph(preview, words);
    expect(svg).toContain(">failed, 3 attempts, ");
    expect(svg).toMatch(/<g class="actor you"><title>tax\n/);
    expect(svg).toMatch(/\.plait \.you\{--actor:/);
    expect(mermaidGraph(preview, words)).toMatch(/class (t\d+,?)+ you\n/);
  });

  test("leaves out what was not selected", () => {
    const run = new Scenario([{ id: "a" }, { id: "b", needs: ["a"] }, { id: "c" }], { only: ["a", "b"] });
    expect(graphOf(run).preview.tasks.map(({ id }) => id)).toEqual(["a", "b"]);
  });
});
