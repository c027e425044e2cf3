import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** What had the focus may go, such as a button that has done its work: then the view has it, not the top of the page. */
export function useKeptFocus(): RefObject<HTMLElement | null> {
  const view = useRef<HTMLElement>(null);
  const last = useRef<EventTarget | null>(null);
  useEffect(() => {
    const note = ({ target }: FocusEvent): void => {
      last.current = target;
    };
    addEventListener("focusin", note);
    return () => removeEventListener("focusin", note);
  }, []);
  useEffect(() => {
    const isGone = last.current instanceof Node && !last.current.isConnected;
    if (!isGone || document.activeElement !== document.body) return;
    last.current = null;
    view.current?.focus({ preventScroll: true });
  });
  return view;
}
