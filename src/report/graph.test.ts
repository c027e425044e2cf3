import { describe, expect, it } from "vitest";
import { minutes, type SampleTask, samplePlan, shell } from "../../test/support/sample-plan.ts";
import { preview } from "../core/select/preview/preview.ts";
import { dotGraph } from "./graph-dot.ts";
import { mermaidEdges, mermaidGraph } from "./graph-mermaid.ts";
import { svgGraph } from "./graph-svg.ts";

const shown = (tasks: SampleTask[], name = "checkout") => preview(samplePlan(tasks, { name }), { slots: 2 });

const diamond = shown([
  { id: "api", estimate: minutes(10) },
  { id: "page", estimate: minutes(5), needs: ["api"], access: "read-only" },
  { id: "docs", needs: ["api"], work: { kind: "command", run: shell("npm run docs") }, estimate: minutes(1) },
  { id: "end", title: "The end", estimate: minutes(2), needs: ["page", "docs", "api"] },
]);

/** Two waves, a task beside them, and a need that crosses the barrier. */
const waves = shown([
  { id: "a", wave: 1 },
  { id: "b", wave: 1, needs: ["a"] },
  { id: "c", wave: 3, needs: ["a"] },
  { id: "d", wave: 3 },
  { id: "free" },
]);
const manyInWaves = shown(
  Array.from({ length: 2_000 }, (_, i) => ({ id: `t${i}`, wave: i < 1_000 ? 1 : 2 })),
);

/** All that could break out of a label, with what each format would take it for. */
const HOSTILE = [
  `</text><script>alert(1)</script>`,
  `"]; t0 --> evil["`,
  `%%{init: {"theme":"dark"}}%%`,
  `\\" ]; evil [label="`,
  "&lt;b&gt; &amp;",
  `x\n end\r\n t9 --> t8 style: #fff;`,
  "\u001b[31m\u0000\u2028\u202e\ud800",
  "`markdown` #quot; <br/>",
].join(" ");
const hostile = shown(
  [
    { id: "a", title: HOSTILE },
    { id: "end", needs: ["a"], title: HOSTILE },
  ],
  HOSTILE,
);

describe("mermaidGraph", () => {
  it("draws needs as arrows, the critical path thick, and leaves implied needs out", () => {
    expect(mermaidGraph(diamond)).toBe(
      [
        "flowchart LR",
        "  %% checkout, 4 tasks, 3 ranks. Thick: critical path. Needs that others imply are left out.",
        '  t0["api<br/>claude, 10 m"]',
        '  t1["page<br/>claude reads, 5 m"]',
        '  t2["docs<br/>command, 60 s"]',
        '  t3["end<br/>The end<br/>claude, 2 m"]',
        "  t0 ==> t1",
        "  t0 --> t2",
        "  t1 ==> t3",
        "  t2 --> t3",
        "  classDef critical stroke-width:3px",
        "  class t0,t1,t3 critical",
        "",
      ].join("\n"),
    );
  });

  it("lets nothing out of a label", () => {
    const lines = mermaidGraph(hostile).split("\n");
    const labels = lines.slice(2, 4);
    expect(labels.every((line) => /^ {2}t\d\["[^"`%{}&[\]\\:]*"\]$/.test(line))).toBe(true);
    expect(lines.length).toBe(8);
    expect(lines[1]).not.toMatch(/[{}"]/);
  });

  it("draws a wave as a subgraph, and one line from wave to wave", () => {
    expect(mermaidGraph(waves).split("\n").slice(1)).toEqual([
      "  %% checkout, 5 tasks, 3 ranks, 2 waves. Thick: critical path. Needs that others imply are left out.",
      '  subgraph w0["wave 1"]',
      '    t0["a<br/>claude"]',
      '    t1["b<br/>claude"]',
      "  end",
      '  subgraph w1["wave 3"]',
      '    t2["c<br/>claude"]',
      '    t3["d<br/>claude"]',
      "  end",
      '  t4["free<br/>claude"]',
      "  t0 ==> t1",
      "  t0 --> t2",
      "  w0 --> w1",
      "  classDef critical stroke-width:3px",
      "  class t0,t1,t2 critical",
      "",
    ]);
    expect(mermaidEdges(waves)).toBe(3);
    expect(mermaidGraph(manyInWaves).split("\n").length).toBeLessThan(2_020);
  });

  it("cuts long titles", () => {
    const label = mermaidGraph(shown([{ id: "a", title: "word ".repeat(40) }])).split("\n")[2] as string;
    expect(label).toContain("…<br/>claude");
    expect(label.length).toBeLessThan(90);
  });
});

describe("dotGraph", () => {
  it("names tasks, ranks and needs", () => {
    const dot = dotGraph(diamond);
    expect(dot).toContain(
      '"api" [label="api\\nclaude, 10 m", tooltip="api\\nclaude, 10 m\\non the critical path", penwidth=2];',
    );
    expect(dot).toContain('{ rank=same; "page"; "docs" }');
    expect(dot).toContain('  "api" -> "page" [penwidth=2, color="#15181C"];\n');
    expect(dot).not.toContain('"api" -> "end"');
  });

  it("draws a wave as a cluster, with the barrier as a node between two", () => {
    const dot = dotGraph(waves);
    expect(dot).toContain('subgraph cluster_0 { label="wave 1"; style=dashed; color="#848C95"; "a"; "b" }');
    expect(dot).toContain('{ "b" } -> "wave 1 done" [style=dotted');
    expect(dot).toContain('"wave 1 done" -> { "c"; "d" } [style=dotted');
    expect(dot).not.toContain("rank=same");
    expect(dotGraph(manyInWaves).length).toBeLessThan(400_000);
  });

  it("keeps every string closed, whatever a title holds", () => {
    const lines = dotGraph(hostile).split("\n");
    const withoutStrings = lines.map((line) => line.replace(/"(?:[^"\\]|\\.)*"/g, "S"));
    expect(withoutStrings.filter((line) => line.includes('"'))).toEqual([]);
    expect(withoutStrings.filter((line) => line === "  S [label=S, tooltip=S, penwidth=2];")).toHaveLength(2);
    expect(lines.join("\n")).toContain("&amp;lt;b&amp;gt;");
  });
});

describe("svgGraph", () => {
  it("draws a box a task with its tooltip, and the critical path on top of the other edges", () => {
    const svg = svgGraph(diamond);
    expect(svg.match(/<rect class="node"/g)).toHaveLength(4);
    expect(svg).toContain(
      "<title>end: The end\nclaude, 2 m\nneeds page, docs, api\non the critical path</title>",
    );
    const paths = [...svg.matchAll(/<path( class="critical")?/g)].map(
      ([, critical]) => critical !== undefined,
    );
    expect(paths).toEqual([false, false, true, true]);
    expect(svg).toContain("prefers-color-scheme:dark");
  });

  it("draws a line with the number of the wave between two waves", () => {
    const svg = svgGraph(waves);
    expect(svg.match(/<line /g)).toHaveLength(1);
    expect([...svg.matchAll(/>(wave \d+)</g)].map(([, label]) => label)).toEqual(["wave 1", "wave 3"]);
    const x = (what: RegExp) => Number(what.exec(svg)?.[1]);
    const line = x(/<line x1="([\d.]+)"/);
    expect(line).toBeGreaterThan(x(/<text class="id" x="([\d.]+)" y="[\d.]+">b</));
    expect(line).toBeLessThan(x(/<text class="id" x="([\d.]+)" y="[\d.]+">c</));
    expect(svgGraph(diamond)).not.toMatch(/<line |wave/);
  });

  it("draws 2,000 tasks in two waves", () => {
    expect(svgGraph(manyInWaves).match(/<rect class="node"/g)).toHaveLength(2_000);
  });

  it("is wide enough for its heading", () => {
    const [, width] = /width="(\d+)"/.exec(svgGraph(diamond)) ?? [];
    const [, heading = ""] = /<text class="more"[^>]*>(about 17 m[^<]*)</.exec(svgGraph(diamond)) ?? [];
    expect(Number(width)).toBeGreaterThan(heading.length * 7.4);
    expect(heading).not.toBe("");
  });

  it("holds no markup but its own, whatever a title holds", () => {
    const svg = svgGraph(hostile);
    const tags = new Set([...svg.matchAll(/<\/?([^\s>/]*)/g)].map(([, tag]) => tag));
    expect([...tags].sort()).toEqual(["g", "path", "rect", "style", "svg", "text", "title"]);
    expect(svg).not.toMatch(/&(?!(amp|lt|gt|quot|#39);)/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(svg).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u2028\u202e\ufffe\uffff]|[\ud800-\udfff]/u);
    expect(svg).not.toMatch(/href|url\(|@import|<script/);
  });

  it("draws 500 tasks within a second", () => {
    const tasks = Array.from({ length: 500 }, (_, i) => ({
      id: `task-${i}`,
      needs: i < 20 ? [] : [`task-${i - 20}`, `task-${i - 1 - (i % 19)}`],
    }));
    const svg = svgGraph(shown(tasks));
    expect(svg.match(/<rect class="node"/g)).toHaveLength(500);
  });
});
