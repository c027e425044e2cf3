import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crossings, layersOf } from "./graph-layers.ts";
import { layoutGraph } from "./graph-layout.ts";

describe("layersOf", () => {
  it("leads a long edge through every column between, once for all edges of one task", () => {
    const edges = [
      { from: 0, to: 1 },
      { from: 1, to: 2 },
      { from: 0, to: 2 },
      { from: 0, to: 3 },
    ];
    const { columns, items, routes } = layersOf([0, 1, 2, 2], edges);
    expect(items.slice(4)).toEqual([{ kind: "way", from: 0 }]);
    expect(routes).toEqual([
      [0, 1],
      [1, 2],
      [0, 4, 2],
      [0, 4, 3],
    ]);
    expect(columns.map((column) => [...column].sort())).toEqual([[0], [1, 4], [2, 3]]);
  });

  it("untangles what can be drawn without a crossing", () => {
    // Three strands, the right ends listed in the opposite order.
    const edges = [0, 1, 2].map((i) => ({ from: i, to: 5 - i }));
    const { columns, links } = layersOf([0, 0, 0, 1, 1, 1], edges);
    expect(
      crossings(
        [
          [0, 1, 2],
          [3, 4, 5],
        ],
        links,
      ),
    ).toBe(3);
    expect(crossings(columns, links)).toBe(0);
  });

  it("never makes more crossings than the order of the file", () => {
    fc.assert(
      fc.property(layeredGraphs, ({ column, edges }) => {
        const { columns, links } = layersOf(column, edges);
        const inFileOrder = columns.map((items) => [...items].sort((a, b) => a - b));
        expect(crossings(columns, links)).toBeLessThanOrEqual(crossings(inFileOrder, links));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("clusters", () => {
  it("stand together in each column", () => {
    fc.assert(
      fc.property(
        layeredGraphs,
        fc.infiniteStream(fc.constantFrom("x", "y", null)),
        ({ column, edges }, names) => {
          const clusters = [...names.take(column.length)];
          const { columns } = layersOf(column, edges, clusters);
          for (const items of columns) {
            const blocks = items
              .map((item) => clusters[item] ?? `none ${item}`)
              .filter((name, i, all) => name !== all[i - 1]);
            expect(new Set(blocks).size).toBe(blocks.length);
          }
        },
      ),
    );
  });
});

describe("a graph of any size", () => {
  it("is laid out without running out of stack", () => {
    const size = 1_000;
    const column = Array.from({ length: 2 * size }, (_, i) => (i < size ? 0 : 1));
    const edges = Array.from({ length: 200 * size }, (_, i) => ({
      from: i % size,
      to: size + ((i * 7 + Math.floor(i / size)) % size),
    }));
    expect(layoutGraph({ column, widths: column.map(() => 100), edges, nodeHeight: 44 }).nodes).toHaveLength(
      2 * size,
    );
  });

  it("has straight long edges when there are too many to lead through the columns", () => {
    const size = 2_000;
    const column = Array.from({ length: size }, (_, i) => Math.floor(i / 2));
    const edges = column.flatMap((_, to) =>
      Array.from({ length: Math.min(8, Math.floor(to / 250)) }, (_, i) => ({ from: to - (i + 1) * 240, to })),
    );
    const { edges: drawn } = layoutGraph({ column, widths: column.map(() => 100), edges, nodeHeight: 44 });
    expect(drawn.every((pieces) => pieces.length === 2)).toBe(true);
  });
});

describe("layoutGraph", () => {
  it("puts every node into its column, apart from all others, and every edge from node to node", () => {
    fc.assert(
      fc.property(layeredGraphs, ({ column, edges }) => {
        const widths = column.map((_, node) => 100 + (node % 3) * 20);
        const { nodes, edges: drawn, width, height } = layoutGraph({ column, widths, edges, nodeHeight: 44 });
        nodes.forEach((a, i) => {
          expect(a.x >= 0 && a.y >= 0 && a.x + a.width <= width && a.y + a.height <= height).toBe(true);
          for (const [j, b] of nodes.entries()) {
            if (i < j && column[i] === column[j]) {
              expect(a.x).toBe(b.x);
              expect(Math.abs(a.y - b.y)).toBeGreaterThanOrEqual(44 + 15.8);
            }
            if (column[i]! < column[j]!) expect(a.x + a.width).toBeLessThan(b.x);
          }
        });
        edges.forEach(({ from, to }, i) => {
          const pieces = drawn[i]!;
          expect(pieces[0]?.y).toBeCloseTo(nodes[from]!.y + 22);
          expect(pieces.at(-1)?.y).toBeCloseTo(nodes[to]!.y + 22);
          expect(pieces.length).toBe(column[to]! - column[from]! + 1);
        });
      }),
    );
  });

  it("draws a chain as a straight line", () => {
    const edges = [0, 1].map((i) => ({ from: i, to: i + 1 }));
    const { nodes } = layoutGraph({ column: [0, 1, 2], widths: [50, 50, 50], edges, nodeHeight: 44 });
    expect(nodes.map(({ y }) => y)).toEqual([0, 0, 0]);
  });

  it("copes with no nodes at all", () => {
    expect(layoutGraph({ column: [], widths: [], edges: [], nodeHeight: 44 })).toEqual({
      width: 0,
      height: 0,
      columns: [],
      nodes: [],
      edges: [],
    });
  });
});

/** Columns without gaps, and edges that only go to the right. */
const layeredGraphs = fc
  .array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 5 })
  .map((sizes) => sizes.flatMap((size, c) => new Array<number>(size).fill(c)))
  .chain((column) => {
    const possible = column.flatMap((a, from) => column.flatMap((b, to) => (a < b ? [{ from, to }] : [])));
    return fc.record({ column: fc.constant(column), edges: fc.subarray(possible) });
  });
