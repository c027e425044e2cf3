// Packages that tasks want become pins: what is locked already where it will do, else what the project's own tool names.

import type { Diagnostic } from "../../core/source.ts";
import type { Ecosystem } from "../../formats/packages/spec.ts";
import type { PackageLists, SpecDependencies } from "../spec-contents.ts";
import { type Choice, choiceFromLock } from "./choice.ts";
import { type Choosing, chooseNode } from "./choose-node.ts";
import { choosePython } from "./choose-python.ts";
import type { Project } from "./project.ts";
import { rangesOf } from "./ranges.ts";
import { type AlignedPackage, settle, settleRemoved } from "./settle.ts";
import type { ToolAsk } from "./tool.ts";
import { groupWishes, type Wanted } from "./wanted.ts";
import { ecosystems, listNames, type Wish } from "./wish.ts";

export type AlignTools = {
  readonly ask: ToolAsk;
  readonly project: Project;
  /** The Python that it is for, `3.11`; null where the project decides. */
  readonly python: string | null;
};

export type Alignment = {
  /** For the manifest: pins, and ranges where there is nothing better. */
  readonly dependencies: SpecDependencies;
  readonly packages: readonly AlignedPackage[];
  readonly diagnostics: readonly Diagnostic[];
  /** What happened to wishes that are in no list any more, one sentence each. */
  readonly notes: readonly string[];
};

/** Where a finding is an error, what it is about is left out of the dependencies. */
export async function alignDependencies(wishes: readonly Wish[], tools: AlignTools): Promise<Alignment> {
  const aligned: Alignment[] = [];
  for (const ecosystem of ecosystems) {
    const own = wishes.filter((wish) => wish.ecosystem === ecosystem);
    if (own.length > 0) aligned.push(await alignEcosystem(own, ecosystem, tools));
  }
  return {
    dependencies: Object.assign({}, ...aligned.map(({ dependencies }) => dependencies)),
    packages: aligned.flatMap(({ packages }) => packages),
    diagnostics: aligned.flatMap(({ diagnostics }) => diagnostics),
    notes: aligned.flatMap(({ notes }) => notes),
  };
}

async function alignEcosystem(
  wishes: readonly Wish[],
  ecosystem: Ecosystem,
  { ask, project, python }: AlignTools,
): Promise<Alignment> {
  const ranges = await rangesOf(ecosystem);
  const { tool, installed } = project[ecosystem];
  const { wanted, removed, diagnostics } = groupWishes(wishes, ecosystem, ranges);
  const choosing = { ask, tool, installed, ranges };
  const choices = await choose(wanted, choosing, {
    python,
    removed: new Set(removed.map(({ spec }) => spec.key)),
  });
  const settled = [
    ...removed.map((part) => settleRemoved(part, installed)),
    ...wanted.map((one, i) => settle(one, choices[i] as Choice, choosing)),
  ];
  const packages = settled.flatMap((one) => one.package ?? []);
  return {
    dependencies: { [ecosystem]: listsOf(packages) },
    packages,
    diagnostics: [...diagnostics, ...settled.flatMap((one) => one.diagnostics)],
    notes: settled.flatMap((one) => one.notes),
  };
}

async function choose(
  wanted: readonly Wanted[],
  choosing: Choosing,
  about: { readonly python: string | null; readonly removed: ReadonlySet<string> },
): Promise<Choice[]> {
  const known = wanted.map((one) => choiceFromLock(one, choosing.installed, choosing.ranges));
  const left = wanted.filter((_, i) => known[i] === null);
  const pinned = new Map(
    wanted.flatMap(({ key }, i) => {
      const choice = known[i];
      return choice?.kind === "pin" ? [[key, choice.version] as const] : [];
    }),
  );
  const asked =
    choosing.tool === "uv"
      ? await choosePython(left, choosing, { ...about, pinned })
      : await chooseNode(left, choosing);
  const chosen = new Map(left.map((one, i) => [one, asked[i] as Choice] as const));
  return wanted.map((one, i) => known[i] ?? (chosen.get(one) as Choice));
}

function listsOf(packages: readonly AlignedPackage[]): PackageLists {
  const lists = listNames.map((list) => {
    const specs = packages.filter((one) => one.list === list).map(({ spec }) => spec);
    return specs.length === 0 ? {} : { [list]: specs };
  });
  return Object.assign({}, ...lists);
}
