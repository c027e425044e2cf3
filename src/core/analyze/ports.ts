import type { PlanDraft, SettingsLayers } from "../draft.ts";
import {
  DEFAULT_PORTS,
  findPortsProblem,
  findPortsShortage,
  type PortSettings,
  type PortsSaid,
} from "../ports.ts";
import type { SourceRange } from "../source.ts";
import type { ReportFinding } from "./findings.ts";

/** Each number by itself, over what the layer below says. */
export function portsFrom(below: PortSettings | null, says: PortsSaid | undefined): PortSettings | null {
  if (says === undefined) return below;
  const { from, to, count } = below ?? DEFAULT_PORTS;
  return { from: says.from ?? from, to: says.to ?? to, count: says.count ?? count };
}

type Place = { readonly planAt: SourceRange; readonly report: ReportFinding };

/** One slot is the least; how many there are is known for sure when the run starts. */
export function checkPorts(
  draft: PlanDraft,
  { base, overrides }: SettingsLayers,
  { planAt, report }: Place,
): void {
  const ports = portsFrom(base.ports, draft.ports?.value);
  if (ports === null) return;
  const slots = overrides.slots ?? draft.slots?.value ?? base.slots ?? 1;
  const problem = findPortsProblem(ports) ?? findPortsShortage(ports, slots);
  if (problem !== null) report("bad-ports", problem, draft.ports?.at ?? draft.slots?.at ?? planAt);
}
