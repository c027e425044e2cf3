/** As an attribute: some browsers look for a fragment that a style sheet names in the style sheet. */
export const HATCHES: { readonly [look: string]: string } = {
  queue: "url(#hatch-plait)",
  parked: "url(#hatch-clock)",
  held: "url(#hatch-you)",
};

/** Once per page. Hatches tell waiting from working without color. */
export function Patterns() {
  return (
    <defs>
      {(["plait", "clock", "you"] as const).map((color) => (
        <pattern
          key={color}
          id={`hatch-${color}`}
          class={`actor-${color}`}
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="skewX(-45)"
        >
          <rect class="timeline-hatch-ground" width="6" height="6" />
          <rect class="timeline-hatch" width="3" height="6" />
        </pattern>
      ))}
    </defs>
  );
}
