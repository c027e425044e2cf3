import { parseNpmSpec } from "./npm-spec.ts";
import type { Ecosystem, PackageSource, ParsedSpec } from "./package-spec.ts";
import { parseRequirement } from "./requirement.ts";

export type { Ecosystem, PackageSource, PackageSpec, ParsedSpec } from "./package-spec.ts";

export function parsePackageSpec(text: string, ecosystem: Ecosystem): ParsedSpec {
  return ecosystem === "python" ? parseRequirement(text) : parseNpmSpec(text);
}

/** Whether two runs install the same. */
export function isPinned(source: PackageSource, ecosystem: Ecosystem): boolean {
  if (source.kind === "address") return source.isExact;
  return source.kind === "range" && pinnedVersion(source.range, ecosystem) !== null;
}

/** The one version that a range allows by its form. */
export function pinnedVersion(range: string, ecosystem: Ecosystem): string | null {
  const pin = ecosystem === "python" ? /^===?([^,*]+)$/ : /^[=v]*(\d+\.\d+\.\d+(?:[-+][\w.+-]+)?)$/;
  return pin.exec(range)?.[1] ?? null;
}
