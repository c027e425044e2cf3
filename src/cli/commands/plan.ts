import type { Plan } from "../../core/plan.ts";
import { shellWord } from "../../core/select/preview/commands.ts";
import { type PlanPreview, preview } from "../../core/select/preview/preview.ts";
import { exitCodes } from "../exit-codes.ts";
import type { GraphKind } from "../flags.ts";
import type { Output } from "../output.ts";
import { readPlan, tellFindings } from "../plan-file.ts";
import { renderPlan } from "../render/plan.ts";
import type { Request, RunCommand } from "../request.ts";
import { RequestError } from "../request-error.ts";

/** How many tasks run at once when neither the command line nor the plan says. */
const DEFAULT_SLOTS = 4;

/** `plait plan <plan>`: what a run would do, for people, for programs, or as a graph. Nothing is started. */
export const plan: RunCommand = async (request) => {
  const { options, output } = request;
  const path = request.args[0] as string;
  if (options.json === true && options.graph !== undefined) {
    throw new RequestError("--json and --graph cannot be used together", "choose one of them");
  }
  const loaded = await readPlan(path, request);
  tellFindings(path, loaded, request);
  if (loaded.plan === null) {
    const { diagnostics } = loaded;
    if (options.json === true) output.raw(json({ v: 1, ok: false, exit: exitCodes.badRequest, diagnostics }));
    return exitCodes.badRequest;
  }
  const shown = preview(loaded.plan, { slots: slotsFor(loaded.plan, options.concurrency) });
  if (options.json === true) {
    output.raw(json({ ...shown, ok: true, exit: exitCodes.ok, diagnostics: loaded.diagnostics }));
  } else if (options.graph !== undefined) {
    output.raw(await graph(shown, options.graph, output));
  } else {
    const warnings = loaded.diagnostics.filter(({ severity }) => severity === "warning").length;
    output.result(renderPlan(shown, { ...lookOf(request), warnings, next: nextOf(path) }));
  }
  return exitCodes.ok;
};

function slotsFor(plan: Plan, asked: number | undefined): number {
  return asked ?? plan.slots ?? DEFAULT_SLOTS;
}

function lookOf({ output }: Request) {
  return { width: output.resultWidth, glyphs: output.glyphs };
}

/** A run cannot be started yet; a picture of the plan can be had. */
function nextOf(path: string): string {
  return `plait plan ${shellWord(path)} --graph svg > plan.svg`;
}

async function graph(shown: PlanPreview, kind: GraphKind, output: Output): Promise<string> {
  switch (kind) {
    case "mermaid": {
      const { mermaidGraph, MERMAID_EDGE_LIMIT } = await import("../../report/graph-mermaid.ts");
      const edges = shown.tasks.reduce((sum, task) => sum + task.directNeeds.length, 0);
      if (edges > MERMAID_EDGE_LIMIT) {
        output.say([
          [`Mermaid draws ${MERMAID_EDGE_LIMIT} edges unless it is told otherwise; this graph has ${edges}.`],
        ]);
      }
      return mermaidGraph(shown);
    }
    case "dot":
      return (await import("../../report/graph-dot.ts")).dotGraph(shown);
    case "svg":
      return (await import("../../report/graph-svg.ts")).svgGraph(shown);
  }
}

function json(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
