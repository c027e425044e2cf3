import { findArtifactFolder } from "../../../app/integrate/artifact-folder.ts";
import { createHost, granted } from "../../host.ts";
import type { RunCommand } from "../../request.ts";
import { integratePlan } from "../integrate-plan.ts";

/** `plait spec integrate`: the named artifact folder, or the only one. */
export const specIntegrate: RunCommand = async (request) => {
  const host = createHost(request, "plait spec integrate");
  const { named } = granted(await findArtifactFolder(host, request.options.parallelDir ?? null));
  return integratePlan(request, { host, named, isFolder: true });
};
