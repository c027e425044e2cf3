import { type SetUpItem, setUpSpecs, technologyOf } from "../../../app/spec/setup.ts";
import { listTechSpecs } from "../../../app/spec/tech-specs.ts";
import { defaultCaps } from "../../../config/settings.ts";
import { formatCommand, plait } from "../../../core/text/command.ts";
import type { Technology } from "../../../spec/spec-contents.ts";
import { exitCodes } from "../../exit-codes.ts";
import { granted } from "../../host.ts";
import { nextCommand } from "../../render/diagnostics.ts";
import { dim, type Line } from "../../render/line.ts";
import { shown } from "../../render/visible.ts";
import type { RunCommand } from "../../request.ts";
import { placeOf } from "./place.ts";

/** `plait spec setup`: creates parallel/ and its explanation; running it again changes nothing. */
export const setup: RunCommand = async (request) => {
  const { options, output } = request;
  const { host, root } = await placeOf(request, plait("spec setup"));
  const guess = options.tech === undefined ? await technologyOf(root) : null;
  const technology = options.tech ?? guess?.technology ?? null;
  const { items } = granted(await setUpSpecs(root, technology));
  const hasSpecs = (await listTechSpecs({ root, cwd: host.cwd, caps: defaultCaps })).length > 0;
  output.result([
    ...items.map(({ file, what }): Line => [`${shown(file, output.glyphs)}: `, STATES[what]]),
    technologyLine(technology, guess?.from ?? null),
    nextCommand(hasSpecs ? plait("spec list") : plait("spec new", { placeholder: "title" })),
  ]);
  return exitCodes.ok;
};

const STATES: { readonly [What in SetUpItem["what"]]: string } = {
  created: "created",
  there: "already exists, unchanged",
  "section-added": "section added",
  "section-there": "section already exists, unchanged",
  "no-file": `missing, nothing added; create the file, then: ${formatCommand(plait("spec setup"))}`,
};

function technologyLine(technology: Technology | null, from: string | null): Line {
  if (technology === null) return ["technology: not detected", dim("  (set it with --tech)")];
  if (from === null) return [`technology: ${technology}`];
  return [`technology: ${technology}, detected from ${from}`, dim("  (override with --tech)")];
}
