import { useEffect, useRef } from "preact/hooks";

/** What a key does: by its name as the browser gives it (`a`, `P`, `Enter`, `ArrowUp`). False: not mine, ask the others. */
export type Keys = { readonly [key: string]: (event: KeyboardEvent) => unknown };

const layers: { readonly current: Keys }[] = [];

/**
 * Keys that work while the component is there. Who came last is asked first, so a dialogue has them before the view below it.
 * Nobody is asked while a person types, or holds a key that belongs to the browser.
 */
export function useKeys(keys: Keys): void {
  const layer = useRef(keys);
  layer.current = keys;
  useEffect(() => {
    layers.push(layer);
    if (layers.length === 1) addEventListener("keydown", hear);
    return () => {
      layers.splice(layers.indexOf(layer), 1);
      if (layers.length === 0) removeEventListener("keydown", hear);
    };
  }, []);
}

function hear(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (isTyping(event.target) && event.key !== "Escape") return;
  for (const { current } of [...layers].reverse()) {
    if (!Object.hasOwn(current, event.key)) continue;
    if (current[event.key]?.(event) === false) continue;
    event.preventDefault();
    return;
  }
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]");
}
