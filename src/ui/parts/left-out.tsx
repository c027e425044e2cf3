import { usePage } from "../context.ts";
import "./left-out.css";

/** In a file: what was too large for it, and where to see it. Nothing where all is there. */
export function LeftOut() {
  const { leftOut = [] } = usePage().session;
  if (leftOut.length === 0) return null;
  return (
    <details class="left-out">
      <summary>Not everything is in this file</summary>
      <ul>
        {leftOut.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </details>
  );
}
