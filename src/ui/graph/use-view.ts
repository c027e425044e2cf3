import type { RefObject } from "preact";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Box, GraphLayout } from "../../report/graph-layout.ts";
import {
  bringIntoView,
  drawnPart,
  findLevel,
  fitView,
  isTooMuch,
  isUncovered,
  type Level,
  type Point,
  pointAt,
  type Size,
  screenPoint,
  type View,
  zoomAt,
} from "./picture/view.ts";

/** What is drawn depends on this alone; while it stays the same, moving the picture draws nothing anew. */
export type Drawn = {
  readonly level: Level;
  readonly part: Box;
  /** The zoom that it is drawn for. Another is shown by stretching it, until the hand is still. */
  readonly scale: number;
};

export type ViewControl = ReturnType<typeof useView>;

/** What moves: the picture, and the dots behind it. Both are layers of their own, so that moving them paints nothing. */
type Moved = {
  readonly stage: RefObject<HTMLDivElement | null>;
  readonly picture: RefObject<HTMLDivElement | null>;
  readonly dots: RefObject<HTMLDivElement | null>;
};

type Stage = {
  readonly moved: Moved;
  readonly window: Size;
  readonly layout: GraphLayout;
} & Pointed;

/** What is pointed at, in the picture. */
type Pointed = Pick<Gestures, "tap" | "open" | "hover">;

/** As in graph.css. */
const DOTS = 20;
const STILL_MS = 140;
const NOTHING: Drawn = { level: "full", part: { x: 0, y: 0, width: 0, height: 0 }, scale: 1 };

/**
 * Pan and zoom. The view is kept beside the state of the page: a move sets one transform, and only when something else comes
 * into sight, or can be read now, the page is drawn again.
 */
export function useView({ moved, window, layout, ...pointed }: Stage) {
  const view = useRef<View>({ x: 0, y: 0, zoom: 1 });
  const isFitted = useRef(true);
  const still = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const last = useRef<Drawn | null>(null);

  const draw = (): void => {
    const { current } = view;
    last.current = { level: findLevel(current.zoom), part: drawnPart(current, window), scale: current.zoom };
    setDrawn(last.current);
  };
  const apply = (next: View): void => {
    view.current = next;
    transform(moved, next, last.current?.scale ?? next.zoom);
    clearTimeout(still.current);
    const before = last.current;
    if (before === null || isUncovered(before.part, next, window)) draw();
    else if (before.scale !== next.zoom || isTooMuch(before.part, next, window))
      still.current = setTimeout(draw, STILL_MS);
  };
  const move = (next: View): void => {
    isFitted.current = false;
    apply(next);
  };

  // On open, and as long as nobody has moved it, all of it is in sight.
  useLayoutEffect(() => {
    if (window.width === 0) return;
    if (isFitted.current) view.current = fitView(layout, window);
    draw();
  }, [layout, window]);
  useLayoutEffect(() => {
    if (drawn !== null) transform(moved, view.current, drawn.scale);
  }, [drawn]);
  useEffect(() => () => clearTimeout(still.current), []);
  usePointers(moved.stage, { view, move, pointed });

  return {
    window,
    drawn: drawn ?? NOTHING,
    fit: () => {
      isFitted.current = true;
      apply(fitView(layout, window));
    },
    zoom: (factor: number) => move(zoomAt(view.current, factor, findMiddle(window))),
    pan: (dx: number, dy: number) =>
      move({ ...view.current, x: view.current.x + dx, y: view.current.y + dy }),
    show: (box: Box) => {
      if (window.width === 0) return; // it will be fitted
      const next = bringIntoView(view.current, box, window);
      if (next.x !== view.current.x || next.y !== view.current.y) move(next);
    },
    /** Where a point of the picture is in the window. */
    toScreen: (at: Point) => screenPoint(view.current, at),
  };
}

const findMiddle = ({ width, height }: Size): Point => ({ x: width / 2, y: height / 2 });

function transform({ picture, dots }: Moved, { x, y, zoom }: View, scale: number): void {
  if (picture.current !== null)
    picture.current.style.transform = `translate(${x}px, ${y}px) scale(${zoom / scale})`;
  if (dots.current !== null) dots.current.style.transform = `translate(${x % DOTS}px, ${y % DOTS}px)`;
}

type Pointing = {
  readonly view: RefObject<View>;
  readonly move: (view: View) => void;
  readonly pointed: Pointed;
};

function usePointers(stage: RefObject<HTMLDivElement | null>, pointing: Pointing): void {
  const latest = useRef(pointing);
  latest.current = pointing;
  const view = useCallback((): View => latest.current.view.current as View, []);
  useEffect(() => {
    if (stage.current === null) return;
    return followPointers(stage.current, {
      drag: (dx, dy) => latest.current.move({ ...view(), x: view().x + dx, y: view().y + dy }),
      zoom: (factor, at) => latest.current.move(zoomAt(view(), factor, at)),
      tap: (at) => latest.current.pointed.tap(pointAt(view(), at)),
      open: (at) => latest.current.pointed.open(pointAt(view(), at)),
      hover: (at) => latest.current.pointed.hover(at === null ? null : pointAt(view(), at)),
    });
  }, [stage, view]);
}

/** What fingers, a mouse and its wheel do to a picture; points are from the corner of the element. */
type Gestures = {
  readonly drag: (dx: number, dy: number) => void;
  readonly zoom: (factor: number, at: Point) => void;
  readonly tap: (at: Point) => void;
  /** Twice at once. */
  readonly open: (at: Point) => void;
  /** Nothing is pressed; null once the mouse is somewhere else. */
  readonly hover: (at: Point | null) => void;
};

/** A hand is not still: less than this is no drag. */
const STILL = 4;
const WHEEL = 0.0015;

function followPointers(element: HTMLElement, gestures: Gestures): () => void {
  const down = new Map<number, Point>();
  let travelled = 0;
  const at = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top } = element.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };

  const begin = (event: PointerEvent) => {
    if (event.button !== 0 || isControl(event.target)) return;
    if (down.size === 0) travelled = 0;
    down.set(event.pointerId, at(event));
    element.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const before = down.get(event.pointerId);
    const now = at(event);
    if (event.pointerType !== "touch") gestures.hover(before === undefined ? now : null);
    if (before === undefined) return;
    travelled += Math.hypot(now.x - before.x, now.y - before.y);
    const [other] = [...down].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    down.set(event.pointerId, now);
    if (other !== undefined) pinch(gestures, { other, before, now });
    else if (travelled > STILL) gestures.drag(now.x - before.x, now.y - before.y);
  };
  const end = (event: PointerEvent) => {
    const was = down.delete(event.pointerId);
    if (was && down.size === 0 && travelled <= STILL && event.type === "pointerup") gestures.tap(at(event));
  };
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    // A pinch on a touch pad comes as a wheel with the control key, in small steps.
    const speed = event.ctrlKey ? 8 : 1;
    gestures.zoom(Math.exp(-event.deltaY * lines * WHEEL * speed), at(event));
  };

  const listening = new AbortController();
  const { signal } = listening;
  element.addEventListener("pointerdown", begin, { signal });
  element.addEventListener("pointermove", move, { signal });
  element.addEventListener("pointerup", end, { signal });
  element.addEventListener("pointercancel", end, { signal });
  element.addEventListener("pointerleave", () => gestures.hover(null), { signal });
  element.addEventListener("dblclick", (event) => !isControl(event.target) && gestures.open(at(event)), {
    signal,
  });
  element.addEventListener("wheel", wheel, { signal, passive: false });
  return () => listening.abort();
}

/** Two fingers: what is between them stays between them. */
function pinch(
  gestures: Gestures,
  { other, before, now }: { readonly other: Point; readonly before: Point; readonly now: Point },
): void {
  const distance = (point: Point) => Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
  gestures.drag((now.x - before.x) / 2, (now.y - before.y) / 2);
  gestures.zoom(distance(now) / distance(before), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
}

const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("button, a") !== null;
