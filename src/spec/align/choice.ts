import type { Diagnostic } from "../../core/source.ts";
import { pinnedVersion } from "../../formats/packages/spec.ts";
import { buildConflict, listRequests } from "./findings.ts";
import type { Installed } from "./project.ts";
import { newestOf, type Ranges } from "./ranges.ts";
import { rangesIn, tagsIn, type Wanted, type WantedPart } from "./wanted.ts";

export type Choice =
  | { readonly kind: "pin"; readonly version: string; readonly from: "lock" | "tool" | "written" }
  /** It comes from an address, and stays as it is written. */
  | { readonly kind: "address"; readonly isExact: boolean }
  /** The range stays. */
  | { readonly kind: "open"; readonly why: string }
  | { readonly kind: "refused"; readonly finding: Diagnostic };

/** What can be told without asking anybody; null where a tool has to be asked. */
export function choiceFromLock(wanted: Wanted, installed: Installed, ranges: Ranges): Choice | null {
  const source = wanted.parts[0]?.spec.source;
  if (source?.kind === "address") return { kind: "address", isExact: source.isExact };
  const asked = rangesIn(wanted);
  if (tagsIn(wanted).length > 0 || (wanted.list === "upgrade" && writtenPin(wanted) === null)) return null;
  const own = installed.direct.get(wanted.key)?.version ?? null;
  const locked = own === null ? (installed.locked.get(wanted.key) ?? []) : [own];
  const version = newestOf(ranges, locked.filter(ranges.isVersion), asked);
  return version === null ? null : { kind: "pin", version, from: "lock" };
}

/** Where nobody could be asked: a pin is one, whether it exists or not; a range stays. */
export function choiceWithoutTool(wanted: Wanted, why: string): Choice {
  const version = writtenPin(wanted);
  return version === null ? { kind: "open", why } : { kind: "pin", version, from: "written" };
}

/** The version that somebody names exactly. That all others allow it has been seen before. */
function writtenPin(wanted: Wanted): string | null {
  const pins = rangesIn(wanted).map((range) => pinnedVersion(range, wanted.ecosystem));
  return pins.find((version) => version !== null) ?? null;
}

export const refuse = (finding: Diagnostic): Choice => ({ kind: "refused", finding });

/** The first two whose ranges have no version in common. */
export function disjointPair({ parts }: Wanted, { areDisjoint }: Ranges): [WantedPart, WantedPart] | null {
  const ranged = parts.flatMap((part) =>
    part.spec.source.kind === "range" ? [{ part, range: part.spec.source.range }] : [],
  );
  for (const [i, b] of ranged.entries()) {
    const a = ranged.slice(0, i).find((one) => areDisjoint(one.range, b.range));
    if (a !== undefined) return [a.part, b.part];
  }
  return null;
}

type Known = {
  readonly installed: string | null;
  /** For each of the two, null where nobody knows. */
  readonly newest: readonly (string | null)[];
  readonly ranges: Ranges;
};

/** Two requests that no version satisfies, with what is installed and which versions each could have. */
export function refuseDisjoint(
  pair: readonly [WantedPart, WantedPart],
  { installed, newest, ranges }: Known,
): Choice {
  const suits = ({ spec: { source } }: WantedPart) =>
    installed !== null && source.kind === "range" && ranges.satisfies(installed, source.range);
  const satisfied = pair.find(suits)?.wish.spec.value ?? null;
  const params = { kind: "disjoint", requests: listRequests(pair), installed, satisfied, newest } as const;
  return refuse(buildConflict(pair, params));
}
