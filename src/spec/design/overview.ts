import { findOverlaps } from "../../core/ownership/overlap-pairs.ts";
import { parseClaim, parsePattern } from "../../core/ownership/parse.ts";
import { type Claim, claimText, type PathPattern, symbolsMeet } from "../../core/ownership/pattern.ts";
import { isCoveredBy } from "../requirements/read-requirements.ts";
import type { OutOfScope, SpecContents, SpecDependencies, SpecTask } from "../spec-contents.ts";
import { criticalTasks, hoursOf } from "../task-graph-text.ts";
import type { Clash } from "./clashes.ts";

/** What a design comes to, for whoever decides whether it is accepted. Plain data: terminal and --json show the same. */
export type DesignOverview = {
  /** By wave, then by id. */
  readonly tasks: readonly {
    readonly id: string;
    readonly title: string;
    readonly wave: number;
    readonly agent: string;
    readonly hours: number | null;
    readonly critical: boolean;
  }[];
  readonly parallelism: Parallelism;
  /** One row for each path that a task owns, with all tasks that it means something to. */
  readonly ownership: readonly OwnershipRow[];
  /** Null where the documents have no requirements. */
  readonly coverage: DesignCoverage | null;
  /** What is installed before the first wave, as the manifest will have it. */
  readonly dependencies: SpecDependencies;
  /** Predicted from the history; null where there is none. */
  readonly clashes: readonly Clash[] | null;
};

export type DesignCoverage = {
  readonly requirements: number;
  readonly covered: number;
  readonly outOfScope: readonly OutOfScope[];
};

/** In hours; a task that does not say how long it takes counts as usual. */
export type Parallelism = {
  readonly guessed: number;
  /** One longest way through the waves, first to last, and its length: sooner it cannot end. */
  readonly critical: readonly string[];
  readonly least: number;
  readonly serial: number;
  readonly speedUp: number;
  readonly waves: number;
  readonly widest: { readonly wave: number; readonly tasks: number };
};

export type OwnershipRow = {
  readonly path: string;
  /** Ids of tasks. One that does several of these is listed with the first. */
  readonly creates: readonly string[];
  readonly modifies: readonly string[];
  readonly mustNotTouch: readonly string[];
};

export function designOverview(
  contents: Pick<SpecContents, "tasks" | "dependencies" | "requirements" | "outOfScope">,
  clashes: readonly Clash[] | null,
): DesignOverview {
  const { tasks, dependencies } = contents;
  const parallelism = parallelismOf(tasks);
  return {
    tasks: tasks.map(({ id, title, wave, agent, hours }) => ({
      ...{ id, title, wave, agent, hours },
      critical: parallelism.critical.includes(id),
    })),
    parallelism,
    coverage: summarizeCoverage(contents),
    ownership: ownershipOf(tasks),
    dependencies,
    clashes,
  };
}

function summarizeCoverage({
  requirements,
  outOfScope,
  tasks,
}: Pick<SpecContents, "tasks" | "requirements" | "outOfScope">): DesignCoverage | null {
  if (requirements.length === 0) return null;
  const named = tasks.flatMap(({ covers }) => covers);
  const covered = requirements.filter((one) => named.some((id) => isCoveredBy(one, id))).length;
  return { requirements: requirements.length, covered, outOfScope };
}

function parallelismOf(tasks: readonly SpecTask[]): Parallelism {
  const critical = criticalTasks(tasks);
  const least = sum(tasks.filter(({ id }) => critical.includes(id)).map(hoursOf));
  const serial = sum(tasks.map(hoursOf));
  const sizes = new Map<number, number>();
  for (const { wave } of tasks) sizes.set(wave, (sizes.get(wave) ?? 0) + 1);
  const [wave, most] = [...sizes].reduce((a, b) => (b[1] > a[1] ? b : a), [0, 0]);
  return {
    guessed: tasks.filter(({ hours }) => hours === null).length,
    critical,
    least,
    serial,
    speedUp: least === 0 ? 1 : serial / least,
    waves: sizes.size,
    widest: { wave, tasks: most },
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

type Said = {
  readonly task: SpecTask;
  readonly as: "creates" | "modifies" | "mustNotTouch";
  readonly claim: Claim;
};

/** Rows in the order of the tasks that own them; what means the same path in other words is in the row too. */
function ownershipOf(tasks: readonly SpecTask[]): OwnershipRow[] {
  const said = tasks.flatMap(saidBy);
  const patterns = [...new Set(said.map(({ claim }) => claim.pattern))];
  const place = new Map(patterns.map((pattern, i) => [pattern, i]));
  const met = patterns.map(() => new Set<number>());
  for (const { a, b, overlap } of findOverlaps(patterns).overlaps) {
    if (overlap.kind !== "overlap") continue;
    met[a]?.add(b);
    met[b]?.add(a);
  }
  const isMet = (a: PathPattern, b: PathPattern) =>
    a === b || met[place.get(a) as number]?.has(place.get(b) as number) === true;
  const rows = new Map<string, Claim>();
  for (const { as, claim } of said) if (as !== "mustNotTouch") rows.set(claimText(claim), claim);
  return Array.from(rows, ([path, claim]) => {
    const about = said.filter(
      (one) => symbolsMeet(one.claim.symbol, claim.symbol) && isMet(one.claim.pattern, claim.pattern),
    );
    const creates = idsOf(about, "creates", []);
    const modifies = idsOf(about, "modifies", creates);
    return { path, creates, modifies, mustNotTouch: idsOf(about, "mustNotTouch", [...creates, ...modifies]) };
  });
}

function idsOf(said: readonly Said[], as: Said["as"], told: readonly string[]): string[] {
  const ids = said.filter((one) => one.as === as).map(({ task }) => task.id);
  return [...new Set(ids)].filter((id) => !told.includes(id));
}

function saidBy(task: SpecTask): Said[] {
  const claims = (as: Said["as"], texts: readonly string[]) =>
    texts.flatMap((text): Said[] => {
      const parsed = parseClaim(text, "any");
      return parsed.ok ? [{ task, as, claim: parsed.claim }] : [];
    });
  const barred = task.boundary.flatMap((text): Said[] => {
    const parsed = parsePattern(text);
    return parsed.ok
      ? [{ task, as: "mustNotTouch", claim: { mode: "any", pattern: parsed.pattern, symbol: null } }]
      : [];
  });
  return [...claims("creates", task.create), ...claims("modifies", task.modify), ...barred];
}
