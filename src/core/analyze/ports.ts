import type { PlanDraft, SettingsLayers } from "../draft.ts";
import { DEFAULT_PORTS, type PortSettings, type PortsSaid, portsProblem, portsShortage } from "../ports.ts";
import type { SourceRange } from "../source.ts";
import type { Say } from "./findings.ts";

/** Each number by itself, over what the layer below says. */
export function portsFrom(below: PortSettings | null, says: PortsSaid | undefined): PortSettings | null {
  if (says === undefined) return below;
  const { from, to, count } = below ?? DEFAULT_PORTS;
  return { from: says.from ?? from, to: says.to ?? to, count: says.count ?? count };
}

type Place = { readonly planAt: SourceRange; readonly say: Say };

/** One slot is the least; how many there are is known for sure when the run starts. */
export function checkPorts(
  draft: PlanDraft,
  { base, overrides }: SettingsLayers,
  { planAt, say }: Place,
): void {
  const ports = portsFrom(base.ports, draft.ports?.value);
  if (ports === null) return;
  const slots = overrides.slots ?? draft.slots?.value ?? base.slots ?? 1;
  const problem = portsProblem(ports) ?? portsShortage(ports, slots);
  if (problem !== null) say("bad-ports", { ...problem, at: draft.ports?.at ?? draft.slots?.at ?? planAt });
}
