import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Size } from "../graph/picture/view.ts";

/** How wide an element is, in whole pixels, also after it has changed; 0 before it is there. Pictures are drawn for it. */
export function useWidth<E extends HTMLElement>(): [RefObject<E | null>, number] {
  const ref = useRef<E>(null);
  return [ref, useSize(ref).width];
}

type RowRange = { readonly first: number; readonly end: number };

/** Which of many rows of one height can be seen, whoever scrolls; with some more above and below. */
export function useSeenRows<E extends HTMLElement>(
  count: number,
  height: number,
): [RefObject<E | null>, RowRange] {
  const ref = useRef<E>(null);
  const [range, setRange] = useState<RowRange>({ first: 0, end: Math.min(count, FIRST_GUESS) });
  useLayoutEffect(() => {
    const look = () => {
      const top = ref.current?.getBoundingClientRect().top ?? 0;
      const first = Math.max(0, Math.floor(-top / height) - SPARE_ROWS);
      const end = Math.min(count, Math.ceil((innerHeight - top) / height) + SPARE_ROWS);
      setRange((old) =>
        old.first === first && old.end === end ? old : { first, end: Math.max(first, end) },
      );
    };
    look();
    // Scrolling does not bubble, and it may be any of those around it that is scrolled.
    addEventListener("scroll", look, { capture: true, passive: true });
    addEventListener("resize", look);
    return () => {
      removeEventListener("scroll", look, { capture: true });
      removeEventListener("resize", look);
    };
  }, [count, height]);
  return [ref, range];
}

const FIRST_GUESS = 60;
const SPARE_ROWS = 8;

/** How large an element is now; nothing until it is there. */
export function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const look = () => {
      const { clientWidth: width, clientHeight: height } = current;
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

/** Whether the page is as wide, or as narrow, as the query asks. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useLayoutEffect(() => {
    const media = matchMedia(query);
    const look = () => setMatches(media.matches);
    look();
    media.addEventListener("change", look);
    return () => media.removeEventListener("change", look);
  }, [query]);
  return matches;
}
