import fc from "fast-check";
import { expect, test } from "vitest";
import { analyzeSample, draftOf, gateOf, type TaskSample } from "../../../test/support/drafts.ts";
import type { Graph } from "../graph.ts";
import { type Overlap, overlap } from "../ownership/overlap.ts";
import { parseClaim } from "../ownership/parse.ts";
import { type Claim, looksLikeFile, symbolsMeet } from "../ownership/pattern.ts";
import { findCycles } from "./cycles.ts";

const RUNS = { numRuns: 500 };

const graphs = fc
  .integer({ min: 1, max: 7 })
  .chain((size) =>
    fc.tuple(fc.constant(size), fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 12 })),
  )
  .map(([size, edges]): Graph => {
    const needs = Array.from({ length: size }, (_, from) => [
      ...new Set(edges.filter(([x, y]) => x === from && y !== from).map(([, y]) => y)),
    ]);
    const dependents = needs.map((_, to) => needs.flatMap((list, from) => (list.includes(to) ? [from] : [])));
    return { size, needs, dependents };
  });

/** Which tasks each task reaches, by following needs until nothing new comes. */
function reachOf({ size, needs }: Pick<Graph, "size" | "needs">): Set<number>[] {
  return Array.from({ length: size }, (_, start) => {
    const found = new Set(needs[start]);
    for (const task of found) for (const need of needs[task] ?? []) found.add(need);
    return found;
  });
}

test("circles are found exactly where tasks reach themselves, each knot once, along real needs", () => {
  let seen = 0;
  fc.assert(
    fc.property(graphs, (graph) => {
      const reach = reachOf(graph);
      const cycles = findCycles(graph);
      const knotOf = (task: number) =>
        [...reach.keys()].filter((x) => reach[task]?.has(x) && reach[x]?.has(task));
      const knots = new Set([...reach.keys()].filter((x) => reach[x]?.has(x)).map((x) => knotOf(x).join()));
      expect(cycles.map(([first]) => knotOf(first as number).join()).toSorted()).toEqual(
        [...knots].toSorted(),
      );
      for (const cycle of cycles) {
        cycle.forEach((from, i) => {
          expect(graph.needs[from]).toContain(cycle[(i + 1) % cycle.length]);
        });
        expect(new Set(cycle).size).toBe(cycle.length);
        seen += 1;
      }
    }),
    { numRuns: 1500 },
  );
  expect(seen).toBeGreaterThan(250);
});

const claim = fc
  .tuple(
    fc.constantFrom("", "", "create "),
    fc.array(fc.constantFrom("a", "b", "*", "**", "{a,b}", "a.ts", "[ab]", "@(a)"), {
      minLength: 1,
      maxLength: 3,
    }),
    fc.constantFrom("", "", "/", "::A", "::A.b", "::B"),
  )
  .map(([mode, parts, end]) => mode + parts.join("/") + end);

/** Needs point backwards only and waves only grow, so every plan is a DAG. */
const plans = fc
  .array(
    fc.record({
      back: fc.array(fc.nat(5), { maxLength: 2 }),
      owns: fc.array(claim, { maxLength: 3 }),
      reads: fc.nat(4),
      inWave: fc.nat(3),
    }),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((tasks) =>
    tasks.map(({ back, owns, reads, inWave }, i): TaskSample => {
      const wave = (n: number) => (tasks[n]?.inWave === 0 ? Math.floor(n / 2) : null);
      const isBefore = (n: number) => n < i && (wave(n) ?? -1) < (wave(i) ?? Number.POSITIVE_INFINITY);
      const needs = [...new Set(back.filter(isBefore))].map((n) => `t${n}`);
      const more = {
        ...(reads === 0 && { access: "read-only" as const }),
        ...(inWave === 0 && { wave: Math.floor(i / 2) }),
      };
      return { id: `t${i}`, needs, owns, ...more };
    }),
  );

test("findings about overlaps are those of comparing all pairs of unordered tasks", () => {
  const seen = { certain: 0, unsure: 0 };
  fc.assert(
    fc.property(plans, (tasks) => {
      const found = analyzeSample(draftOf(tasks)).diagnostics.flatMap(({ code, message }) => {
        const pair = /^`(t\d)` and `(t\d)` /.exec(message);
        return pair && code !== "no-owns" ? [`${code} ${pair[1]} ${pair[2]}`] : [];
      });
      const expected = bruteForce(tasks);
      expect(found.toSorted()).toEqual(expected.toSorted());
      seen.certain += expected.filter((text) => text.startsWith("ownership-overlap")).length;
      seen.unsure += expected.filter((text) => text.startsWith("overlap-unclear")).length;
    }),
    { numRuns: 750 },
  );
  expect(seen.certain).toBeGreaterThan(150);
  expect(seen.unsure).toBeGreaterThan(50);
});

function bruteForce(tasks: readonly TaskSample[]): string[] {
  const needs = tasks.map((task) => [
    ...(task.needs ?? []).map((id) => Number(id.slice(1))),
    ...tasks.flatMap((other, i) =>
      (other.wave ?? 0) < (task.wave ?? -1) && other.wave !== undefined ? [i] : [],
    ),
  ]);
  const reach = reachOf({ size: tasks.length, needs });
  const writers = tasks.flatMap((task, index) => {
    return task.access === "read-only" ? [] : [{ index, claims: claimsOf(task) }];
  });
  return writers.flatMap((b, i) => {
    const before = writers.slice(0, i);
    const firsts = b.claims.flatMap((claim) => plain(claim).map((path) => firstCreator(before, claim, path)));
    const twice = [...new Set(firsts)].flatMap((a) =>
      a === undefined ? [] : [`created-twice t${a} t${b.index}`],
    );
    const together = before.filter((a) => !reach[a.index]?.has(b.index) && !reach[b.index]?.has(a.index));
    return [...twice, ...together.flatMap((a) => meeting(a, b))];
  });
}

type Writer = { readonly index: number; readonly claims: readonly Claim[] };

function firstCreator(before: readonly Writer[], claim: Claim, path: string): number | undefined {
  return before.find(({ claims }) =>
    claims.some((other) => plain(other).includes(path) && symbolsMeet(claim.symbol, other.symbol)),
  )?.index;
}

const claimsOverlap = (a: Claim, b: Claim): Overlap =>
  symbolsMeet(a.symbol, b.symbol) ? overlap(a.pattern, b.pattern) : { kind: "disjoint" };

function meeting(a: Writer, b: Writer): string[] {
  const kinds = a.claims.flatMap((x) =>
    b.claims
      .filter((y) => !plain(x).some((path) => plain(y).includes(path)))
      .map((y) => takingFilesForFiles(claimsOverlap(x, y)).kind),
  );
  if (kinds.includes("overlap")) return [`ownership-overlap t${a.index} t${b.index}`];
  return kinds.includes("may-overlap") ? [`overlap-unclear t${a.index} t${b.index}`] : [];
}

/** Paths that look like files have nothing below them. */
function takingFilesForFiles(found: Overlap): Overlap {
  if (found.kind !== "may-overlap" || found.ifFolders.length === 0) return found;
  return found.ifFolders.every(looksLikeFile) ? { kind: "disjoint" } : found;
}

function claimsOf(task: TaskSample): Claim[] {
  return (task.owns ?? []).flatMap((text) => {
    const mode = text.startsWith("create ") ? "create" : "any";
    const parsed = parseClaim(text.replace("create ", ""), mode);
    return parsed.ok ? [parsed.claim] : [];
  });
}

/** The paths that a claim surely creates, in the small language of these plans. */
function plain({ mode, pattern }: Claim): string[] {
  if (mode !== "create" || /[*@]|\/$/.test(pattern)) return [];
  const expand = (text: string): string[] =>
    text.includes("{a,b}") ? ["a", "b"].flatMap((c) => expand(text.replace("{a,b}", c))) : [text];
  return expand(pattern);
}

const anyText = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom("a", "b", "t", "{", "[", "::", "../", "\0", "!", "**"),
);
const anyTasks = fc.array(
  fc.record({
    id: anyText,
    needs: fc.array(anyText, { maxLength: 3 }),
    owns: fc.array(anyText, { maxLength: 3 }),
    boundary: fc.array(anyText, { maxLength: 2 }),
    artifacts: fc.array(anyText, { maxLength: 1 }),
    prompt: anyText,
    wave: fc.double(),
    env: fc.dictionary(anyText, anyText, { maxKeys: 2 }),
    group: anyText,
    agent: fc.record({ use: anyText, model: anyText }),
    retries: fc.double(),
    race: fc.double(),
    gates: fc.array(
      anyText.map((line) => gateOf({ run: { kind: "shell", line } })),
      { maxLength: 2 },
    ),
  }),
  { maxLength: 6 },
);

test("no draft makes it throw, and there is a plan exactly when there is no error", () => {
  fc.assert(
    fc.property(anyTasks, fc.boolean(), (tasks, strict) => {
      const { plan, diagnostics } = analyzeSample(draftOf(tasks), { strict });
      expect(plan === null).toBe(diagnostics.some(({ severity }) => severity === "error"));
    }),
    RUNS,
  );
});
