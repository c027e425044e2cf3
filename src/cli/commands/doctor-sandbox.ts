import { describeSandbox } from "../../app/index.ts";
import { plait } from "../../core/text/command.ts";
import { plainText } from "../../core/text/sentence.ts";
import { exitCodes } from "../exit-codes.ts";
import { createHost } from "../host.ts";
import { bold, dim, type Line } from "../render/line.ts";
import { shown } from "../render/visible.ts";
import type { RunCommand } from "../request.ts";

/** `plait doctor sandbox`: tries the walls that a run would have, and says what they hold or why there are none. */
export const doctorSandbox: RunCommand = async (request) => {
  const { output, options } = request;
  const found = await describeSandbox(createHost(request, plait("doctor sandbox")));
  const { works, said, step } = found;
  const text = plainText(found.text);
  if (options.json === true)
    output.json({ v: 1, works, text, said, step: step === null ? null : plainText(step) });
  else
    output.result([
      [bold(shown(text, output.glyphs))],
      ...(said === null ? [] : [[dim("bubblewrap error  "), shown(said, output.glyphs)] as Line]),
      ...(step === null ? [] : [[dim("next              "), shown(plainText(step), output.glyphs)] as Line]),
      ...found.parts.map(({ what, holds }): Line => [dim(holds ? "holds  " : "open   "), what]),
    ]);
  return works ? exitCodes.ok : exitCodes.badEnvironment;
};
