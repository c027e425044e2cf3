import { useLayoutEffect, useRef } from "preact/hooks";

/** What a key does: by its name as the browser gives it (`a`, `P`, `Enter`, `ArrowUp`). False: not mine, ask the others. */
export type Keys = { readonly [key: string]: (event: KeyboardEvent) => unknown };

type Layer = { current: Keys; readonly isModal: boolean };

const layers: Layer[] = [];

/**
 * Keys that work while the component is there. Who came last is asked first, so a dialogue has them before the view below it,
 * and with `isModal` the view is not asked at all. Nobody is asked while a person types, holds a key that belongs to the
 * browser, or presses a button with the keyboard.
 */
export function useKeys(keys: Keys, { isModal = false } = {}): void {
  const layer = useRef<Layer>({ current: keys, isModal });
  layer.current.current = keys;
  useLayoutEffect(() => {
    const mine = layer.current;
    layers.push(mine);
    if (layers.length === 1) addEventListener("keydown", hear);
    return () => {
      layers.splice(layers.indexOf(mine), 1);
      if (layers.length === 0) removeEventListener("keydown", hear);
    };
  }, []);
}

function hear(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (isTyping(event.target) && event.key !== "Escape") return;
  if (isPressing(event)) return;
  for (const { current, isModal } of [...layers].reverse()) {
    const does = Object.hasOwn(current, event.key) ? current[event.key] : undefined;
    if (does !== undefined && does(event) !== false) {
      event.preventDefault();
      return;
    }
    if (isModal) return;
  }
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]");
}

function isPressing({ key, target }: KeyboardEvent): boolean {
  const isPress = key === "Enter" || key === " ";
  return isPress && target instanceof Element && target.closest("a, button, summary") !== null;
}
