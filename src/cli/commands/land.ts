import { findRun } from "../../app/index.ts";
import { askOrDrive } from "../ask.ts";
import { granted, hostOf } from "../host.ts";
import type { RunCommand } from "../request.ts";

/** `plait land [run]`: lands what is merged. */
export const land: RunCommand = async (request) => {
  const [name = null] = request.args;
  const found = granted(
    await findRun(hostOf(request, "plait land"), name, ({ state }) => state.landing.kind !== "landed"),
  );
  return askOrDrive(request, found, { commands: [{ kind: "land" }], command: "plait land" });
};
