import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

const NEAR = 48;

/**
 * Keeps the end of something that grows in view, until the person scrolls away from it. On a narrow page, where the whole page
 * scrolls, nothing is moved.
 */
export function useFollowing(pane: RefObject<HTMLElement | null>, length: number) {
  const [isFollowing, setFollowing] = useState(true);
  const isAtEnd = useRef(true);
  const toEnd = () => {
    if (pane.current !== null) pane.current.scrollTop = pane.current.scrollHeight;
  };
  useEffect(() => {
    const { current } = pane;
    if (current === null) return;
    const onScrolled = () => {
      isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR;
      setFollowing(isAtEnd.current);
    };
    current.addEventListener("scroll", onScrolled, { passive: true });
    return () => current.removeEventListener("scroll", onScrolled);
  }, [pane]);
  useLayoutEffect(() => {
    if (isAtEnd.current) toEnd();
  }, [length]);
  const follow = () => {
    isAtEnd.current = true;
    setFollowing(true);
    toEnd();
  };
  return { isFollowing, follow };
}
