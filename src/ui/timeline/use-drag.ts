import { useState } from "preact/hooks";
import type { Geometry, TimeWindow } from "./geometry.ts";

/** Less than this is a click. */
const LEAST = 6;

type Drag = { readonly from: number; readonly to: number };

/** Dragging over the plot chooses the time that is to fill it. */
export function useDrag({ scale, plotWidth }: Geometry, onZoom: (zoom: TimeWindow) => void) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const place = (event: PointerEvent): number => {
    const { left } = (event.currentTarget as Element).getBoundingClientRect();
    return Math.max(0, Math.min(plotWidth, event.clientX - left));
  };
  const span =
    drag === null ? null : { x: Math.min(drag.from, drag.to), width: Math.abs(drag.to - drag.from) };
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || (event.target as Element).closest("a") !== null) return;
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
      setDrag({ from: place(event), to: place(event) });
    },
    onPointerMove: (event: PointerEvent) => {
      if (drag !== null) setDrag({ ...drag, to: place(event) });
    },
    onPointerUp: () => {
      if (span !== null && span.width >= LEAST)
        onZoom({ from: scale.at(span.x), to: scale.at(span.x + span.width) });
      setDrag(null);
    },
    onPointerCancel: () => setDrag(null),
  };
  return { span: span !== null && span.width >= LEAST ? span : null, handlers };
}
