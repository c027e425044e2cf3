import { join, resolve } from "node:path";
import type { Host } from "../../../app/host.ts";
import { initFolder } from "../../../app/spec/init-folder.ts";
import { specRoot } from "../../../app/spec/place.ts";
import { technologyOf } from "../../../app/spec/setup.ts";
import { plait } from "../../../core/text/command.ts";
import type { Technology } from "../../../spec/spec-contents.ts";
import { exitCodes } from "../../exit-codes.ts";
import { createHost, granted } from "../../host.ts";
import { resolveCaps } from "../../plan-file.ts";
import { nextCommand } from "../../render/diagnostics.ts";
import { shown } from "../../render/visible.ts";
import type { RunCommand } from "../../request.ts";
import { UsageError } from "../../request-error.ts";

/** `plait spec init <folder>`: a valid folder with an example task, written whole or not at all. */
export const init: RunCommand = async (request) => {
  const { args, options, output } = request;
  const [folder = ""] = args;
  const { techSpecId, name } = options;
  if (techSpecId === undefined) throw new UsageError("missing tech spec", "add its id: -t TS-0042");
  if (name === undefined) throw new UsageError("missing name", "add a name: -n inventory");
  const host = createHost(request, plait("spec init"));
  const technology = options.tech ?? (await guessed(host)) ?? "python";
  const { cwd } = host;
  const about = { folder: resolve(cwd, folder), cwd, techSpec: techSpecId, name, technology };
  const { files } = granted(await initFolder({ ...about, caps: resolveCaps(request) }));
  output.result([
    ...files.map(({ path }) => [shown(join(folder, path), output.glyphs)]),
    ["Replace every REPLACE ME."],
    nextCommand(plait("validate", folder)),
  ]);
  return exitCodes.ok;
};

/** The folder may go anywhere, so a repository that cannot be read here is no reason to make none. */
async function guessed(host: Host): Promise<Technology | null> {
  const place = await specRoot(host);
  return (await technologyOf(place.ok ? place.root : host.cwd))?.technology ?? null;
}
