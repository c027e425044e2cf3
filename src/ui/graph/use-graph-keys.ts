import { useEffect } from "preact/hooks";
import type { GraphLayout } from "../../report/graph-layout.ts";
import { useKeys } from "../keys.ts";
import { byRank, type Step, walk } from "./picture/walk.ts";
import type { GraphModel } from "./use-graph.ts";
import type { ViewControl } from "./use-view.ts";

const PAN = 80;
const ZOOM = 1.25;

type Keyed = {
  readonly model: GraphModel;
  /** Null where there is only the list. */
  readonly view: ViewControl | null;
  readonly layout: GraphLayout;
};

/** Arrows move the picture, and from node to node once one is selected; j and k go through the list in any case. */
export function useGraphKeys({ model, view, layout }: Keyed): void {
  const { selected, picture } = model;
  const box = selected === null ? undefined : layout.nodes[selected];
  useEffect(() => {
    if (box !== undefined) view?.show(box);
  }, [selected]);
  const step = (to: Step) => {
    const order = byRank(picture);
    const first = to === "previous" ? order.at(-1) : order[0];
    const next = selected === null ? first : walk(picture, selected, to);
    if (next === undefined) return;
    model.select(next);
    followFocus(picture.ids[next] ?? "");
  };
  const arrow = (to: Step, dx: number, dy: number) => (event: KeyboardEvent) => {
    if (isInPanel(event.target)) return false;
    if (selected !== null || isInList(event.target)) step(to);
    else if (view === null) return false;
    else view.pan(dx, dy);
    return true;
  };
  const zoomBy = (factor: number) => () => (view === null ? false : view.zoom(factor));
  useKeys({
    ArrowRight: arrow("right", -PAN, 0),
    ArrowLeft: arrow("left", PAN, 0),
    ArrowUp: arrow("up", 0, PAN),
    ArrowDown: arrow("down", 0, -PAN),
    j: () => step("next"),
    k: () => step("previous"),
    Enter: () => (selected === null ? false : model.open(selected)),
    Escape: () => (selected === null ? false : model.select(null)),
    "+": zoomBy(ZOOM),
    "=": zoomBy(ZOOM),
    "-": zoomBy(1 / ZOOM),
    "0": () => (view === null ? false : view.fit()),
  });
}

const isInPanel = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(".graph-side") !== null;

const isInList = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(".graph-ranks") !== null;

/** Whoever reads the list goes along with the keys. */
function followFocus(task: string): void {
  if (!isInList(document.activeElement)) return;
  const link = document.querySelector<HTMLElement>(`.graph-ranks [data-task="${CSS.escape(task)}"]`);
  link?.focus();
}
