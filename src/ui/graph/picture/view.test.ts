import { describe, expect, test } from "vitest";
import { layoutGraph } from "../../../report/graph-layout.ts";
import {
  bringIntoView,
  drawnPart,
  findLevel,
  fitView,
  isTooMuch,
  isUncovered,
  pointAt,
  spread,
  type View,
  zoomAt,
} from "./view.ts";

const window = { width: 1_000, height: 700 };
const near: View = { x: 0, y: 0, zoom: 1 };

test.each([
  [2, "full"],
  [0.8, "full"],
  [0.79, "names"],
  [0.5, "names"],
  [0.49, "signs"],
  [0.3, "signs"],
  [0.29, "tiles"],
])("at a zoom of %s one sees %s", (zoom, level) => {
  expect(findLevel(zoom)).toBe(level);
});

describe("fit", () => {
  test("shows all of it, in the middle, never larger than it is", () => {
    expect(fitView({ width: 100, height: 100 }, window).zoom).toBe(1);
    const view = fitView({ width: 4_000, height: 1_000 }, window);
    expect(view.x).toBeGreaterThanOrEqual(24);
    expect(4_000 * view.zoom + 2 * view.x).toBeCloseTo(1_000);
  });

  test("gaps between columns share what is left, within limits", () => {
    const layout = layoutGraph({
      column: [0, 1, 2],
      widths: [100, 100, 100],
      edges: [
        { from: 0, to: 1 },
        { from: 1, to: 2 },
      ],
      nodeHeight: 44,
    });
    const gapIn = (width: number) => {
      const [first, second] = spread(layout, { width, height: 700 }).columns;
      return (second?.x ?? 0) - (first?.x ?? 0) - 100;
    };
    expect([gapIn(300), gapIn(448), gapIn(5_000)]).toEqual([28, 50, 96]);
    const wide = spread(layout, { width: 448, height: 700 });
    expect(wide.width).toBe(400);
    expect(wide.edges[1]?.map(({ x1 }) => x1)).toEqual([150, 300]);
  });
});

test("zoom keeps what is under the pointer there", () => {
  const at = { x: 300, y: 200 };
  const view = { x: 17, y: -40, zoom: 0.7 };
  for (const factor of [0.5, 1.3, 100, 0.0001]) {
    const next = zoomAt(view, factor, at);
    expect(pointAt(next, at).x).toBeCloseTo(pointAt(view, at).x);
    expect(pointAt(next, at).y).toBeCloseTo(pointAt(view, at).y);
    expect(next.zoom).toBeGreaterThanOrEqual(0.04);
    expect(next.zoom).toBeLessThanOrEqual(2);
  }
});

test("moving draws nothing until something comes into sight that is not drawn", () => {
  const part = drawnPart(near, window);
  expect(part).toEqual({ x: -500, y: -350, width: 2_000, height: 1_400 });
  expect(isUncovered(part, { ...near, x: 499, y: -349 }, window)).toBe(false);
  expect(isUncovered(part, { ...near, x: 501 }, window)).toBe(true);
  expect(isUncovered(part, zoomAt(near, 0.4, { x: 0, y: 0 }), window)).toBe(true);
  expect(isTooMuch(part, near, window)).toBe(false);
  expect(isTooMuch(part, zoomAt(near, 3, { x: 0, y: 0 }), window)).toBe(false);
  expect(isTooMuch(drawnPart({ ...near, zoom: 0.2 }, window), near, window)).toBe(true);
});

test("a node is brought into view by the shortest way", () => {
  const box = { x: 1_200, y: 300, width: 120, height: 44 };
  expect(bringIntoView(near, box, window)).toEqual({ zoom: 1, x: -340, y: 0 });
  expect(bringIntoView({ ...near, x: -400 }, box, window)).toEqual({ zoom: 1, x: -400, y: 0 });
});
