import { join, resolve } from "node:path";
import type { Host } from "../../../app/host.ts";
import { initFolder } from "../../../app/spec/init-folder.ts";
import { specRoot } from "../../../app/spec/place.ts";
import { technologyOf } from "../../../app/spec/setup.ts";
import { shellWord } from "../../../core/select/preview/commands.ts";
import type { Technology } from "../../../spec/spec-contents.ts";
import { exitCodes } from "../../exit-codes.ts";
import { granted, hostOf } from "../../host.ts";
import { capsFor } from "../../plan-file.ts";
import { nextCommand } from "../../render/diagnostics.ts";
import { shown } from "../../render/visible.ts";
import type { RunCommand } from "../../request.ts";
import { UsageError } from "../../request-error.ts";

/** `plait spec init <folder>`: a folder that is valid from the first moment, all of it or nothing. */
export const init: RunCommand = async (request) => {
  const { args, options, output } = request;
  const [folder = ""] = args;
  const { techSpecId, name } = options;
  if (techSpecId === undefined) throw new UsageError("spec init needs the tech spec", "write -t TS-0042");
  if (name === undefined) throw new UsageError("spec init needs a name", "write -n and a slug");
  const host = hostOf(request, "plait spec init");
  const technology = options.tech ?? (await guessed(host)) ?? "python";
  const { cwd } = host;
  const about = { folder: resolve(cwd, folder), cwd, techSpec: techSpecId, name, technology };
  const { files } = granted(await initFolder({ ...about, caps: capsFor(request) }));
  output.result([
    ...files.map(({ path }) => [shown(join(folder, path), output.glyphs)]),
    ["replace what says REPLACE ME"],
    nextCommand(`plait validate ${shellWord(folder)}`),
  ]);
  return exitCodes.ok;
};

/** The folder may go anywhere, so a repository that cannot be read here is no reason to make none. */
async function guessed(host: Host): Promise<Technology | null> {
  const place = await specRoot(host);
  return (await technologyOf(place.ok ? place.root : host.cwd))?.technology ?? null;
}
