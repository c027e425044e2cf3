import type { Plan } from "../../core/plan.ts";
import { countListed } from "../../core/select/preview/preview.ts";
import { plait } from "../../core/text/command.ts";
import { count } from "../../core/text/figures.ts";
import { fix } from "../../core/text/sentence.ts";
import { exitCodes } from "../exit-codes.ts";
import { printFindings, readPlan, withOnlyPlan } from "../plan-file.ts";
import { shown } from "../render/visible.ts";
import type { RunCommand } from "../request.ts";
import { UsageError } from "../request-error.ts";

/** `plait validate <plan>`: one line if the plan is valid; otherwise every finding. */
export const validate: RunCommand = async (given) => {
  const { options, output } = given;
  const request = await withOnlyPlan(given, plait("validate"));
  const [path] = request.args;
  if (path === undefined)
    throw new UsageError(
      "missing plan",
      fix("pass a plan file or artifact folder", plait("validate", "plan.yaml")),
    );
  const loaded = await readPlan(request, {
    runCommands: options.runCommands ?? false,
    inspect: true,
    checksGates: true,
  });
  const { plan, diagnostics: findings } = loaded;
  const exit = plan === null ? exitCodes.badRequest : exitCodes.ok;
  printFindings(loaded, request);
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
