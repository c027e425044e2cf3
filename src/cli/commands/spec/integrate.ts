import { findArtefactFolder } from "../../../app/integrate/artefact-folder.ts";
import { granted, hostOf } from "../../host.ts";
import type { RunCommand } from "../../request.ts";
import { integratePlan } from "../integrate-plan.ts";

/** `plait spec integrate`: the artefact folder that is named, or the only one that there is. */
export const specIntegrate: RunCommand = async (request) => {
  const host = hostOf(request, "plait spec integrate");
  const { named } = granted(await findArtefactFolder(host, request.options.parallelDir ?? null));
  return integratePlan(request, { host, named, isFolder: true });
};
