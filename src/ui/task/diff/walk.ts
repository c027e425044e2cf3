/** Brings the next or the last file or hunk to the top of what scrolls. False where there is none. */
export function walk(pane: HTMLElement | null, what: "file" | "hunk", by: 1 | -1): boolean {
  if (pane === null) return false;
  const all = [...pane.querySelectorAll<HTMLElement>(`[data-${what}]`)];
  const tops = all.map((element) => element.getBoundingClientRect().top - topOf(pane, element));
  const at = by === 1 ? tops.findIndex((top) => top > 1) : tops.findLastIndex((top) => top < -1);
  const found = all[at];
  if (found === undefined) return false;
  found.scrollIntoView({ block: "start" });
  return true;
}

/** Where an element is when it was brought to the top: a head that stays there is above it. */
function topOf(pane: HTMLElement, element: HTMLElement): number {
  const margin = Number.parseFloat(getComputedStyle(element).scrollMarginTop) || 0;
  const scrolls = pane.scrollHeight > pane.clientHeight + 1;
  return margin + (scrolls ? pane.getBoundingClientRect().top : 0);
}
