/** The ports that runs may give to their worktrees, and how many each worktree gets. */
export type PortSettings = { readonly from: number; readonly to: number; readonly count: number };

/** What one layer says about them. */
export type PortsSaid = { readonly [Part in keyof PortSettings]?: number | undefined };

/**
 * Where nobody says. Below what systems give to outgoing connections (Linux from 32768, macOS from 49152), above what
 * services are known by.
 */
export const DEFAULT_PORTS: PortSettings = { from: 20_000, to: 29_999, count: 10 };

/** Ports that lie next to each other, both ends included. */
export type PortRange = { readonly from: number; readonly to: number };

export const rangeText = ({ from, to }: PortRange): string => `${from}-${to}`;

/** How many worktrees there are ports for. */
export function rangesIn({ from, to, count }: PortSettings): number {
  return Math.max(0, Math.floor((to - from + 1) / count));
}

/** For each slot a worktree and the tree that is judged meanwhile, and two merged trees that are judged besides. */
export function rangesNeeded(slots: number): number {
  return 2 * slots + 2;
}

export type PortsProblem =
  | { readonly kind: "reversed"; readonly ports: PortSettings }
  | { readonly kind: "too-few"; readonly ports: PortSettings }
  | { readonly kind: "shortage"; readonly ports: PortSettings; readonly slots: number };

/** What is wrong with these ports by themselves. */
export function findPortsProblem(ports: PortSettings): PortsProblem | null {
  if (ports.from > ports.to) return { kind: "reversed", ports };
  return rangesIn(ports) > 0 ? null : { kind: "too-few", ports };
}

/** Whether so many slots can run in parallel. */
export function findPortsShortage(ports: PortSettings, slots: number): PortsProblem | null {
  return rangesIn(ports) >= rangesNeeded(slots) ? null : { kind: "shortage", ports, slots };
}

export function formatPortsProblem(problem: PortsProblem): string {
  const { from, to, count } = problem.ports;
  if (problem.kind === "reversed") return `the ports ${from} to ${to} are not a range`;
  const range = `the ports ${rangeText(problem.ports)}`;
  if (problem.kind === "too-few") return `${range} are fewer than the ${count} a worktree gets`;
  const { slots } = problem;
  return `${range} are too few: ${slots} slots need ports for ${rangesNeeded(slots)} worktrees, ${count} each`;
}

export function formatPortsFix(problem: PortsProblem): string {
  const { from, to, count } = problem.ports;
  if (problem.kind === "reversed")
    return `put the smaller number first: \`ports: { from: ${to}, to: ${from} }\``;
  if (problem.kind === "too-few") return "widen the range, or lower `count`";
  const end = from + rangesNeeded(problem.slots) * count - 1;
  return `${end <= HIGHEST_PORT ? `set \`to: ${end}\`, or ` : ""}lower \`count\` or \`concurrency\``;
}

/** Below it only root may listen. */
export const LOWEST_PORT = 1024;
export const HIGHEST_PORT = 65_535;
