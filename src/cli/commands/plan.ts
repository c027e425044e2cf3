import { selectTasks } from "../../app/select-tasks.ts";
import { showEnvValue } from "../../app/show-env-value.ts";
import { defaultPolicy } from "../../config/settings.ts";
import { preview } from "../../core/select/preview/preview.ts";
import { type Command, type CommandFlags, plait } from "../../core/text/command.ts";
import { requireAgreed } from "../agree.ts";
import { printAgents, warnBudgetNotEnforced } from "../config.ts";
import { exitCodes } from "../exit-codes.ts";
import { capFlagNames, type Flag, type FlagName, flags, type Options } from "../flags.ts";
import { createHost, granted } from "../host.ts";
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
  const request = await withOnlyPlan(given, plait("plan"));
  const loaded = await readPlan(request, { runCommands: options.runCommands ?? false, checksGates: true });
  printFindings(loaded, request);
  const { diagnostics: findings, each, maxTasks } = loaded;
  if (loaded.plan === null) {
    const exit = exitCodes.badRequest;
    if (options.json === true) output.json({ v: 1, ok: false, exit, plan: null, findings });
    return exit;
  }
  const { plan: chosen } = granted(selectTasks(loaded.plan, { only: options.only ?? null, each }));
  if (options.yes === true) await requireAgreed(request, { plan: chosen, project: loaded.project });
  printAgents(chosen, loaded.agents, request);
  warnBudgetNotEnforced(chosen, loaded.agents, request);
  const { previewCopies } = await import("../../app/dependencies.ts"); // brings git along
  const { previewHubFiles } = await import("../../app/dependencies.ts");
  const host = createHost(request, plait("plan"));
  const { plan: asRun, copyBy, uncopied, notIgnored, installs, reused } = await previewCopies(host, chosen);
  const hubs = options.graph === undefined ? await previewHubFiles(host, asRun) : [];
  const seen = preview(asRun, { slots: asRun.slots ?? defaultPolicy.slots, showValue: showEnvValue });
  if (options.json === true) {
    const shown = { ...seen, each, copyBy, uncopied, notIgnored, installs, reused, hubs };
    output.json({ v: 1, ok: true, exit: exitCodes.ok, plan: shown, findings });
  } else if (options.graph !== undefined) {
    output.raw(await graphPicture({ preview: seen }, options.graph, output));
  } else {
    const warnings = findings.filter(({ severity }) => severity === "warning").length;
    const next = buildNextRun(request);
    const view = {
      ...{ ...output.look, warnings, each, maxTasks, next },
      ...{ copyBy, uncopied, notIgnored, installs, reused, hubs },
    };
    output.result(renderPlan(seen, view));
  }
  return exitCodes.ok;
};

/** Flags that change the preview, so the next command repeats them. */
const TYPED_AGAIN: readonly (FlagName & keyof Options)[] = [
  ...(["prompt", "promptFile", "gate", "copy", "setup", "cwd", "format", "strict"] as const),
  ...(["concurrency", "only", "agent", "model", "allowEnv"] as const),
  ...capFlagNames,
];

function buildNextRun({ args: [path], options }: Request): Command {
  const again = TYPED_AGAIN.map((name): readonly [string, CommandFlags[string]] => {
    const flag: Flag = flags[name];
    const long = /--([\w-]+)/.exec(flag.usage)?.[1] ?? "";
    const value = options[name];
    if (name === "only") return [long, options.only?.join(",")]; // with commas
    return value === false ? [`no-${long}`, true] : [long, value as CommandFlags[string]];
  });
  const file = path?.startsWith("-") === true ? `./${path}` : path;
  return plait("run", file ?? [], Object.fromEntries(again));
}
