import { defaultPolicy } from "../../config/settings.ts";
import { shellWord } from "../../core/select/preview/commands.ts";
import { preview } from "../../core/select/preview/preview.ts";
import { tellAgents, tellUnheldBudget } from "../config.ts";
import { exitCodes } from "../exit-codes.ts";
import { type Flag, type FlagName, flags, type Options } from "../flags.ts";
import { withOnlyFolder } from "../only-folder.ts";
import { graphPicture } from "../pictures.ts";
import { readPlan, tellFindings } from "../plan-file.ts";
import { renderPlan } from "../render/plan.ts";
import type { Request, RunCommand } from "../request.ts";
import { RequestError } from "../request-error.ts";

/** `plait plan <plan>`: what a run would do, for people, for programs, or as a graph. Nothing is started. */
export const plan: RunCommand = async (given) => {
  const { options, output } = given;
  if (options.json === true && options.graph !== undefined) {
    throw new RequestError("--json and --graph cannot be used together", "choose one of them");
  }
  const request = await withOnlyFolder(given, "plait plan");
  const loaded = await readPlan(request, { runCommands: options.runCommands ?? false });
  tellFindings(loaded, request);
  const { diagnostics: findings, each, maxTasks } = loaded;
  if (loaded.plan === null) {
    const exit = exitCodes.badRequest;
    if (options.json === true) output.json({ v: 1, ok: false, exit, plan: null, findings });
    return exit;
  }
  tellAgents(loaded.plan, loaded.agents, request);
  tellUnheldBudget(loaded.plan, loaded.agents, request);
  const seen = preview(loaded.plan, { slots: loaded.plan.slots ?? defaultPolicy.slots });
  if (options.json === true) {
    output.json({ v: 1, ok: true, exit: exitCodes.ok, plan: { ...seen, each }, findings });
  } else if (options.graph !== undefined) {
    output.raw(await graphPicture({ preview: seen }, options.graph, output));
  } else {
    const warnings = findings.filter(({ severity }) => severity === "warning").length;
    output.result(renderPlan(seen, { ...lookOf(request), warnings, each, maxTasks, next: nextOf(request) }));
  }
  return exitCodes.ok;
};

function lookOf({ output }: Request) {
  return { width: output.resultWidth, glyphs: output.glyphs };
}

/** What changes the plan that is seen, and so must be typed again. */
const TYPED_AGAIN: readonly (FlagName & keyof Options)[] = [
  "prompt",
  "promptFile",
  "gate",
  "cwd",
  "format",
  "strict",
  "concurrency",
  "agent",
  "model",
  "maxPlanBytes",
  "maxDepth",
  "maxTasks",
  "maxPromptBytes",
];

function nextOf({ args: [path], options, output }: Request): string {
  const word = (text: string) => shellWord(text, output.glyphs);
  const again = TYPED_AGAIN.flatMap((name) => {
    const flag: Flag = flags[name];
    const value = options[name];
    if (value === undefined) return [];
    const long = /--[\w-]+/.exec(flag.usage)?.[0] ?? "";
    if (value === true) return [long];
    return (Array.isArray(value) ? value : [value]).flatMap((one) => [long, word(String(one))]);
  });
  const file = path === undefined ? [] : [word(path.startsWith("-") ? `./${path}` : path)];
  return ["plait run", ...file, ...again].join(" ");
}
