import { findRun, type WantedRun } from "../../app/index.ts";
import { askOrDrive } from "../ask.ts";
import { granted, hostOf } from "../host.ts";
import type { RunCommand } from "../request.ts";

const NOT_LANDED: WantedRun = {
  fits: ({ state }) => state.landing.kind !== "landed" || state.published.kind === "refused",
  none: { message: "every run of this repository has landed", hint: "list them: plait runs" },
};

/** `plait land [run]`: lands what is merged. */
export const land: RunCommand = async (request) => {
  const [name = null] = request.args;
  const found = granted(await findRun(hostOf(request, "plait land"), name, NOT_LANDED));
  return askOrDrive(request, found, { commands: [{ kind: "land" }], command: "plait land" });
};
