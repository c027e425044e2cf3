import {
  type RunCommand as Asked,
  checkLanding,
  type FoundRun,
  findRun,
  type WantedRun,
} from "../../app/index.ts";
import { describeLanding, hasUnlanded } from "../../core/select/landing-text.ts";
import { plait } from "../../core/text/command.ts";
import { fix } from "../../core/text/sentence.ts";
import { askOrDrive } from "../ask.ts";
import { createHost, granted } from "../host.ts";
import { readLandStyle, readPublish } from "../land-options.ts";
import type { Request, RunCommand } from "../request.ts";

type LandAsked = Extract<Asked, { kind: "land" }>;

const NOT_LANDED: WantedRun = {
  fits: ({ state }) => hasUnlanded(state) || state.published.kind === "refused",
  none: { message: "nothing to land in", hint: fix("list runs", plait("runs")), namesRuns: true },
};

const NOT_PUBLISHED: WantedRun = {
  fits: ({ state }) =>
    hasUnlanded(state) || (state.landing.kind === "landed" && state.published.kind !== "published"),
  none: { message: "nothing to land or push in", hint: fix("list runs", plait("runs")), namesRuns: true },
};

/** `plait land [run]`: lands merged tasks, with the options of the run or of the flags. */
export const land: RunCommand = async (request) => {
  const [name = null] = request.args;
  const wanted = readPublish(request.options) === null ? NOT_LANDED : NOT_PUBLISHED;
  const found = granted(await findRun(createHost(request, plait("land")), name, wanted));
  const asked = await readRequest(request, found);
  return askOrDrive(request, found, {
    ...{ commands: [asked], command: plait("land", found.known.run) },
    granted: describeLanding(found.known.state, asked),
  });
};

async function readRequest(request: Request, found: FoundRun): Promise<LandAsked> {
  const publish = readPublish(request.options);
  const { onto, ...style } = readLandStyle(request.options);
  const asked = {
    ...{ kind: "land" as const, ...style },
    ...(publish !== null && { publish }),
    ...(onto !== undefined && { target: onto }),
  };
  const checked = granted(await checkLanding(createHost(request, plait("land")), found, asked));
  request.output.warn(...checked.warnings);
  return checked.request;
}
