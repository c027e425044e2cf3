import { restoreConfig } from "../../app/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { granted, hostOf } from "../host.ts";
import { restoredLines } from "../render/restore.ts";
import type { RunCommand } from "../request.ts";

/** `plait restore [run]`: hooks and config as they were when the run started. */
export const restore: RunCommand = async (request) => {
  const { options, output, args } = request;
  const { dryRun = false, force = false } = options;
  const asked = { run: args[0] ?? null, dryRun, force };
  const { run, restored, left, keptIn } = granted(
    await restoreConfig(hostOf(request, "plait restore"), asked),
  );
  if (options.json === true) output.json({ v: 1, run, dryRun, restored, left, keptIn });
  else output.result(restoredLines({ run, restored, left, keptIn }, { dryRun }, output.glyphs));
  return left.length > 0 ? exitCodes.incomplete : exitCodes.ok;
};
