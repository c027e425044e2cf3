import type { Diagnostic } from "../../core/source.ts";
import { buildFormatFinding } from "../../formats/catalog.ts";
import type { Ecosystem } from "../../formats/packages/spec.ts";
import { buildAlignFinding } from "./catalog.ts";
import type { Choice } from "./choice.ts";
import { type Installed, programOf, type ToolKind } from "./project.ts";
import type { Ranges } from "./ranges.ts";
import { askedBy, extrasOf, pinText, rangeOf, rangeText, type Wanted, type WantedPart } from "./wanted.ts";
import type { ListName } from "./wish.ts";

export type AlignedPackage = {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  /** Where it belongs in the manifest; null where nothing is to be done for it. */
  readonly list: ListName | null;
  /** As the manifest names it there. */
  readonly spec: string;
  /** Ids of tasks, or `the manifest`. */
  readonly askedBy: readonly string[];
  /** What is asked for; empty where every version will do. */
  readonly range: string;
  readonly pin: string | null;
  readonly from: "lock" | "tool" | "written" | null;
  /** The lock file, or the tool. */
  readonly source: string | null;
  readonly installed: string | null;
};

export type Settled = {
  readonly package: AlignedPackage | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly notes: readonly string[];
};

type Known = { readonly installed: Installed; readonly tool: ToolKind; readonly ranges: Ranges };

export function settle(wanted: Wanted, choice: Choice, known: Known): Settled {
  if (choice.kind === "refused") return { package: null, diagnostics: [choice.finding], notes: [] };
  const { ranges, installed } = known;
  const [first] = wanted.parts;
  const [name, at] = [first?.spec.name ?? wanted.key, first?.wish.spec.at ?? null];
  const own = installed.direct.get(wanted.key)?.version ?? null;
  const range = rangeOf(wanted, ranges);
  const about = { ecosystem: wanted.ecosystem, name, askedBy: askedBy(wanted), range, installed: own };
  if (choice.kind !== "pin") {
    const spec = rangeText(wanted, ranges);
    const list = listFor(wanted, null, known);
    const reason = choice.kind === "open" ? choice.why : "its address names no commit";
    const isExact = choice.kind === "address" && choice.isExact;
    return {
      package: { ...about, list, spec, pin: null, source: null, from: isExact ? "written" : null },
      diagnostics: isExact ? [] : [buildFormatFinding("dependency-unpinned", { name: spec, reason }, at)],
      notes: [],
    };
  }
  const { version, from } = choice;
  const source = from === "lock" ? installed.lockFile : from === "tool" ? programOf(known.tool) : null;
  const list = listFor(wanted, version, known);
  const isOlder = own !== null && list !== null && ranges.compare(version, own) < 0;
  const older = isOlder
    ? [buildAlignFinding("dependency-downgrade", { name, from: own, to: version }, at)]
    : [];
  return {
    package: { ...about, list, spec: pinText(wanted, version), pin: version, from, source },
    diagnostics: older,
    notes: list === null ? [`${name} ${version} is installed already: nothing to add`] : [],
  };
}

/** What the project does not have cannot be taken out of it: the tools fail over it. */
export function settleRemoved({ wish, spec }: WantedPart, { direct }: Installed): Settled {
  const isThere = direct.size === 0 || direct.has(spec.key); // without a file that tells, who knows
  return {
    package: {
      ecosystem: wish.ecosystem,
      name: spec.name,
      list: isThere ? "remove" : null,
      spec: spec.name,
      askedBy: askedBy({ parts: [{ wish, spec }] }),
      range: "",
      pin: null,
      from: null,
      source: null,
      installed: direct.get(spec.key)?.version ?? null,
    },
    diagnostics: [],
    notes: isThere ? [] : [`${spec.name} is not a dependency of the project: nothing to remove`],
  };
}

/** What is there in another version is upgraded; what is for development stays so, since upgrading would make it one for all. */
function listFor(wanted: Wanted, version: string | null, { installed }: Known): ListName | null {
  const { list, parts, key } = wanted;
  const there = installed.direct.get(key);
  if (there === undefined) return list === "upgrade" && installed.direct.size > 0 ? "add" : list;
  const hasExtras = extrasOf(parts).every((extra) => there.extras.includes(extra));
  const isForAll = !there.isDev || list === "add_dev";
  if (version !== null && there.version === version && hasExtras && isForAll) return null;
  if (list !== "add" || there.isDev) return list;
  return there.version !== null && version !== null && there.version !== version ? "upgrade" : list;
}
