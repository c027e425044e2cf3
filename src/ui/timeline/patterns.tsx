/** Hatches: what waits differs from what works by more than its colour. */
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
