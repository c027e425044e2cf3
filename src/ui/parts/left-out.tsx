import { usePage } from "../context.ts";
import "./left-out.css";

/** In a report file: what was too large for it, and where to see it. */
export function LeftOut() {
  const { leftOut = [] } = usePage().session;
  if (leftOut.length === 0) return null;
  return (
    <details class="left-out small quiet">
      <summary>This file is incomplete</summary>
      <ul>
        {leftOut.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </details>
  );
}
