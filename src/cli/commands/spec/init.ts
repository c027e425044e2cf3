import { join, resolve } from "node:path";
import { makeFolder } from "../../../app/index.ts";
import { specFolder } from "../../../spec/spec-folder.ts";
import { exitCodes } from "../../exit-codes.ts";
import { granted } from "../../host.ts";
import { nextCommand } from "../../render/diagnostics.ts";
import { shown } from "../../render/visible.ts";
import type { RunCommand } from "../../request.ts";
import { UsageError } from "../../request-error.ts";

/** `plait spec init <folder>`: a folder that is valid from the first moment, all of it or nothing. */
export const init: RunCommand = async ({ args: [folder = ""], options, output }) => {
  const { techSpecId, name, tech = "python" } = options;
  if (techSpecId === undefined) throw new UsageError("spec init needs the tech spec", "write -t TS-0042");
  if (name === undefined) throw new UsageError("spec init needs a name", "write -n and a slug");
  const generatedAt = new Date().toISOString();
  const files = specFolder({ techSpecId, name, technology: tech, generatedAt });
  granted(await makeFolder(resolve(folder), files));
  output.result([
    ...files.map(({ path }) => [shown(join(folder, path), output.glyphs)]),
    ["replace what says REPLACE ME"],
    nextCommand(`plait validate ${folder}`),
  ]);
  return exitCodes.ok;
};
