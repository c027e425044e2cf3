import type { Adapter } from "../../agents/adapter.ts";
import { type ProbePlace, probeAgent } from "./probe-agent.ts";

/** Which versions of its agents a run uses. Each program is asked once a driver: it takes a part of a second. */
export type AgentVersions = {
  /** Null where the program does not answer. */
  readonly read: (adapter: Adapter) => Promise<string | null>;
};

export function openAgentVersions(asking: ProbePlace): AgentVersions {
  const known = new Map<string, Promise<string | null>>();
  return {
    read: (adapter) => {
      const asked = known.get(adapter.name) ?? readVersion(adapter, asking);
      known.set(adapter.name, asked);
      return asked;
    },
  };
}

async function readVersion(adapter: Adapter, asking: ProbePlace): Promise<string | null> {
  const probed = await probeAgent(adapter, asking);
  return probed.ok ? probed.version : null;
}
