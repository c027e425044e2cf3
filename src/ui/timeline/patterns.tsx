/** Said as an attribute: what a style sheet names by a fragment, some browsers look for in the style sheet. */
export const hatchOf: { readonly [look: string]: string } = {
  queue: "url(#hatch-plait)",
  parked: "url(#hatch-clock)",
  held: "url(#hatch-you)",
};

/** Once a page. Hatches: what waits differs from what works by more than its colour. */
export function Patterns() {
  return (
    <defs>
      {(["plait", "clock", "you"] as const).map((colour) => (
        <pattern
          key={colour}
          id={`hatch-${colour}`}
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="skewX(-45)"
        >
          <rect class={`timeline-hatch-ground-${colour}`} width="6" height="6" />
          <rect class={`timeline-hatch-${colour}`} width="3" height="6" />
        </pattern>
      ))}
    </defs>
  );
}
