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

export type PortsProblem = { readonly message: string; readonly hint: string };

/** What is wrong with these ports by themselves. */
export function portsProblem(ports: PortSettings): PortsProblem | null {
  const { from, to, count } = ports;
  if (from > to)
    return {
      message: `the ports go from ${from} to ${to}, which is no range`,
      hint: `write from and to, the smaller first: ports: { from: ${to}, to: ${from} }`,
    };
  if (rangesIn(ports) > 0) return null;
  return {
    message: `the ports ${rangeText(ports)} are ${to - from + 1}, and a worktree gets ${count}`,
    hint: "give more ports, or a smaller count",
  };
}

/** Whether so many slots can work beside each other. */
export function portsShortage(ports: PortSettings, slots: number): PortsProblem | null {
  const needed = rangesNeeded(slots);
  if (rangesIn(ports) >= needed) return null;
  const { from, count } = ports;
  const to = from + needed * count - 1;
  const more = to <= HIGHEST_PORT ? `write to: ${to}, or ` : "";
  return {
    message: `the ports ${rangeText(ports)} are enough for ${rangesIn(ports)} worktrees of ${count} ports; with ${slots} at once up to ${needed} are in use`,
    hint: `${more}set a smaller count or concurrency`,
  };
}

/** Below it only root may listen. */
export const LOWEST_PORT = 1024;
export const HIGHEST_PORT = 65_535;
