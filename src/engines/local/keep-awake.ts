// The machine is asked not to go to sleep by a program that holds the wish as long as it runs. It is supervised like every
// other one, so it ends with the run, also when plait is killed (I5). A machine that cannot be asked sleeps as it likes.

import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Env } from "../../core/plan.ts";
import { supervise } from "../../process/supervise.ts";
import { logHook } from "./hooks.ts";
import { programEnv, type RunContext, supervision } from "./run-context.ts";

/** Gives what ends it. */
export async function keepAwake(site: RunContext): Promise<() => Promise<void>> {
  const argv = awakeProgram(`plait run ${site.run}`);
  const call = { argv, cwd: site.folder.path, env: programEnv(site, {}), stdin: null };
  const started = await supervise(call, supervision(site, "awake"));
  if (!started.ok) {
    await logHook(site, `keep-awake: ${started.failure.message}`);
    return async () => undefined;
  }
  let isEnding = false;
  const ended = started.ended.then(async ({ code, signal, stderrTail }) => {
    if (!isEnding) await logHook(site, `keep-awake: ${argv[0]} exited, ${code ?? signal}: ${stderrTail}`);
  });
  return async () => {
    isEnding = true;
    await started.stop({ kill: true });
    await ended;
  };
}

/** Whether the machine has the program for it: said before the run starts, because nobody watches it later. */
export async function canKeepAwake({ PATH = "" }: Env): Promise<boolean> {
  const [program = ""] = awakeProgram("");
  for (const folder of PATH.split(delimiter)) {
    const isThere = await access(join(folder, program), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return true;
  }
  return false;
}

/** `caffeinate` watches plait itself; the other one holds the wish as long as what it runs. */
function awakeProgram(why: string): readonly string[] {
  if (process.platform === "darwin") return ["caffeinate", "-i", "-w", String(process.pid)];
  const options = ["--what=sleep:idle", "--who=plait", `--why=${why}`, "--mode=block"];
  return ["systemd-inhibit", ...options, "sleep", "infinity"];
}
