import { loadPlan, makeDemo, startRun } from "../../app/index.ts";
import { defaultCaps, defaultLayers, defaultPolicy } from "../../config/settings.ts";
import { formatCommand, plait } from "../../core/text/command.ts";
import { driveHere } from "../drive.ts";
import { createHost, granted } from "../host.ts";
import { dim, type Line } from "../render/line.ts";
import { shown } from "../render/visible.ts";
import type { RunCommand } from "../request.ts";

/** `plait demo`: six tasks, a red gate and a crash, in a temporary repository. */
export const demo: RunCommand = async (request) => {
  const { options, output } = request;
  const host = { ...createHost(request, plait("demo")), allowRoot: true }; // the demo agent needs no permissions
  const made = await makeDemo(host);
  try {
    const { plan, texts } = await loadPlan(made.plan, { caps: defaultCaps, layers: defaultLayers() });
    if (plan === null) throw new Error("the plan of the demo is not valid");
    const policy = { ...defaultPolicy, failFast: false, land: "end", budgetUsd: null } as const;
    const site = { ...host, cwd: made.folder, accounts: made.accounts };
    const started = granted(await startRun(site, { plan, texts, policy, only: null }));
    const code = await driveHere(started.run, request, {
      staysThere: options.keep === true,
      cwd: made.folder,
    });
    if (options.json === true) return code;
    const graph = (await made.graph(started.run.view.state().base.commit)).trimEnd();
    if (graph !== "")
      output.result([
        [],
        [dim("landed, as git log --graph shows it:")],
        ...graph.split("\n").map((line) => [shown(line, output.glyphs)]),
      ]);
    output.result([[], ...renderFolder(made.folder, options.keep === true)]);
    return code;
  } finally {
    if (options.keep !== true) await made.remove();
  }
};

/** Commands printed at the end of the run work only in a kept repository. */
function renderFolder(folder: string, isKept: boolean): Line[] {
  if (!isKept)
    return [
      [
        `Removed the demo repository; keep it to try these commands: ${formatCommand(plait("demo", [], { keep: true }))}`,
      ],
    ];
  return [[`Kept the demo repository; explore it: cd ${folder} && ${formatCommand(plait("ui"))}`]];
}
