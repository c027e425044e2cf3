import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { linkCommands, unlinkCommands } from "../../app/index.ts";
import { wholeEnvironment } from "../../config/env.ts";
import { plait } from "../../core/text/command.ts";
import { fix } from "../../core/text/sentence.ts";
import { commandLines } from "../compat/command-lines.ts";
import { exitCodes } from "../exit-codes.ts";
import { granted } from "../host.ts";
import { shown } from "../render/visible.ts";
import type { RunCommand } from "../request.ts";
import { UsageError } from "../request-error.ts";

/** `plait compat link|unlink`: installs or removes the older command lines. */
export const compat: RunCommand = async ({ args, options, output }) => {
  const [action = ""] = args;
  const { HOME = homedir(), PATH = "" } = wholeEnvironment();
  const folder = resolve(options.dir ?? join(HOME, ".local/bin"));
  const names = Object.keys(commandLines);
  if (action === "link") {
    const program = [process.execPath, process.argv[1] ?? ""];
    const { paths } = granted(await linkCommands({ folder, names, program }));
    output.result(paths.map((path) => [`installed ${shown(path, output.glyphs)}`]));
    if (!PATH.split(delimiter).includes(folder))
      output.warn(`${folder} is not on your PATH; add it to use the commands.`);
    return exitCodes.ok;
  }
  if (action === "unlink") {
    const { paths } = await unlinkCommands({ folder, names });
    const lines = paths.map((path) => [`removed ${shown(path, output.glyphs)}`]);
    output.result(lines.length > 0 ? lines : [[`no plait commands in ${shown(folder, output.glyphs)}`]]);
    return exitCodes.ok;
  }
  throw new UsageError(
    `unknown action ${JSON.stringify(action)}`,
    fix("choose link or unlink", plait("compat", "link")),
  );
};
