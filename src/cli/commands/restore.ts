import { restoreConfig } from "../../app/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { createHost, granted } from "../host.ts";
import { restoredLines } from "../render/restore.ts";
import type { RunCommand } from "../request.ts";

/** `plait restore [run]`: restores hooks and git config from the start of the run. */
export const restore: RunCommand = async (request) => {
  const { options, output, args } = request;
  const { dryRun = false, force = false } = options;
  const asked = { run: args[0] ?? null, dryRun, force };
  const { run, restored, left, keptIn } = granted(
    await restoreConfig(createHost(request, "plait restore"), asked),
  );
  if (options.json === true) output.json({ v: 1, run, dryRun, restored, left, keptIn });
  else output.result(restoredLines({ run, restored, left, keptIn }, { dryRun }, output.glyphs));
  return left.length > 0 ? exitCodes.incomplete : exitCodes.ok;
};
