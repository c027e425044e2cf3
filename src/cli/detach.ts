import { driveDetached, type LocalRun } from "../app/index.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { createHost, granted } from "./host.ts";
import { backgroundLines } from "./render/status.ts";
import type { Request } from "./request.ts";

/** Continues a run of this process in a background process. */
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
    await driveDetached(createHost(request, "plait resume"), { run, folder, argv, since: begun.past.length }),
  );
  if (options.json === true) output.json({ v: 1, run, pid, log });
  else
    output.result([
      [`${run} is running in the background (process ${pid})`],
      ...backgroundLines(run, output.look),
    ]);
  return exitCodes.ok;
}
