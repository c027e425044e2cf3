import { join, resolve } from "node:path";
import { formatTyped } from "../../../app/command-links.ts";
import { initFolder } from "../../../app/spec/init-folder.ts";
import { wholeEnvironment } from "../../../config/env.ts";
import { exitCodes } from "../../exit-codes.ts";
import { resolveCaps } from "../../plan-file.ts";
import { shown } from "../../render/visible.ts";
import { RequestError, requireFolder } from "../../request-error.ts";
import type { Around } from "../command-lines.ts";
import type { CpoRequest } from "./words.ts";

type Init = Extract<CpoRequest, { kind: "init" }>;

/** `cpo init <dir>`: the same folder as `plait spec init`, told in the lines of cpo. */
export async function init({ dir, ...spec }: Init, around: Around): Promise<number> {
  const { env, output } = around;
  const startedIn = requireFolder(around);
  const caps = resolveCaps({ options: {}, env });
  const made = await initFolder({ ...spec, folder: resolve(startedIn, dir), cwd: startedIn, caps });
  // Whatever the reason, it is the folder that was named which does not do.
  if (!made.ok) throw new RequestError(made.refusal.message, made.refusal.hint);
  output.result([
    [`Created ${shown(dir, output.glyphs)}:`],
    ...made.files.map(({ path }) => [`  ${shown(join(dir, path), output.glyphs)}`]),
    ["Replace every REPLACE ME, then:"],
    [`  ${await formatTyped("cpo", wholeEnvironment())} validate ${shown(dir, output.glyphs)}`],
  ]);
  return exitCodes.ok;
}
