import { driveDetached, type LocalRun } from "../app/index.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { granted, hostOf } from "./host.ts";
import { goOnLines } from "./render/status.ts";
import type { Request } from "./request.ts";

/** Hands a run that was begun or taken over here to a process of its own. */
export async function detach(begun: LocalRun, request: Request): Promise<ExitCode> {
  const { options, output } = request;
  const { run, folder } = begun.view;
  await begun.close();
  const argv = [
    process.execPath,
    process.argv[1] ?? "",
    ...["resume", run, "--quiet"],
    ...(options.allowRoot === true ? ["--allow-root"] : []),
    ...(options.allowNested === true ? ["--allow-nested"] : []),
  ];
  const { pid, log } = granted(
    await driveDetached(hostOf(request, "plait resume"), { run, folder, argv, since: begun.past.length }),
  );
  if (options.json === true) output.json({ v: 1, run, pid, log });
  else {
    const look = { width: output.resultWidth, glyphs: output.glyphs };
    output.result([[`${run} runs in the background, as process ${pid}`], ...goOnLines(run, look)]);
  }
  return exitCodes.ok;
}
