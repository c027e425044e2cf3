import { type Box, type GraphLayout, withColumnGap } from "../../../report/graph-layout.ts";

/** Where a picture is seen from: a point of it lies on the screen at `point * zoom + (x, y)`. */
export type View = { readonly x: number; readonly y: number; readonly zoom: number };
export type Size = { readonly width: number; readonly height: number };
export type Point = { readonly x: number; readonly y: number };

/** How much of a node can be read: all, its name, its sign, nothing but its color. */
export type Level = "full" | "names" | "signs" | "tiles";

export function findLevel(zoom: number): Level {
  if (zoom >= 0.8) return "full";
  if (zoom >= 0.5) return "names";
  return zoom >= 0.3 ? "signs" : "tiles";
}

const LEAST_ZOOM = 0.04;
const MOST_ZOOM = 2;
const MARGIN = 24;
/** Room for the buttons and the legend below the picture. */
const FOOT = 64;

/** All of it, as large as it goes, but never larger than it is. */
export function fitView(layout: Size, window: Size): View {
  const room = roomIn(window);
  const zoom = clamp(Math.min(room.width / layout.width, room.height / layout.height), LEAST_ZOOM, 1);
  return {
    zoom,
    x: MARGIN + (room.width - layout.width * zoom) / 2,
    y: MARGIN + (room.height - layout.height * zoom) / 2,
  };
}

const LEAST_GAP = 28;
const MOST_GAP = 96;

/** The gaps between columns share what the window has left at the zoom at which the rows just fit. */
export function spread(layout: GraphLayout, window: Size): GraphLayout {
  const gaps = layout.columns.length - 1;
  if (gaps < 1 || window.width === 0) return layout;
  const room = roomIn(window);
  const zoom = clamp(room.height / layout.height, LEAST_ZOOM, 1);
  const columns = layout.columns.reduce((sum, { width }) => sum + width, 0);
  const gap = (room.width / zoom - columns) / gaps;
  return withColumnGap(layout, Math.floor(clamp(gap, LEAST_GAP, MOST_GAP / zoom)));
}

/** The point of the picture under `at` stays where it is. */
export function zoomAt(view: View, factor: number, at: Point): View {
  const zoom = clamp(view.zoom * factor, LEAST_ZOOM, MOST_ZOOM);
  const by = zoom / view.zoom;
  return { zoom, x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by };
}

export const pointAt = (view: View, at: Point): Point => ({
  x: (at.x - view.x) / view.zoom,
  y: (at.y - view.y) / view.zoom,
});

export const screenPoint = (view: View, at: Point): Point => ({
  x: at.x * view.zoom + view.x,
  y: at.y * view.zoom + view.y,
});

/** The part of the picture that is on the screen. */
function seenPart(view: View, window: Size): Box {
  const { x, y } = pointAt(view, { x: 0, y: 0 });
  return { x, y, width: window.width / view.zoom, height: window.height / view.zoom };
}

/** What is drawn: the part that is seen, and half as much around it. While that is enough, moving draws nothing. */
export function drawnPart(view: View, window: Size): Box {
  const seen = seenPart(view, window);
  return {
    x: seen.x - seen.width / 2,
    y: seen.y - seen.height / 2,
    width: seen.width * 2,
    height: seen.height * 2,
  };
}

/** Whether something is in sight that is not drawn: then it must be, at once. */
export const isUncovered = (part: Box, view: View, window: Size): boolean =>
  !holds(part, seenPart(view, window));

/** Whether far more is drawn than is seen: not wrong, but slow. */
export const isTooMuch = (part: Box, view: View, window: Size): boolean =>
  part.width > seenPart(view, window).width * 4;

/** A view in which the box is seen, moved as little as that takes. */
export function bringIntoView(view: View, box: Box, window: Size): View {
  const room = MARGIN - 4; // what was fitted is in view
  const shift = (from: number, to: number, end: number): number => {
    if (to > end - room) return Math.max(end - room - to, room - from);
    return from < room ? room - from : 0;
  };
  const [left, top] = [box.x * view.zoom + view.x, box.y * view.zoom + view.y];
  return {
    zoom: view.zoom,
    x: view.x + shift(left, left + box.width * view.zoom, window.width),
    y: view.y + shift(top, top + box.height * view.zoom, window.height),
  };
}

export const meets = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

const holds = (outer: Box, inner: Box): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;

const roomIn = ({ width, height }: Size): Size => ({
  width: Math.max(1, width - 2 * MARGIN),
  height: Math.max(1, height - MARGIN - FOOT),
});

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
