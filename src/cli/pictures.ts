import type { PlanPreview } from "../core/select/preview/preview.ts";
import type { Timeline } from "../core/select/timeline.ts";
import type { GraphWords } from "../report/graph-text.ts";
import { MERMAID_EDGE_LIMIT, MERMAID_TEXT_LIMIT } from "../report/mermaid-limits.ts";
import type { GraphKind } from "./flags.ts";
import type { Output } from "./output.ts";

/** A plan, or with its words a run. */
export type DrawnGraph = { readonly preview: PlanPreview; readonly words?: GraphWords };

/** The graph for whoever draws it; each way of drawing is loaded when it is asked for. */
export async function graphPicture(graph: DrawnGraph, kind: GraphKind, output: Output): Promise<string> {
  return asciiPicture(await graphText(graph, kind, output), kind, output);
}

/** What happened when, in the same way. */
export async function timelinePicture(
  timeline: Timeline,
  kind: "svg" | "mermaid",
  output: Output,
): Promise<string> {
  const text =
    kind === "svg"
      ? (await import("../report/timeline-svg.ts")).timelineSvg(timeline)
      : sayIfLong((await import("../report/timeline-mermaid.ts")).timelineMermaid(timeline), output);
  return asciiPicture(text, kind, output);
}

function sayIfLong(mermaid: string, output: Output): string {
  const [has, limit] = [mermaid.length, MERMAID_TEXT_LIMIT].map((n) => n.toLocaleString("en-US"));
  if (mermaid.length > MERMAID_TEXT_LIMIT) {
    output.say([
      [`Mermaid draws at most ${limit} characters by default; this has ${has}. SVG has no limit.`],
    ]);
  }
  return mermaid;
}

/** All kinds know characters by their number; Mermaid writes it without the ampersand. */
function asciiPicture(text: string, kind: GraphKind, { glyphs }: Output): string {
  if (!glyphs.ascii) return text;
  const sign = kind === "mermaid" ? "#" : "&#";
  return text.replace(/[^\p{ASCII}]/gu, (char) => `${sign}${char.codePointAt(0)};`);
}

async function graphText({ preview, words }: DrawnGraph, kind: GraphKind, output: Output): Promise<string> {
  switch (kind) {
    case "mermaid": {
      const mermaid = await import("../report/graph-mermaid.ts");
      const edges = mermaid.mermaidEdges(preview);
      if (edges > MERMAID_EDGE_LIMIT) {
        output.say([
          [`Mermaid draws at most ${MERMAID_EDGE_LIMIT} edges by default; this graph has ${edges}.`],
        ]);
      }
      return sayIfLong(mermaid.mermaidGraph(preview, words), output);
    }
    case "dot":
      return (await import("../report/graph-dot.ts")).dotGraph(preview);
    case "svg":
      return (await import("../report/graph-svg.ts")).svgGraph(preview, words);
  }
}
