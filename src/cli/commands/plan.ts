import { defaultPolicy } from "../../config/settings.ts";
import { preview } from "../../core/select/preview/preview.ts";
import { shellWord } from "../../core/text/command.ts";
import { printAgents, warnBudgetNotEnforced } from "../config.ts";
import { exitCodes } from "../exit-codes.ts";
import { capFlagNames, type Flag, type FlagName, flags, type Options } from "../flags.ts";
import { createHost } from "../host.ts";
import { graphPicture } from "../pictures.ts";
import { printFindings, readPlan, withOnlyPlan } from "../plan-file.ts";
import { renderPlan } from "../render/plan.ts";
import type { Request, RunCommand } from "../request.ts";
import { RequestError } from "../request-error.ts";

/** `plait plan <plan>`: a preview of a run as text, JSON or a graph. Nothing starts. */
export const plan: RunCommand = async (given) => {
  const { options, output } = given;
  if (options.json === true && options.graph !== undefined) {
    throw new RequestError("--json and --graph cannot be combined", "remove one of them: --json or --graph");
  }
  const request = await withOnlyPlan(given, "plait plan");
  const loaded = await readPlan(request, { runCommands: options.runCommands ?? false, checksGates: true });
  printFindings(loaded, request);
  const { diagnostics: findings, each, maxTasks } = loaded;
  if (loaded.plan === null) {
    const exit = exitCodes.badRequest;
    if (options.json === true) output.json({ v: 1, ok: false, exit, plan: null, findings });
    return exit;
  }
  printAgents(loaded.plan, loaded.agents, request);
  warnBudgetNotEnforced(loaded.plan, loaded.agents, request);
  const { previewCopies } = await import("../../app/dependencies.ts"); // brings git along
  const { previewHubFiles } = await import("../../app/dependencies.ts");
  const host = createHost(request, "plait plan");
  const { plan: asRun, copyBy, uncopied, installs, reused } = await previewCopies(host, loaded.plan);
  const hubs = options.graph === undefined ? await previewHubFiles(host, asRun) : [];
  const seen = preview(asRun, { slots: asRun.slots ?? defaultPolicy.slots });
  if (options.json === true) {
    const shown = { ...seen, each, copyBy, uncopied, installs, reused, hubs };
    output.json({ v: 1, ok: true, exit: exitCodes.ok, plan: shown, findings });
  } else if (options.graph !== undefined) {
    output.raw(await graphPicture({ preview: seen }, options.graph, output));
  } else {
    const warnings = findings.filter(({ severity }) => severity === "warning").length;
    const next = formatNextRun(request);
    const view = {
      ...{ ...output.look, warnings, each, maxTasks, next },
      ...{ copyBy, uncopied, installs, reused, hubs },
    };
    output.result(renderPlan(seen, view));
  }
  return exitCodes.ok;
};

/** Flags that change the preview, so the next command repeats them. */
const TYPED_AGAIN: readonly (FlagName & keyof Options)[] = [
  ...(["prompt", "promptFile", "gate", "copy", "setup", "cwd", "format", "strict"] as const),
  ...(["concurrency", "agent", "model"] as const),
  ...capFlagNames,
];

function formatNextRun({ args: [path], options, output }: Request): string {
  const word = (text: string) => shellWord(text, output.glyphs);
  const again = TYPED_AGAIN.flatMap((name) => {
    const flag: Flag = flags[name];
    const value = options[name];
    if (value === undefined) return [];
    const long = /--[\w-]+/.exec(flag.usage)?.[0] ?? "";
    if (value === true) return [long];
    if (value === false) return [long.replace(/^--/, "--no-")];
    return (Array.isArray(value) ? value : [value]).flatMap((one) => [long, word(String(one))]);
  });
  const file = path === undefined ? [] : [word(path.startsWith("-") ? `./${path}` : path)];
  return ["plait run", ...file, ...again].join(" ");
}
