import type { Plan } from "../../core/plan.ts";
import { countListed } from "../../core/select/listed-tasks.ts";
import { count } from "../../core/select/preview/words.ts";
import { exitCodes } from "../exit-codes.ts";
import { readPlan, tellFindings } from "../plan-file.ts";
import { shown } from "../render/visible.ts";
import type { RunCommand } from "../request.ts";

/** `plait validate <plan>`: one line when the plan is good, every finding when it is not. */
export const validate: RunCommand = async (request) => {
  const { options, output } = request;
  const path = request.args[0] as string;
  const loaded = await readPlan(request, { runCommands: options.runCommands ?? false, inspect: true });
  const { plan, diagnostics: findings } = loaded;
  const exit = plan === null ? exitCodes.badRequest : exitCodes.ok;
  tellFindings(loaded, request);
  if (options.json === true) {
    output.json({ v: 1, ok: plan !== null, exit, plan: plan === null ? null : summaryOf(plan), findings });
  } else if (plan !== null) {
    output.result([[`${shown(path, output.glyphs)}: ${count(countListed(plan), "task")}, ok`]]);
  }
  return exit;
};

function summaryOf(plan: Plan) {
  const { name, source, tasks } = plan;
  const needs = tasks.reduce((sum, task) => sum + task.needs.length, 0);
  return { name, format: source.format, path: source.path, tasks: countListed(plan), needs };
}
