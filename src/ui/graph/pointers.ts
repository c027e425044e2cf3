import type { Point } from "./picture/view.ts";

/** What fingers, a mouse and its wheel do to a picture; points are from the corner of the element. */
export type Gestures = {
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

export function followPointers(element: HTMLElement, gestures: Gestures): () => void {
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
