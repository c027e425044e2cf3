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
import { followPointers, type Gestures } from "./pointers.ts";

/** What is drawn depends on this alone; while it stays the same, moving the picture draws nothing anew. */
export type Drawn = {
  readonly level: Level;
  readonly part: Box;
  /** The zoom that it is drawn for. Another is shown by stretching it, until the hand is still. */
  readonly scale: number;
};

export type ViewControl = {
  readonly window: Size;
  readonly drawn: Drawn;
  readonly fit: () => void;
  readonly zoom: (factor: number) => void;
  readonly pan: (dx: number, dy: number) => void;
  readonly show: (box: Box) => void;
  /** Where a point of the picture is in the window. */
  readonly toScreen: (at: Point) => Point;
};

/** What moves: the picture, and the dots behind it. Both are layers of their own, so that moving them paints nothing. */
export type Moved = {
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
export function useView({ moved, window, layout, ...pointed }: Stage): ViewControl {
  const view = useRef<View>({ x: 0, y: 0, zoom: 1 });
  const isFitted = useRef(true);
  const still = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const last = useRef<Drawn | null>(null);

  const draw = (): void => {
    const { current } = view;
    last.current = {
      level: findLevel(current.zoom),
      part: drawnPart(current, window),
      scale: current.zoom,
    };
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
    zoom: (factor) => move(zoomAt(view.current, factor, findMiddle(window))),
    pan: (dx, dy) => move({ ...view.current, x: view.current.x + dx, y: view.current.y + dy }),
    show: (box) => {
      if (window.width === 0) return; // it will be fitted
      const next = bringIntoView(view.current, box, window);
      if (next.x !== view.current.x || next.y !== view.current.y) move(next);
    },
    toScreen: (at) => screenPoint(view.current, at),
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
